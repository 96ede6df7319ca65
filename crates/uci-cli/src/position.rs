//! Setting up positions from protocol commands and the command line.

use crate::message::quote;
use std::fmt;
use tabiya_core::FenError;
use tabiya_movegen::{Game, IllegalMove, Position, ResolveUciError};

/// The reason why a position could not be set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PositionError {
    /// The FEN is invalid, or the position is illegal.
    Fen(FenError),
    /// A move of the list is invalid or illegal.
    Move {
        /// Index in the list, from 1.
        number: usize,
        text: String,
        error: ResolveUciError,
    },
    /// The game refused a legal move.
    Refused(IllegalMove),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Fen(error) => error.fmt(f),
            PositionError::Move { number, text, error } => {
                write!(f, "move {number}, {}: {error}", quote(text))
            }
            PositionError::Refused(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PositionError {}

/// Sets up a FEN, or the start position for `None`, and plays moves in UCI notation.
///
/// # Errors
/// If the FEN or a move is invalid.
pub(crate) fn set_up(fen: Option<&str>, moves: &str) -> Result<Game, PositionError> {
    let start = match fen {
        None => Position::startpos(),
        Some(fen) => Position::from_fen(fen).map_err(PositionError::Fen)?,
    };
    let mut game = Game::from_position(start);
    play(&mut game, moves)?;
    Ok(game)
}

/// Plays a list of moves in UCI notation.
///
/// # Errors
/// If a move is invalid. The moves before it have been played.
pub(crate) fn play(game: &mut Game, moves: &str) -> Result<(), PositionError> {
    for (index, text) in moves.split_whitespace().enumerate() {
        let mv = game.position().parse_uci(text).map_err(|error| PositionError::Move {
            number: index + 1,
            text: text.to_owned(),
            error,
        })?;
        game.play(mv).map_err(PositionError::Refused)?;
    }
    Ok(())
}

/// Mirrors the position vertically and swaps the colours. The evaluation for the side to move must stay the
/// same, which makes this a test of evaluation functions.
///
/// # Errors
/// If the new FEN is invalid, which does not happen for a legal position.
pub(crate) fn flipped(position: &Position) -> Result<Position, FenError> {
    let fen = position.to_string();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let swap = |c: char| match c {
        c if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
        c => c.to_ascii_uppercase(),
    };
    if let [placement, side, castling, en_passant, ..] = &mut fields[..] {
        let ranks: Vec<&str> = placement.rsplit('/').collect();
        *placement = ranks.join("/").chars().map(swap).collect();
        *side = if side == "w" { "b" } else { "w" }.to_owned();
        let mut rights: Vec<char> = castling.chars().map(swap).collect();
        // White's rights first.
        rights.sort_by_key(|c| c.is_ascii_lowercase());
        *castling = rights.into_iter().collect();
        *en_passant = en_passant.replace('3', "*").replace('6', "3").replace('*', "6");
    }
    Position::from_fen(&fields.join(" "))
}

/// Parses the position of a command line: the fields of a FEN as one or several arguments, or `startpos` or
/// nothing for the start position.
///
/// # Errors
/// If the FEN is invalid.
pub(crate) fn from_args(args: &[String]) -> Result<Position, FenError> {
    let fen = args.join(" ");
    match fen.trim() {
        "" | "startpos" => Ok(Position::startpos()),
        fen => Position::from_fen(fen),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(fen: Option<&str>, moves: &str) -> String {
        set_up(fen, moves).unwrap_err().to_string()
    }

    #[test]
    fn sets_up_games() {
        let game = set_up(None, "e2e4  e7e5 g1f3").unwrap();
        assert_eq!(game.moves().len(), 3);
        let fen = Some("4k3/8/8/8/8/8/8/4K2R w K -");
        for castling in ["e1g1", "e1h1"] {
            let game = set_up(fen, castling).unwrap();
            assert_eq!(game.position().to_string(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
        }
    }

    #[test]
    fn errors_state_what_is_wrong_and_where() {
        assert_eq!(message(None, "e2e4 e2e4"), r#"move 2, "e2e4": there is no piece on e2"#);
        assert_eq!(
            message(None, "e2e9"),
            r#"move 1, "e2e9": not a move: characters 3-4 are not a square (expected a1 to h8)"#
        );
        assert_eq!(
            message(Some("4k3/8/8/9/8/8/8/4K3 w - - 0 1"), ""),
            "invalid FEN, piece placement, byte 8: unexpected '9' (expected one of PNBRQKpnbrqk, a digit 1-8 or a slash)"
        );
        assert!(message(Some(""), "").contains("the field is missing"));
        assert!(message(Some("8/8/8/8/8/8/8/8 w - - 0 1"), "").contains("no king"));
    }

    #[test]
    fn parses_command_line_positions() {
        let fields = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(from_args(&fields(fen)).unwrap().to_string(), fen);
        assert_eq!(from_args(&[fen.to_owned()]).unwrap().to_string(), fen);
        assert_eq!(from_args(&[]).unwrap(), Position::startpos());
        assert_eq!(from_args(&fields("startpos")).unwrap(), Position::startpos());
        assert!(from_args(&fields("e4 e5")).is_err());
    }

    #[test]
    fn flipping_twice_restores_the_position() {
        for (fen, flipped_fen) in [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQq - 3 8",
                "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b Qkq - 3 8",
            ),
            ("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", "4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1"),
        ] {
            let position: Position = fen.parse().unwrap();
            let other = flipped(&position).unwrap();
            assert_eq!(other.to_string(), flipped_fen);
            assert_eq!(flipped(&other).unwrap(), position);
        }
    }
}
