//! End games: results that are known, and advantages that cannot be won with.

mod bare_king;
mod kpk;
mod pawn_against_piece;
mod scale;

pub(crate) use scale::{FULL, scale};

use tabiya_core::{Board, Color, PieceType, Square, VALUE_DRAW, Value};
use tabiya_movegen::Position;

/// With more pieces than this on the board, nothing is known unless one king is bare.
const MOST_PIECES: u32 = 4;

/// Computes what [`known`] looks up, so that no search has to wait for it.
pub(crate) fn prepare() {
    kpk::prepare();
}

/// The value of an end game that is known, from White's point of view.
#[inline(always)]
pub(crate) fn known(position: &Position) -> Option<Value> {
    let board = position.board();
    let is_one_bare = Color::ALL.into_iter().any(|color| !board.by_color(color).more_than_one());
    if is_one_bare || board.occupied().count() <= MOST_PIECES { looked_up(position) } else { None }
}

#[cold]
fn looked_up(position: &Position) -> Option<Value> {
    let board = position.board();
    for weaker in Color::ALL {
        if !board.by_color(weaker).more_than_one() {
            let value = against_bare_king(position, !weaker)?;
            return Some(for_white(!weaker, value));
        }
    }
    if position.is_dead() {
        return Some(VALUE_DRAW);
    }
    Color::ALL.into_iter().find_map(|stronger| {
        pawn_against_piece::value(board, stronger).map(|value| for_white(stronger, value))
    })
}

fn for_white(color: Color, value: Value) -> Value {
    if color == Color::White { value } else { -value }
}

/// The value for the side that faces a bare king.
fn against_bare_king(position: &Position, stronger: Color) -> Option<Value> {
    let board = position.board();
    if position.is_dead() {
        return Some(VALUE_DRAW);
    }
    let own = board.by_color(stronger);
    let pawns = board.pieces(stronger, PieceType::Pawn);
    if own.count() == 2 && pawns.any() {
        return Some(king_and_pawn(board, stronger, pawns.first()?));
    }
    bare_king::value(board, stronger)
}

/// King and pawn against king, which is known move for move.
fn king_and_pawn(board: &Board, stronger: Color, pawn: Square) -> Value {
    /// Less than any other win: the pawn must still be promoted, and by then it is a queen.
    const WON: Value = 1000;
    let turned = |square: Square| square.relative_to(stronger);
    let strong_to_move = board.side_to_move() == stronger;
    let (king, other, pawn) = (turned(board.king(stronger)), turned(board.king(!stronger)), turned(pawn));
    if kpk::is_won(strong_to_move, king, pawn, other) {
        WON + 20 * pawn.rank() as Value - 4 * Value::from(king.distance(pawn))
    } else {
        VALUE_DRAW
    }
}

/// Twice the distance from the middle of the board, 0 to 6 in either direction: 0 in the centre, 12 in a corner.
fn from_centre(square: Square) -> Value {
    let from_middle = |index: usize| (2 * index as Value - 7).abs() - 1;
    from_middle(square.file().index()) + from_middle(square.rank().index())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known_value(fen: &str) -> Option<Value> {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        known(&position)
    }

    #[test]
    fn nothing_to_win_with() {
        for fen in [
            "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KB3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
            "8/8/3bk3/8/8/3KB3/8/8 w - - 0 1",
        ] {
            assert_eq!(known_value(fen), Some(0), "{fen}");
        }
        assert_eq!(known_value("8/8/3bk3/8/8/3K1B2/8/8 w - - 0 1"), None, "one could help the other to mate");
    }

    #[test]
    fn king_and_pawn_against_king() {
        assert_eq!(
            known_value("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"),
            known_value("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1")
        );
        assert!(known_value("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1") > Some(900));
        assert_eq!(known_value("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"), Some(0), "the opposition");
        let turned_round = known_value("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1").map(|value| -value);
        assert_eq!(turned_round, known_value("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"));
        assert_eq!(known_value("k7/8/K7/P7/8/8/8/8 w - - 0 1"), Some(0), "a rook pawn");
    }

    #[test]
    fn corners_are_far_from_the_centre() {
        assert_eq!(from_centre(Square::E4), 0);
        assert_eq!(from_centre(Square::A8), 12);
        assert_eq!(from_centre(Square::A4), 6);
    }
}
