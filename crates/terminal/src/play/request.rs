//! Parser of the user's commands and moves.

use super::level::{self, InvalidLevel};
use crate::message::quote;
use std::fmt;
use tabiya_core::Move;
use tabiya_core::notation::UciMove;
use tabiya_movegen::{Position, ResolveSanError, ResolveUciError};

/// A command or move of the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Request<'a> {
    Empty,
    Move(Move),
    Undo,
    Redo,
    Hint,
    Flip,
    Switch,
    Resign,
    Draw,
    /// A new level: an Elo rating, or `None` for full strength.
    Level(Option<u16>),
    Moves,
    Score,
    Report,
    Board,
    Fen,
    Save(&'a str),
    New,
    Help,
    Quit,
}

/// The reason why a line is not a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RequestError {
    /// Neither a command nor a legal move in SAN.
    San(String, ResolveSanError),
    /// A move in coordinates, but not a legal one.
    Uci(String, ResolveUciError),
    /// `save` without a file name.
    NoFile,
    /// `level` without a valid one.
    Level(InvalidLevel),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::San(text, ResolveSanError::Syntax(_)) => {
                write!(f, "{} is neither a move nor a command. Type help for a list.", quote(text))
            }
            RequestError::San(text, error) => write!(f, "{}: {error}.", quote(text)),
            RequestError::Uci(text, error) => write!(f, "{}: {error}.", quote(text)),
            RequestError::Level(error) => error.fmt(f),
            RequestError::NoFile => f.write_str("Missing file name. Type save FILE."),
        }
    }
}

impl<'a> Request<'a> {
    /// Parses a line.
    ///
    /// # Errors
    /// If it is neither a command nor a legal move.
    pub(super) fn parse(line: &'a str, position: &Position) -> Result<Request<'a>, RequestError> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(match (command.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => Request::Empty,
            ("save", file) => match file.trim_matches('"').trim() {
                "" => return Err(RequestError::NoFile),
                file => Request::Save(file),
            },
            ("level" | "elo", level) => Request::Level(level::parse(level).map_err(RequestError::Level)?),
            (_, rest) if !rest.is_empty() => Request::Move(parse_move(line, position)?),
            ("undo" | "u", _) => Request::Undo,
            ("redo", _) => Request::Redo,
            ("hint", _) => Request::Hint,
            ("flip", _) => Request::Flip,
            ("switch", _) => Request::Switch,
            ("resign", _) => Request::Resign,
            ("draw", _) => Request::Draw,
            ("moves", _) => Request::Moves,
            ("score", _) => Request::Score,
            ("report", _) => Request::Report,
            ("board", _) => Request::Board,
            ("fen", _) => Request::Fen,
            ("new", _) => Request::New,
            ("help" | "?", _) => Request::Help,
            ("quit" | "exit" | "q", _) => Request::Quit,
            _ => Request::Move(parse_move(line, position)?),
        })
    }
}

/// Parses a move in coordinates or SAN, also with its number. The piece letter may be in lower case unless that means a pawn move.
fn parse_move(text: &str, position: &Position) -> Result<Move, RequestError> {
    let after_digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = if after_digits.starts_with('.') { after_digits.trim_start_matches(['.', ' ']) } else { text };
    if let Ok(uci) = text.parse::<UciMove>() {
        return position.resolve_uci(uci).map_err(|error| RequestError::Uci(text.to_owned(), error));
    }
    position.parse_san(text).or_else(|error| {
        // `nf3` for `Nf3`, and `bc4` for `Bc4` because no pawn move matched.
        let mut chars = text.chars();
        let capital = chars.next().filter(|c| "nbrqk".contains(*c)).map(|c| c.to_ascii_uppercase());
        capital
            .and_then(|first| position.parse_san(&format!("{first}{}", chars.as_str())).ok())
            .ok_or_else(|| RequestError::San(text.to_owned(), error))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str, fen: &str) -> Result<String, String> {
        let position: Position = fen.parse().unwrap();
        match Request::parse(text, &position) {
            Ok(Request::Move(mv)) => Ok(position.san(mv).to_string()),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn parses_commands() {
        let position = Position::startpos();
        for (text, request) in [
            ("", Request::Empty),
            (" \r\n", Request::Empty),
            ("Undo\n", Request::Undo),
            ("save my game.pgn ", Request::Save("my game.pgn")),
            ("save \"my game.pgn\"", Request::Save("my game.pgn")),
            ("level 1200", Request::Level(Some(1200))),
            ("elo full", Request::Level(None)),
            ("QUIT", Request::Quit),
            ("?", Request::Help),
        ] {
            assert_eq!(Request::parse(text, &position), Ok(request), "{text:?}");
        }
    }

    #[test]
    fn accepts_common_spellings_of_moves() {
        let start = Position::startpos().to_string();
        for text in ["Nf3", "nf3", "g1f3", "Ng1-f3", "Nf3!?", "1. Nf3", "1.nf3", "1... g1f3"] {
            assert_eq!(mv(text, &start).as_deref(), Ok("Nf3"), "{text}");
        }
        // A lower-case b is a pawn if that is legal, otherwise a bishop.
        let both = "4k3/8/8/2p5/1P6/3B4/8/4K3 w - - 0 1";
        assert_eq!(mv("bxc5", both).as_deref(), Ok("bxc5"));
        assert_eq!(mv("bc4", both).as_deref(), Ok("Bc4"));
        let castle = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        for text in ["O-O", "o-o", "0-0", "e1g1", "e1h1"] {
            assert_eq!(mv(text, castle).as_deref(), Ok("O-O"), "{text}");
        }
    }

    #[test]
    fn errors_state_what_is_wrong() {
        let start = Position::startpos().to_string();
        assert_eq!(mv("Nf4", &start).unwrap_err(), "\"Nf4\": no legal move fits.");
        assert_eq!(mv("e2e5", &start).unwrap_err(), "\"e2e5\": e2e5 is not a legal move here.");
        let message = "\"hello you\" is neither a move nor a command. Type help for a list.";
        assert_eq!(mv("hello you", &start).unwrap_err(), message);
    }
}
