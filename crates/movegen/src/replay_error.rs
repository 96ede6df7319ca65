use crate::{Position, ResolveSanError};
use alloc::string::String;
use alloc::string::ToString;
use core::fmt;
use tabiya_core::notation::{Location, PgnError, PgnErrorKind, San};
use tabiya_core::{Color, FenError};

/// Why a game in PGN cannot be played through.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReplayError {
    /// Where in the text; `None` if the game did not come from a text.
    pub place: Option<Location>,
    /// What is wrong.
    pub kind: ReplayErrorKind,
}

/// What can be wrong with a game in PGN.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReplayErrorKind {
    /// The text cannot be read.
    Pgn(PgnErrorKind),
    /// The game starts from a position that cannot be read, or is none.
    Start {
        /// The tag `FEN`.
        fen: String,
        /// What is wrong with it.
        error: FenError,
    },
    /// A move cannot be played.
    Move {
        /// The position it should be played in.
        fen: String,
        /// The move.
        san: San,
        /// Why it cannot.
        error: ResolveSanError,
    },
    /// There is no game in the text.
    NoGame,
}

impl ReplayError {
    #[cold]
    pub(crate) fn illegal(position: &Position, san: San, error: ResolveSanError) -> ReplayError {
        let kind = ReplayErrorKind::Move { fen: position.to_string(), san, error };
        ReplayError { place: None, kind }
    }

    /// The same error with its place.
    #[cfg(feature = "std")]
    pub(crate) fn at(self, place: Location) -> ReplayError {
        ReplayError { place: Some(place), ..self }
    }
}

impl From<PgnError> for ReplayError {
    fn from(error: PgnError) -> ReplayError {
        ReplayError { place: Some(error.location), kind: ReplayErrorKind::Pgn(error.kind) }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(place) => write!(f, "bad game, {place}: {}", self.kind),
            None => write!(f, "bad game: {}", self.kind),
        }
    }
}

impl fmt::Display for ReplayErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayErrorKind::Pgn(error) => fmt::Display::fmt(error, f),
            ReplayErrorKind::Start { fen, error } => write!(f, "it cannot start from {fen:?}: {error}"),
            ReplayErrorKind::Move { fen, san, error } => {
                write!(f, "{}{san} cannot be played: {error}; the position is {fen}", Turn(fen))
            }
            ReplayErrorKind::NoGame => f.write_str("there is no game in the text"),
        }
    }
}

/// The number of the next move as PGN writes it: `12. ` or `12... `.
struct Turn<'a>(&'a str);

impl fmt::Display for Turn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(position) = Position::from_fen(self.0) else { return Ok(()) };
        let dots = if position.side_to_move() == Color::White { "." } else { "..." };
        write!(f, "{}{dots} ", position.fullmove_number())
    }
}

impl core::error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            ReplayErrorKind::Pgn(PgnErrorKind::InvalidMove(error)) => Some(error),
            ReplayErrorKind::Start { error, .. } => Some(error),
            ReplayErrorKind::Move { error, .. } => Some(error),
            _ => None,
        }
    }
}
