//! Mating a bare king: it is driven to the edge or, with bishop and knight, into a corner of the bishop's
//! colour.

use super::centre_distance;
use tabiya_core::{Bitboard, Board, Color, KNOWN_WIN, PieceType, Square, Value};

/// The value for `stronger`, whose opponent has a bare king; `None` if only pawns can win.
pub(super) fn value(board: &Board, stronger: Color) -> Option<Value> {
    let count = |piece_type| board.pieces(stronger, piece_type).count() as Value;
    let [pawns, knights, bishops, rooks, queens, _] = PieceType::ALL.map(count);
    let (king, bare_king) = (board.king(stronger), board.king(!stronger));
    let bishop_squares = board.pieces(stronger, PieceType::Bishop);
    let both_colours =
        !bishop_squares.is_subset_of(Bitboard::DARK) && !bishop_squares.is_subset_of(Bitboard::LIGHT);
    let closeness = 10 * (7 - Value::from(king.distance(bare_king)));

    let can_mate = rooks + queens > 0 || both_colours || (bishops > 0 && knights > 0) || knights > 2;
    if !can_mate {
        // Neither two knights nor bishops of one colour can force mate.
        return (pawns == 0).then_some(0);
    }
    let material = 100 * pawns + 300 * (knights + bishops) + 500 * rooks + 900 * queens;
    let bishop_and_knight = pawns + rooks + queens == 0 && !both_colours && knights == 1;
    let drive = if bishop_and_knight {
        let dark = bishop_squares.is_subset_of(Bitboard::DARK);
        60 * corner_closeness(bare_king, dark) + 3 * centre_distance(bare_king)
    } else {
        12 * centre_distance(bare_king)
    };
    Some(KNOWN_WIN + material.min(6000) + drive + closeness)
}

/// The closeness of a square to a corner of this colour: 7 in the corner, 0 on the long diagonal between the
/// other two.
fn corner_closeness(square: Square, dark: bool) -> Value {
    let square = if dark { square } else { square.flip_file() };
    (7 - square.file().index() as Value - square.rank().index() as Value).abs()
}

#[cfg(test)]
mod tests {
    use super::super::super::test_board::board;
    use super::*;

    fn white_value(fen: &str) -> Option<Value> {
        value(&board(fen), Color::White)
    }

    #[test]
    fn rewards_a_king_at_the_edge() {
        let in_centre = white_value("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
        assert!(in_centre < white_value("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"));
        assert!(in_centre < white_value("8/8/8/4k3/8/8/8/1Q2K3 w - - 0 1"), "a queen is more than a rook");
    }

    #[test]
    fn bishop_and_knight_mate_in_the_bishops_corner() {
        // A light-squared bishop mates on a8, not on h8.
        let right = white_value("k7/8/1K6/8/8/5BN1/8/8 b - - 0 1");
        let wrong = white_value("7k/8/6K1/8/8/5BN1/8/8 b - - 0 1");
        assert!(right > wrong, "{right:?} {wrong:?}");
        assert_eq!(corner_closeness(Square::A1, true), 7);
        assert_eq!(corner_closeness(Square::A8, false), 7);
        assert_eq!(corner_closeness(Square::A8, true), 0);
    }

    #[test]
    fn insufficient_pieces_do_not_win() {
        assert_eq!(white_value("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1"), Some(0));
        assert_eq!(white_value("8/8/4k3/8/8/3KB1B1/8/8 w - - 0 1"), Some(0));
        assert_eq!(white_value("8/8/4k3/8/8/3KPP2/8/8 w - - 0 1"), None);
        assert!(white_value("8/8/4k3/8/8/3KBB2/8/8 w - - 0 1") > Some(KNOWN_WIN));
    }
}
