//! [`UciMove`]: moves in the coordinate notation of the UCI protocol.

use crate::ascii_buffer::AsciiBuffer;
use crate::{File, Move, PieceType, Rank, Square};
use core::fmt;
use core::str::FromStr;

/// A move in the coordinate notation of the UCI protocol, such as `e2e4`, `e7e8q` or `0000`.
///
/// ```
/// use tabiya_core::notation::UciMove;
/// use tabiya_core::{PieceType, Square};
///
/// let mv: UciMove = "a7a8n".parse()?;
/// assert_eq!(
///     mv,
///     UciMove::Normal { from: Square::A7, to: Square::A8, promotion: Some(PieceType::Knight) }
/// );
/// assert_eq!(mv.to_string(), "a7a8n");
/// # Ok::<(), tabiya_core::notation::ParseUciMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UciMove {
    /// A move from one square to another.
    Normal {
        /// The square the piece moves from.
        from: Square,
        /// The square the piece moves to. Castling is written either as the king's move of two files or as
        /// "king takes rook".
        to: Square,
        /// The type a pawn promotes to.
        promotion: Option<PieceType>,
    },
    /// The null move, `0000`.
    Null,
}

impl Move {
    /// Returns the move in UCI notation. With `chess960`, castling is written as "king takes rook" (`e1h1`),
    /// otherwise as the king's two-square move (`e1g1`). In Chess960 the latter may be a king step of one square, which is
    /// another move, or of none.
    pub const fn to_uci(self, chess960: bool) -> UciMove {
        let to = if chess960 { self.to() } else { self.destination() };
        UciMove::Normal { from: self.from(), to, promotion: self.promotion() }
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UciMove::Normal { from, to, promotion } = *self else { return f.pad("0000") };
        let mut text = AsciiBuffer::<5>::new();
        text.push_square(from);
        text.push_square(to);
        if let Some(piece) = promotion {
            text.push(piece.to_char() as u8);
        }
        f.pad(text.as_str())
    }
}

impl FromStr for UciMove {
    type Err = ParseUciMoveError;

    /// Parses a move. The promotion letter may be in either case.
    fn from_str(text: &str) -> Result<UciMove, ParseUciMoveError> {
        if text == "0000" {
            return Ok(UciMove::Null);
        }
        let mut chars = text.chars();
        let mut square = |error| {
            let file = chars.next().and_then(File::from_char).ok_or(error)?;
            let rank = chars.next().and_then(Rank::from_char).ok_or(error)?;
            Ok(Square::new(file, rank))
        };
        let from = square(ParseUciMoveError::From)?;
        let to = square(ParseUciMoveError::To)?;
        let promotion = match chars.next() {
            None => None,
            Some(letter) => {
                let piece = PieceType::from_char(letter)
                    .filter(|piece| PieceType::PROMOTIONS.contains(piece))
                    .ok_or(ParseUciMoveError::Promotion)?;
                Some(piece)
            }
        };
        match chars.next() {
            None => Ok(UciMove::Normal { from, to, promotion }),
            Some(_) => Err(ParseUciMoveError::TooLong),
        }
    }
}

/// The reason why a text is not a move in UCI notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseUciMoveError {
    /// The first two characters are not a square.
    From,
    /// The third and fourth characters are not a square.
    To,
    /// The fifth character is not one of `n b r q`.
    Promotion,
    /// There are more than five characters.
    TooLong,
}

impl fmt::Display for ParseUciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseUciMoveError::From => "characters 1-2 are not a square (expected a1 to h8)",
            ParseUciMoveError::To => "characters 3-4 are not a square (expected a1 to h8)",
            ParseUciMoveError::Promotion => "character 5 is not a promotion piece (expected n, b, r or q)",
            ParseUciMoveError::TooLong => "more than 5 characters (expected 4 or 5, as in e7e8q)",
        })
    }
}

impl core::error::Error for ParseUciMoveError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uci_moves_round_trip() {
        for text in ["e2e4", "a7a8q", "h2h1n", "0000", "e1h1"] {
            assert_eq!(text.parse::<UciMove>().unwrap().to_string(), text);
        }
        assert_eq!("a7a8Q".parse::<UciMove>().unwrap().to_string(), "a7a8q");
        for (text, padded) in [("e2e4", "e2e4  |"), ("a7a8n", "a7a8n |"), ("0000", "0000  |")] {
            assert_eq!(format!("{:<6}|", text.parse::<UciMove>().unwrap()), padded);
        }
    }

    #[test]
    fn rejects_malformed_moves() {
        for (text, error) in [
            ("", ParseUciMoveError::From),
            ("e", ParseUciMoveError::From),
            ("i2e4", ParseUciMoveError::From),
            ("e2", ParseUciMoveError::To),
            ("e2é4", ParseUciMoveError::To),
            ("e7e8k", ParseUciMoveError::Promotion),
            ("e7e8p", ParseUciMoveError::Promotion),
            ("e7e8qq", ParseUciMoveError::TooLong),
            ("P@e4", ParseUciMoveError::From),
        ] {
            assert_eq!(text.parse::<UciMove>(), Err(error), "{text}");
        }
    }
}
