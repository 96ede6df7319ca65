//! [`GameResult`]: the result of a game in PGN.

use super::decode;
use crate::parse_error::parse_error;
use core::fmt;
use core::str::FromStr;

/// The result of a game, as written in the PGN tag `Result` and at the end of the movetext.
///
/// PGN does not record the reason; `Outcome` of `tabiya-movegen` does. Other spellings such as `1:0`, `1 - 0`, `0.5-0.5`,
/// `½` and `Draw` are read, too.
///
/// ```
/// use tabiya_core::notation::GameResult;
///
/// assert_eq!("1/2-1/2".parse(), Ok(GameResult::Draw));
/// assert_eq!(GameResult::WhiteWins.to_string(), "1-0");
/// assert!("2-0".parse::<GameResult>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game is in progress or abandoned, or the result is unknown.
    #[default]
    Unknown,
}

impl GameResult {
    /// The PGN text, such as `1-0`.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// Parses the four texts of the standard and other common spellings.
    pub(crate) fn from_bytes(text: &[u8]) -> Option<GameResult> {
        match text {
            b"1-0" => Some(GameResult::WhiteWins),
            b"0-1" => Some(GameResult::BlackWins),
            b"1/2-1/2" => Some(GameResult::Draw),
            b"*" => Some(GameResult::Unknown),
            _ => lenient(&decode(text)),
        }
    }
}

/// Parses `draw`, half a point alone, and two scores with a colon or any dash between them, also with spaces. `0-0` is none of
/// these, because in a game it may be castling.
fn lenient(text: &str) -> Option<GameResult> {
    let half_points = |score: &str| match score.trim() {
        "0" => Some(0),
        "½" | "1/2" | "0.5" | "0,5" => Some(1),
        "1" => Some(2),
        _ => None,
    };
    if text.eq_ignore_ascii_case("draw") || half_points(text) == Some(1) {
        return Some(GameResult::Draw);
    }
    let (white, black) = text.split_once([':', '-', '‐', '‑', '–', '—', '−'])?;
    match (half_points(white)?, half_points(black)?) {
        (2, 0) => Some(GameResult::WhiteWins),
        (0, 2) => Some(GameResult::BlackWins),
        (1, 1) => Some(GameResult::Draw),
        _ => None,
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for GameResult {
    type Err = ParseGameResultError;

    fn from_str(text: &str) -> Result<GameResult, ParseGameResultError> {
        GameResult::from_bytes(text.as_bytes()).ok_or(ParseGameResultError)
    }
}

parse_error! {
    /// The error for text that is not a game result.
    ParseGameResultError, "invalid result: expected 1-0, 0-1, 1/2-1/2 or *"
}
