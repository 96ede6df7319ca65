//! Errors from replaying PGN games.

use crate::position::Position;
use crate::resolve::ResolveSanError;
use alloc::string::String;
use alloc::string::ToString;
#[cfg(feature = "std")]
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "std")]
use tabiya_core::notation::Next;
use tabiya_core::notation::{Excerpt, Location, PgnError, PgnErrorKind, San};
use tabiya_core::{Color, FenError};

/// Error in a PGN game, found while replaying its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReplayError {
    /// The location in the text; `None` if the game was not parsed from text.
    pub location: Option<Location>,
    /// The kind of error.
    pub kind: ReplayErrorKind,
    /// True if the rest of the game is left out, because its main line cannot be continued.
    pub ends_game: bool,
}

/// The kind of a [`ReplayError`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReplayErrorKind {
    /// A syntax error, and the beginning of the invalid element.
    Pgn(PgnErrorKind, Excerpt),
    /// The `Variant` tag names a variant other than chess and Chess960. Its moves are not replayed.
    Variant(String),
    /// The `FEN` tag is not a legal position.
    Start {
        /// The value of the tag.
        fen: String,
        /// The error in it.
        error: FenError,
    },
    /// A castling right or an en-passant square in the `FEN` tag contradicts the pieces. The game is replayed without it.
    Dropped(FenError),
    /// A move cannot be played.
    Move {
        /// FEN of the position before the move.
        fen: String,
        /// The move.
        san: San,
        /// The reason.
        error: ResolveSanError,
    },
    /// The text is a FEN instead of a game, but not a valid one.
    Fen(FenError),
    /// The text contains no game: it is empty, or has errors but neither a tag nor a move.
    NoGame,
}

impl ReplayErrorKind {
    /// Returns true if the game cannot be replayed at all. Otherwise its main line is replayed up to the first illegal move,
    /// and what cannot be understood is skipped.
    pub fn prevents_replay(&self) -> bool {
        use ReplayErrorKind::{Dropped, Move, Pgn};
        !matches!(self, Pgn(..) | Dropped(_) | Move { .. })
    }
}

impl From<ReplayErrorKind> for ReplayError {
    fn from(kind: ReplayErrorKind) -> ReplayError {
        ReplayError { location: None, kind, ends_game: false }
    }
}

impl ReplayError {
    #[cold]
    pub(crate) fn illegal(position: &Position, san: San, error: ResolveSanError) -> ReplayError {
        ReplayErrorKind::Move { fen: position.to_string(), san, error }.into()
    }

    /// Reads the position of a text that is a FEN instead of a PGN game; `None` if it is not.
    ///
    /// The first field of a FEN has eight ranks, so even one with an error in it cannot be taken for movetext.
    #[cfg(feature = "std")]
    pub(crate) fn start_from_fen(text: &str) -> Option<Result<Position, ReplayError>> {
        let placement = text.split_whitespace().next().filter(|field| field.matches('/').count() == 7)?;
        let is_placement = placement.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'/');
        let at_start = |error| ReplayErrorKind::Fen(error).into();
        is_placement.then(|| Position::from_fen(text).map_err(at_start))
    }

    /// The error of a visitor that reads on as `next` says.
    #[cfg(feature = "std")]
    pub(crate) fn followed_by(self, next: Next) -> ReplayError {
        ReplayError { ends_game: next == Next::Skip, ..self }
    }

    /// Adds the location.
    #[cfg(feature = "std")]
    pub(crate) fn at(self, location: Location) -> ReplayError {
        ReplayError { location: Some(location), ..self }
    }
}

/// Returns true if the text that a reader does not understand is the beginning of a FEN, of at least 15 characters.
///
/// Before the first move the rest must not be read: the square of an en passant capture, or a move of an EPD operation, would be
/// played from the start position.
#[cfg(feature = "std")]
pub(crate) fn begins_fen(error: &PgnError) -> bool {
    let word = error.token.as_str();
    word.len() >= "8/8/8/8/8/8/8/8".len()
        && word.contains('/')
        && word.bytes().all(|byte| b"pnbrqkPNBRQK12345678/".contains(&byte))
}

/// The errors of a game in the order of the text.
#[cfg(feature = "std")]
#[derive(Debug, Default)]
pub(crate) struct ReplayErrors(pub(crate) Vec<ReplayError>);

#[cfg(feature = "std")]
impl ReplayErrors {
    /// The maximum number of errors that are kept, so that a text full of errors needs little memory.
    const MAX: usize = 1_000;

    pub(crate) fn push(&mut self, error: ReplayError) {
        if self.0.len() < ReplayErrors::MAX {
            self.0.push(error);
        }
    }

    /// Says first that a text with errors, but neither a tag nor a move, contains no game.
    pub(crate) fn report_no_game(&mut self) {
        if let Some(first) = self.0.first() {
            let location = first.location;
            self.0.insert(0, ReplayError { location, ..ReplayErrorKind::NoGame.into() });
        }
    }
}

impl From<PgnError> for ReplayError {
    fn from(error: PgnError) -> ReplayError {
        let PgnError { location, token, kind } = error;
        ReplayError { location: Some(location), ..ReplayErrorKind::Pgn(kind, token).into() }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.location, &self.kind) {
            (_, kind @ ReplayErrorKind::Fen(_)) => fmt::Display::fmt(kind, f),
            (Some(location), kind @ ReplayErrorKind::Pgn(_, token)) => {
                write!(f, "invalid game, {location}, at {token:?}: {kind}")
            }
            (Some(location), kind) => write!(f, "invalid game, {location}: {kind}"),
            (None, kind) => write!(f, "invalid game: {kind}"),
        }
    }
}

impl fmt::Display for ReplayErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayErrorKind::Pgn(error, _) => fmt::Display::fmt(error, f),
            ReplayErrorKind::Variant(name) => {
                write!(f, "a game of the variant {name:?} (expected chess or Chess960)")
            }
            ReplayErrorKind::Start { fen, error } => write!(f, "invalid FEN tag {fen:?}: {error}"),
            ReplayErrorKind::Dropped(error) => write!(f, "FEN tag: {error}; ignored"),
            ReplayErrorKind::Move { fen, san, error } => {
                write!(f, "{}{san} cannot be played: {error}; the position is {fen}", MoveNumber(fen))
            }
            ReplayErrorKind::Fen(error) => fmt::Display::fmt(error, f),
            ReplayErrorKind::NoGame => f.write_str("the text contains no game"),
        }
    }
}

/// Writes the number of the next move in this FEN as PGN does: `12. ` or `12... `.
struct MoveNumber<'a>(&'a str);

impl fmt::Display for MoveNumber<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(position) = Position::from_fen(self.0) else { return Ok(()) };
        let dots = if position.side_to_move() == Color::White { "." } else { "..." };
        write!(f, "{}{dots} ", position.fullmove_number())
    }
}

impl core::error::Error for ReplayError {}
