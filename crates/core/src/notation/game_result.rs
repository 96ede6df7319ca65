use core::fmt;
use core::str::FromStr;

/// How a game ended, as PGN writes it: in the tag `Result` and at the end of the moves.
///
/// Why it ended is not part of the notation; `tabiya-movegen` has an `Outcome` with reasons.
///
/// ```
/// use tabiya_core::notation::GameResult;
///
/// assert_eq!("1/2-1/2".parse(), Ok(GameResult::Draw));
/// assert_eq!(GameResult::WhiteWins.to_string(), "1-0");
/// assert!("2-0".parse::<GameResult>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game goes on, was abandoned, or nobody knows.
    #[default]
    Unknown,
}

impl GameResult {
    /// The text PGN uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// Reads the standard's four texts and the variants `1/2`, `½` and `½-½`.
    pub(crate) fn from_bytes(text: &[u8]) -> Option<GameResult> {
        match text {
            b"1-0" => Some(GameResult::WhiteWins),
            b"0-1" => Some(GameResult::BlackWins),
            b"1/2-1/2" | b"1/2" => Some(GameResult::Draw),
            b"*" => Some(GameResult::Unknown),
            _ if text == "½-½".as_bytes() || text == "½".as_bytes() => Some(GameResult::Draw),
            _ => None,
        }
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

/// The text is none of `1-0`, `0-1`, `1/2-1/2` and `*`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseGameResultError;

impl fmt::Display for ParseGameResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a result: expected 1-0, 0-1, 1/2-1/2 or *")
    }
}

impl core::error::Error for ParseGameResultError {}
