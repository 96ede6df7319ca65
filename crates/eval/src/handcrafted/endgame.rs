//! Endgame knowledge: endings with a known result, and scale factors for material that is hard to win with.

mod bare_king;
mod fortress;
mod kpk;
mod pawn_against_piece;
mod queen_against_rook;
mod scale;

pub(super) use scale::{FULL_SCALE, scale_factor};

use crate::evaluate::relative_to;
use tabiya_core::{Board, Color, PieceType, Square, VALUE_DRAW, Value};
use tabiya_movegen::Position;

/// With more pieces than this, kings and pawns included, an ending is only known if one king is bare.
const MAX_PIECES: u32 = 5;

/// Computes the bitbase that [`known_value`] uses, so that no search has to wait for it.
pub(crate) fn prepare() {
    kpk::prepare();
}

/// The value of an ending with a known result, in centipawns from White's point of view; `None` for other
/// positions.
#[inline(always)]
pub(crate) fn known_value(position: &Position) -> Option<Value> {
    let board = position.board();
    let has_bare_king = Color::ALL.into_iter().any(|color| !board.by_color(color).more_than_one());
    if has_bare_king || board.occupied().count() <= MAX_PIECES { look_up(position) } else { None }
}

#[cold]
fn look_up(position: &Position) -> Option<Value> {
    let board = position.board();
    for weaker in Color::ALL {
        if !board.by_color(weaker).more_than_one() {
            let value = against_bare_king(position, !weaker)?;
            return Some(relative_to(!weaker, value));
        }
    }
    if position.is_dead() {
        return Some(VALUE_DRAW);
    }
    if Color::ALL.into_iter().any(|stronger| fortress::holds_against_queen(board, stronger)) {
        return Some(VALUE_DRAW);
    }
    Color::ALL.into_iter().find_map(|stronger| {
        let value = pawn_against_piece::value(board, stronger);
        let value = value.or_else(|| queen_against_rook::value(board, stronger))?;
        Some(relative_to(stronger, value))
    })
}

/// The value for the side that plays against a bare king.
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
    // The king cannot be driven out of a corner that no bishop attacks.
    let bishops = board.pieces(stronger, PieceType::Bishop);
    let has_others = (own - pawns - bishops).more_than_one();
    if pawns.any() && !has_others && scale::is_wrong_corner(board, stronger, pawns) {
        return Some(VALUE_DRAW);
    }
    bare_king::value(board, stronger)
}

/// King and pawn against king (KPK), which the bitbase solves.
fn king_and_pawn(board: &Board, stronger: Color, pawn: Square) -> Value {
    /// Below all other wins against a bare king, because the pawn must still promote.
    const WON: Value = 1000;
    let relative = |square: Square| square.relative_to(stronger);
    let strong_to_move = board.side_to_move() == stronger;
    let (king, bare_king) = (relative(board.king(stronger)), relative(board.king(!stronger)));
    let pawn = relative(pawn);
    if kpk::is_won(strong_to_move, king, pawn, bare_king) {
        WON + 20 * pawn.rank() as Value - 4 * Value::from(king.distance(pawn))
    } else {
        VALUE_DRAW
    }
}

/// The distance from the centre of the board, from 0 on the four central squares to 12 in a corner: twice the
/// number of files plus twice the number of ranks.
fn centre_distance(square: Square) -> Value {
    let from_middle = |index: usize| (2 * index as Value - 7).abs() - 1;
    from_middle(square.file().index()) + from_middle(square.rank().index())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> Option<Value> {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        known_value(&position)
    }

    #[test]
    fn insufficient_material_is_a_draw() {
        for fen in [
            "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KB3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
            "8/8/3bk3/8/8/3KB3/8/8 w - - 0 1",
        ] {
            assert_eq!(value(fen), Some(0), "{fen}");
        }
        assert_eq!(value("8/8/3bk3/8/8/3K1B2/8/8 w - - 0 1"), None, "a helpmate is possible");
    }

    #[test]
    fn bishop_and_rook_pawn_with_the_wrong_corner() {
        assert_eq!(value("6k1/8/7P/8/4BK2/8/8/8 b - - 0 1"), Some(0));
        assert_eq!(value("k7/8/8/P7/P7/3KB3/8/8 w - - 0 1"), Some(0));
        assert_eq!(value("5k2/8/7P/8/4BK2/8/8/8 b - - 0 1"), None, "the king is too far from the corner");
        assert_ne!(value("7k/8/7P/8/4BKN1/8/8/8 b - - 0 1"), Some(0), "a knight helps");
    }

    #[test]
    fn king_and_pawn_against_king() {
        let won = value("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
        assert!(won > Some(900));
        assert_eq!(won, value("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"));
        let colours_exchanged = value("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1").map(|value| -value);
        assert_eq!(won, colours_exchanged);
        assert_eq!(value("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"), Some(0), "Black has the opposition");
        assert_eq!(value("k7/8/K7/P7/8/8/8/8 w - - 0 1"), Some(0), "a rook pawn");
    }

    #[test]
    fn centre_distance_is_greatest_in_the_corner() {
        assert_eq!(centre_distance(Square::E4), 0);
        assert_eq!(centre_distance(Square::A8), 12);
        assert_eq!(centre_distance(Square::A4), 6);
    }
}
