//! Setting up positions from protocol commands.

use crate::message::quote;
use std::fmt;
use tabiya_core::FenError;
use tabiya_movegen::{Game, Position, ResolveUciError};

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
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Fen(error) => error.fmt(f),
            PositionError::Move { number, text, error } => {
                write!(f, "move {number}, {}: {error}", quote(text))
            }
        }
    }
}

impl std::error::Error for PositionError {}

/// A game set up by a command, with notes about the parts of the FEN that were dropped.
pub(crate) struct SetUp {
    pub(crate) game: Game,
    pub(crate) notes: Vec<String>,
}

/// The text of an error without the introduction of one about an illegal position.
pub(crate) fn reason(error: &impl fmt::Display) -> String {
    let text = error.to_string();
    text.strip_prefix("illegal position: ").unwrap_or(&text).to_owned()
}

/// Sets up a FEN, or the start position for `None`, and plays moves in UCI notation.
///
/// EPD operations after the FEN are ignored. Castling rights and en-passant squares that contradict the pieces are dropped. Without
/// `chess960`, castling rights that exist only there are dropped, too, unless one of the moves needs them.
///
/// # Errors
/// If the FEN or a move is invalid.
pub(crate) fn set_up(fen: Option<&str>, moves: &str, chess960: bool) -> Result<SetUp, PositionError> {
    let (start, notes) = match fen {
        None => (Position::startpos(), Vec::new()),
        Some(fen) => Position::from_fen_lossy(fen).map_err(PositionError::Fen)?,
    };
    let mut notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    if let Some(restricted) = without_chess960_castling(&start).filter(|_| !chess960) {
        let mut game = Game::from_position(restricted);
        let result = play(&mut game, moves);
        // A program that has sent a game of Chess960 without the option still castles in it.
        let mut castling = Game::from_position(start);
        if result.is_err() && play(&mut castling, moves).is_ok() {
            notes.push(
                "castling rights of Chess960 (UCI_Chess960 is false); kept, because a move needs them".into(),
            );
            return Ok(SetUp { game: castling, notes });
        }
        notes.push("castling rights of Chess960 (UCI_Chess960 is false); ignored".to_owned());
        return result.map(|()| SetUp { game, notes });
    }
    let mut game = Game::from_position(start);
    play(&mut game, moves)?;
    Ok(SetUp { game, notes })
}

/// The position without castling rights that exist only in Chess960; `None` if it has none.
fn without_chess960_castling(position: &Position) -> Option<Position> {
    let mut builder = position.board().to_builder();
    builder.drop_chess960_castling();
    if builder.castling == position.castling() {
        return None;
    }
    // A board without some of its castling rights is legal, too.
    Position::from_builder(&builder).ok()
}

/// Returns true if castling has the notation of Chess960: if that is set, or the position needs it.
pub(crate) fn uses_chess960_notation(position: &Position, is_set: bool) -> bool {
    is_set || !position.has_standard_castling()
}

/// Plays a list of moves in UCI notation.
///
/// # Errors
/// If a move is invalid. The moves before it have been played.
pub(crate) fn play(game: &mut Game, moves: &str) -> Result<(), PositionError> {
    for (index, text) in moves.split_whitespace().enumerate() {
        game.play_uci(text).map_err(|error| PositionError::Move {
            number: index + 1,
            text: text.to_owned(),
            error,
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(fen: Option<&str>, moves: &str) -> String {
        set_up(fen, moves, false).map(|set_up| set_up.game).unwrap_err().to_string()
    }

    #[test]
    fn sets_up_games() {
        let game = set_up(None, "e2e4  e7e5 g1f3", false).unwrap().game;
        assert_eq!(game.moves().len(), 3);
        let fen = Some("4k3/8/8/8/8/8/8/4K2R w K -");
        for castling in ["e1g1", "e1h1"] {
            let game = set_up(fen, castling, false).unwrap().game;
            assert_eq!(game.position().to_string(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
        }
    }

    #[test]
    fn drops_rights_that_contradict_the_pieces() {
        let position = |fen, chess960| {
            let SetUp { game, notes } = set_up(Some(fen), "", chess960).unwrap();
            (game.position().to_string(), notes.len())
        };
        let bare = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned();
        assert_eq!(position("4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 1", false), (bare.clone(), 5));
        assert_eq!(position("4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; id \"a b\";", false), (bare.clone(), 1));
        assert_eq!(position("4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm Kd2;", false), (bare.clone(), 1));
        assert_eq!(position(&bare, false), (bare.clone(), 0));
        // The king of a Chess960 game castles in Chess960 only.
        let shuffled = "r1bqk2r/pp1n1p1p/2n1p1pb/2ppP3/5P2/2P3P1/PP1PN1BP/R5K1 w Q - 1 9";
        let without = "r1bqk2r/pp1n1p1p/2n1p1pb/2ppP3/5P2/2P3P1/PP1PN1BP/R5K1 w - - 1 9".to_owned();
        assert_eq!(position(shuffled, false), (without, 1));
        assert_eq!(position(shuffled, true), (shuffled.to_owned(), 0));
        // So does a king with a rook off the corner.
        let inner_rook = "1r2k2r/8/8/8/8/8/8/4K3 b kq - 0 1";
        assert_eq!(position(inner_rook, false), ("1r2k2r/8/8/8/8/8/8/4K3 b k - 0 1".to_owned(), 1));
        assert_eq!(position(inner_rook, true).1, 0);
    }

    #[test]
    fn keeps_rights_of_chess960_that_a_move_needs() {
        let fen = Some("1bqnkrbn/pppppppp/8/8/8/8/PPPPPPPP/RBQ1KR2 w Ff - 0 1");
        let position = |moves| set_up(fen, moves, false).map(|set_up| set_up.game.position().to_string());
        let castled = "1bqnkrbn/pppppppp/8/8/8/8/PPPPPPPP/RBQ2RK1 b k - 1 1";
        for castling in ["e1g1", "e1f1"] {
            assert_eq!(position(castling).unwrap(), castled);
        }
        assert!(position("h2h3").unwrap().contains(" b - "));
        assert_eq!(
            position("e1c1").unwrap_err().to_string(),
            "move 1, \"e1c1\": e1c1 is not a legal move here"
        );
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
}
