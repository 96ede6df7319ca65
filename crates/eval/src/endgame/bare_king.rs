//! Mating a bare king: drive him to the edge, or with bishop and knight into the bishop's corner.

use super::from_centre;
use tabiya_core::{Bitboard, Board, Color, KNOWN_WIN, PieceType, Square, Value};

/// The value for `stronger`, whose opponent has nothing but his king; nothing if only pawns can win.
pub(super) fn value(board: &Board, stronger: Color) -> Option<Value> {
    let number = |piece_type| board.pieces(stronger, piece_type).count() as Value;
    let [pawns, knights, bishops, rooks, queens, _] = PieceType::ALL.map(number);
    let (king, prey) = (board.king(stronger), board.king(!stronger));
    let bishop_squares = board.pieces(stronger, PieceType::Bishop);
    let both_colours =
        !bishop_squares.is_subset_of(Bitboard::DARK) && !bishop_squares.is_subset_of(Bitboard::LIGHT);
    let nearness = 10 * (7 - Value::from(king.distance(prey)));

    let mates = rooks + queens > 0 || both_colours || (bishops > 0 && knights > 0) || knights > 2;
    if !mates {
        // Two knights cannot force it, nor can bishops of one colour.
        return (pawns == 0).then_some(0);
    }
    let material = 100 * pawns + 300 * (knights + bishops) + 500 * rooks + 900 * queens;
    let by_corner = pawns + rooks + queens == 0 && !both_colours && knights == 1;
    let drive = if by_corner {
        60 * towards_corner(prey, bishop_squares.is_subset_of(Bitboard::DARK)) + 3 * from_centre(prey)
    } else {
        12 * from_centre(prey)
    };
    Some(KNOWN_WIN + material.min(6000) + drive + nearness)
}

/// How near a square is to a corner of this colour: 7 there, 0 on the long diagonal between the others.
fn towards_corner(square: Square, dark: bool) -> Value {
    let square = if dark { square } else { square.flip_file() };
    (7 - square.file().index() as Value - square.rank().index() as Value).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str) -> Option<Value> {
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        value(&board, Color::White)
    }

    #[test]
    fn edges_and_corners() {
        assert!(of("8/8/8/4k3/8/8/8/R3K3 w - - 0 1") < of("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"));
        assert!(of("8/8/8/4k3/8/8/8/R3K3 w - - 0 1") < of("8/8/8/4k3/8/8/8/1Q2K3 w - - 0 1"));
        // A light-squared bishop mates on a8, not on h8.
        let (right, wrong) = (of("k7/8/1K6/8/8/5BN1/8/8 b - - 0 1"), of("7k/8/6K1/8/8/5BN1/8/8 b - - 0 1"));
        assert!(right > wrong, "{right:?} {wrong:?}");
        assert_eq!(towards_corner(Square::A1, true), 7);
        assert_eq!(towards_corner(Square::A8, false), 7);
        assert_eq!(towards_corner(Square::A8, true), 0);
    }

    #[test]
    fn not_everything_mates() {
        assert_eq!(of("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1"), Some(0));
        assert_eq!(of("8/8/4k3/8/8/3KB1B1/8/8 w - - 0 1"), Some(0));
        assert_eq!(of("8/8/4k3/8/8/3KPP2/8/8 w - - 0 1"), None);
        assert!(of("8/8/4k3/8/8/3KBB2/8/8 w - - 0 1") > Some(KNOWN_WIN));
    }
}
