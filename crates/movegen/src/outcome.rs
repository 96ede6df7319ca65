//! Outcomes of games: the winner or a draw, and the reason.

use alloc::format;
use core::fmt;
use core::str::FromStr;
use tabiya_core::Color;
use tabiya_core::notation::GameResult;

/// The outcome of a finished game, with its reason.
///
/// ```
/// use tabiya_core::Color;
/// use tabiya_movegen::{Outcome, WinReason};
///
/// let outcome = Outcome::Win { winner: Color::Black, reason: WinReason::Checkmate };
/// assert_eq!(outcome.to_string(), "0-1 (checkmate)");
/// assert_eq!("0-1 (checkmate)".parse(), Ok(outcome));
/// assert_eq!(outcome.result(), "0-1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// One side has won.
    Win {
        /// The side that has won.
        winner: Color,
        /// The reason.
        reason: WinReason,
    },
    /// The game is drawn.
    Draw {
        /// The reason.
        reason: DrawReason,
    },
}

/// Defines an enum of reasons with the text that each is written as and parsed from.
macro_rules! reasons {
    ($(#[$attribute:meta])* $name:ident { $($(#[$doc:meta])* $reason:ident = $text:literal,)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* $reason,)*
        }

        impl $name {
            #[cfg(test)]
            const ALL: &[$name] = &[$($name::$reason),*];
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self {
                    $($name::$reason => $text,)*
                })
            }
        }

        /// Parses the text that `Display` writes.
        impl FromStr for $name {
            type Err = ParseOutcomeError;

            fn from_str(text: &str) -> Result<$name, ParseOutcomeError> {
                match text {
                    $($text => Ok($name::$reason),)*
                    _ => Err(ParseOutcomeError::Reason),
                }
            }
        }
    };
}

reasons! {
    /// The reason why a side has won.
    WinReason {
        /// The loser is checkmated.
        Checkmate = "checkmate",
        /// The loser has resigned.
        Resignation = "resignation",
        /// The loser's time is up.
        Time = "time",
        /// The loser broke the rules or stopped playing.
        Forfeit = "forfeit",
        /// An arbiter's or a referee program's decision.
        Adjudication = "adjudication",
    }
}

reasons! {
    /// The reason why a game is drawn.
    DrawReason {
        /// The side to move has no legal move and is not in check.
        Stalemate = "stalemate",
        /// Neither side can ever give mate.
        DeadPosition = "dead position",
        /// The position has occurred three times, and a player has claimed the draw.
        Repetition = "threefold repetition",
        /// The position has occurred five times.
        FivefoldRepetition = "fivefold repetition",
        /// Fifty moves were played without a capture or pawn move, and a player has claimed the draw.
        FiftyMoves = "fifty-move rule",
        /// Seventy-five moves were played without a capture or pawn move.
        SeventyFiveMoves = "seventy-five-move rule",
        /// The players have agreed on a draw.
        Agreement = "agreement",
        /// A side's time is up, but the other side has no mating material.
        Time = "time against no mating material",
        /// An arbiter's or a referee program's decision.
        Adjudication = "adjudication",
    }
}

impl Outcome {
    /// Returns the winner; `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        match *self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw { .. } => None,
        }
    }

    /// Returns the result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        GameResult::from(*self).as_str()
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome.winner() {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }
}

/// Writes the result with its reason: `1-0 (checkmate)`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = self.result();
        f.pad(&match self {
            Outcome::Win { reason, .. } => format!("{result} ({reason})"),
            Outcome::Draw { reason } => format!("{result} ({reason})"),
        })
    }
}

/// Parses a result with its reason, as `Display` writes it.
impl FromStr for Outcome {
    type Err = ParseOutcomeError;

    fn from_str(text: &str) -> Result<Outcome, ParseOutcomeError> {
        let (result, rest) = text.split_once(' ').ok_or(ParseOutcomeError::Form)?;
        let reason = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let reason = reason.ok_or(ParseOutcomeError::Form)?;
        let win = |winner| Ok(Outcome::Win { winner, reason: reason.parse()? });
        match result.parse() {
            Ok(GameResult::WhiteWins) => win(Color::White),
            Ok(GameResult::BlackWins) => win(Color::Black),
            Ok(GameResult::Draw) => Ok(Outcome::Draw { reason: reason.parse()? }),
            Ok(GameResult::Unknown) | Err(_) => Err(ParseOutcomeError::Form),
        }
    }
}

/// Error from parsing an [`Outcome`], [`WinReason`] or [`DrawReason`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseOutcomeError {
    /// The text is not a result followed by a reason in parentheses.
    Form,
    /// The reason is unknown, or does not suit the result (a win or a draw).
    Reason,
}

impl fmt::Display for ParseOutcomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseOutcomeError::Form => {
                "invalid outcome: expected 1-0, 0-1 or 1/2-1/2 and the reason, as in 1-0 (checkmate)"
            }
            ParseOutcomeError::Reason => {
                "invalid reason: expected one such as checkmate or resignation for a win, stalemate or agreement for a draw"
            }
        })
    }
}

impl core::error::Error for ParseOutcomeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_round_trip() {
        let wins = WinReason::ALL
            .iter()
            .flat_map(|&reason| Color::ALL.map(|winner| Outcome::Win { winner, reason }));
        let draws = DrawReason::ALL.iter().map(|&reason| Outcome::Draw { reason });
        for outcome in wins.chain(draws) {
            assert_eq!(outcome.to_string().parse(), Ok(outcome));
            assert_eq!(format!("{outcome:<45}|"), format!("{:<45}|", outcome.to_string()));
        }
    }

    #[test]
    fn rejects_malformed_outcomes() {
        for (text, error) in [
            ("", ParseOutcomeError::Form),
            ("1-0", ParseOutcomeError::Form),
            ("1-0 checkmate", ParseOutcomeError::Form),
            ("* (checkmate)", ParseOutcomeError::Form),
            ("1-0 (stalemate)", ParseOutcomeError::Reason),
            ("1/2-1/2 (checkmate)", ParseOutcomeError::Reason),
            ("0-1 ()", ParseOutcomeError::Reason),
        ] {
            assert_eq!(text.parse::<Outcome>(), Err(error), "{text}");
        }
    }
}
