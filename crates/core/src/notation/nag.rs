//! [`Nag`]: numeric annotation glyphs.

use crate::ascii_buffer::AsciiBuffer;
use crate::parse_error::parse_error;
use core::fmt;
use core::str::FromStr;

/// A numeric annotation glyph (NAG), `$0` to `$255`: an assessment of a move or a position.
///
/// ```
/// use tabiya_core::notation::Nag;
///
/// assert_eq!(Nag::from_symbol("!?"), Some(Nag::SPECULATIVE_MOVE));
/// assert_eq!(Nag::SPECULATIVE_MOVE.to_string(), "$5");
/// assert_eq!(Nag(16).symbol(), Some("±"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u8);

impl Nag {
    /// `!`
    pub const GOOD_MOVE: Nag = Nag(1);
    /// `?`
    pub const MISTAKE: Nag = Nag(2);
    /// `!!`
    pub const BRILLIANT_MOVE: Nag = Nag(3);
    /// `??`
    pub const BLUNDER: Nag = Nag(4);
    /// `!?`
    pub const SPECULATIVE_MOVE: Nag = Nag(5);
    /// `?!`
    pub const DUBIOUS_MOVE: Nag = Nag(6);
    /// `□`: the only move.
    pub const ONLY_MOVE: Nag = Nag(7);
    /// `=`: even.
    pub const EVEN: Nag = Nag(10);
    /// `∞`: unclear.
    pub const UNCLEAR: Nag = Nag(13);
    /// `⩲`: White stands slightly better.
    pub const WHITE_SLIGHTLY_BETTER: Nag = Nag(14);
    /// `⩱`: Black stands slightly better.
    pub const BLACK_SLIGHTLY_BETTER: Nag = Nag(15);
    /// `±`: White stands better.
    pub const WHITE_BETTER: Nag = Nag(16);
    /// `∓`: Black stands better.
    pub const BLACK_BETTER: Nag = Nag(17);
    /// `+-`: White is winning.
    pub const WHITE_WINNING: Nag = Nag(18);
    /// `-+`: Black is winning.
    pub const BLACK_WINNING: Nag = Nag(19);
    /// `N`: a novelty.
    pub const NOVELTY: Nag = Nag(146);

    /// The symbol used in print, if there is one.
    pub const fn symbol(self) -> Option<&'static str> {
        Some(match self.0 {
            1 => "!",
            2 => "?",
            3 => "!!",
            4 => "??",
            5 => "!?",
            6 => "?!",
            7 => "□",
            10 => "=",
            13 => "∞",
            14 => "⩲",
            15 => "⩱",
            16 => "±",
            17 => "∓",
            18 => "+-",
            19 => "-+",
            146 => "N",
            _ => return None,
        })
    }

    /// The glyph for a symbol used in print, as returned by [`Nag::symbol`] or in one of the usual ASCII
    /// spellings: `+=` and `+/=`, `=+` and `=/+`, `+/-`, `-/+`, `~`.
    pub fn from_symbol(text: &str) -> Option<Nag> {
        Some(match text {
            "!" => Nag::GOOD_MOVE,
            "?" => Nag::MISTAKE,
            "!!" => Nag::BRILLIANT_MOVE,
            "??" => Nag::BLUNDER,
            "!?" => Nag::SPECULATIVE_MOVE,
            "?!" => Nag::DUBIOUS_MOVE,
            "□" => Nag::ONLY_MOVE,
            "=" => Nag::EVEN,
            "∞" | "~" => Nag::UNCLEAR,
            "⩲" | "+=" | "+/=" => Nag::WHITE_SLIGHTLY_BETTER,
            "⩱" | "=+" | "=/+" => Nag::BLACK_SLIGHTLY_BETTER,
            "±" | "+/-" => Nag::WHITE_BETTER,
            "∓" | "-/+" => Nag::BLACK_BETTER,
            "+-" | "+−" => Nag::WHITE_WINNING,
            "-+" | "−+" => Nag::BLACK_WINNING,
            "N" => Nag::NOVELTY,
            _ => return None,
        })
    }
}

/// Splits a word into a move and the evaluation sign or `N` glued to it, such as `Nf3+-`, `Nf3±` or `Nf3N`. `None` if
/// the word ends with no sign. The longest sign counts; annotation marks such as `!` are not included.
pub(super) fn split_sign(word: &str) -> Option<(&str, Nag)> {
    const LONGEST: usize = 3;
    let starts = word.char_indices().rev().take(LONGEST).map(|(at, _)| at).filter(|&at| at > 0);
    let splits = starts.filter_map(|at| Some((&word[..at], Nag::from_symbol(&word[at..])?)));
    splits.last().filter(|(_, nag)| nag.0 > Nag::DUBIOUS_MOVE.0)
}

/// Writes the PGN form: `$` and the number.
impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = AsciiBuffer::<4>::new();
        text.push(b'$');
        for divisor in [100, 10, 1] {
            if self.0 >= divisor || divisor == 1 {
                text.push(b'0' + self.0 / divisor % 10);
            }
        }
        f.pad(text.as_str())
    }
}

/// Parses the PGN form, or a symbol that [`Nag::from_symbol`] accepts.
impl FromStr for Nag {
    type Err = ParseNagError;

    fn from_str(text: &str) -> Result<Nag, ParseNagError> {
        let number = text.strip_prefix('$').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let numeric = number.and_then(|digits| digits.parse().ok()).map(Nag);
        numeric.or_else(|| Nag::from_symbol(text)).ok_or(ParseNagError)
    }
}

parse_error! {
    /// The error for text that is not a numeric annotation glyph.
    ParseNagError, "invalid glyph: expected $0 to $255, or a symbol such as !, ?! or +="
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_round_trip() {
        let mut with_symbol = 0;
        for nag in (0..=255).map(Nag) {
            if let Some(symbol) = nag.symbol() {
                assert_eq!(Nag::from_symbol(symbol), Some(nag));
                with_symbol += 1;
            }
        }
        assert_eq!(with_symbol, 16);
        assert_eq!(Nag::from_symbol("!!!"), None);
    }

    #[test]
    fn signs_are_split_from_moves() {
        for (word, mv, nag) in [
            ("Nf3+-", "Nf3", Nag::WHITE_WINNING),
            ("Nf3++-", "Nf3+", Nag::WHITE_WINNING),
            ("Nf3+/-", "Nf3", Nag::WHITE_BETTER),
            ("Nf3±", "Nf3", Nag::WHITE_BETTER),
            ("e8=Q=", "e8=Q", Nag::EVEN),
            ("Nf3=+", "Nf3", Nag::BLACK_SLIGHTLY_BETTER),
            ("Nf3N", "Nf3", Nag::NOVELTY),
            ("♘f3□", "♘f3", Nag::ONLY_MOVE),
        ] {
            assert_eq!(split_sign(word), Some((mv, nag)), "{word}");
        }
        for word in ["", "N", "=", "+-", "Nf3", "Nf3+", "Nf3-", "Nf3!"] {
            assert_eq!(split_sign(word), None, "{word}");
        }
    }

    #[test]
    fn numbers_round_trip() {
        for nag in (0..=255).map(Nag) {
            assert_eq!(nag.to_string().parse(), Ok(nag));
        }
        assert_eq!("?!".parse(), Ok(Nag::DUBIOUS_MOVE));
        assert_eq!([0, 10, 105].map(|number| format!("{:>5}", Nag(number))), ["   $0", "  $10", " $105"]);
        for bad in ["", "$", "$256", "$+1", "1", "!!!"] {
            assert_eq!(bad.parse::<Nag>(), Err(ParseNagError), "{bad}");
        }
    }
}
