//! The values and piece-square tables of the tutorial, in centipawns.

use tabiya_core::{PieceType, Square, Value};

/// The tutorial's value of checkmate on the board.
pub const MATE_SCORE: Value = 32_767;

/// Piece values by [`PieceType::index`].
pub(super) const PIECE_VALUES: [Value; PieceType::COUNT] = [100, 320, 325, 500, 975, 32_767];

/// Action values by [`PieceType::index`]: the value of an attack or defence by a piece. Cheap pieces count
/// more.
pub(super) const ACTION_VALUES: [Value; PieceType::COUNT] = [6, 3, 3, 2, 1, 1];

/// The factor of the difference by which attackers outweigh defenders.
pub(super) const HANGING_FACTOR: Value = 10;

/// A pawn on the a- or h-file can only capture to one side.
pub(super) const EDGE_FILE: Value = -15;
/// Each pawn of a side after the first on a file.
pub(super) const DOUBLED: Value = -16;
/// Pawn file bonus of each pawn.
pub(super) const FILE_BONUS: Value = 10;
/// Additional pawn file bonus of an unattacked pawn: (on the seventh rank, on the sixth).
pub(super) const FILE_BONUS_ADVANCED: (Value, Value) = (200, 100);
/// Additional pawn file bonus if that pawn is also defended: (on the seventh rank, on the sixth).
pub(super) const FILE_BONUS_DEFENDED: (Value, Value) = (50, 25);
/// An isolated pawn, from file a to file h.
pub(super) const ISOLATED: [Value; 8] = [-12, -14, -16, -20, -20, -16, -14, -12];

/// A knight in the endgame.
pub(super) const KNIGHT_END_GAME: Value = -10;
/// A bishop in the endgame.
pub(super) const BISHOP_END_GAME: Value = 10;
/// Each bishop of a side after the first.
pub(super) const BISHOP_PAIR: Value = 10;
/// A rook that has moved before its side has castled.
pub(super) const ROOK_MOVED: Value = -10;
/// A queen that has moved, before the endgame.
pub(super) const QUEEN_MOVED: Value = -10;
/// A king that has moved without castling, before the endgame.
pub(super) const KING_MOVED: Value = -30;
/// A king with fewer than two moves.
pub(super) const KING_CONFINED: Value = -5;

/// Giving check.
pub(super) const CHECK: Value = 75;
/// Additional bonus for giving check in the endgame: the tutorial adds ten in two places.
pub(super) const CHECK_END_GAME: Value = 10 + 10;
/// Having castled.
pub(super) const CASTLED: Value = 40;
/// Being to move.
pub(super) const TO_MOVE: Value = 10;

/// The endgame begins with fewer pieces than this on the board, kings and pawns included.
pub(super) const END_GAME_PIECES: u32 = 10;
/// The fifty-move rule, in plies.
pub(super) const FIFTY_MOVES: u16 = 100;

/// The piece-square value of a piece on a relative square. Rooks and queens have no table in the tutorial.
pub(super) fn square_value(piece_type: PieceType, square: Square, end_game: bool) -> Value {
    static PAWN: [i8; Square::COUNT] = by_square(PAWN_TABLE);
    static KNIGHT: [i8; Square::COUNT] = by_square(KNIGHT_TABLE);
    static BISHOP: [i8; Square::COUNT] = by_square(BISHOP_TABLE);
    static KING: [i8; Square::COUNT] = by_square(KING_TABLE);
    static KING_END_GAME: [i8; Square::COUNT] = by_square(KING_END_GAME_TABLE);
    let table = match piece_type {
        PieceType::Pawn => &PAWN,
        PieceType::Knight => &KNIGHT,
        PieceType::Bishop => &BISHOP,
        PieceType::King if end_game => &KING_END_GAME,
        PieceType::King => &KING,
        PieceType::Rook | PieceType::Queen => return 0,
    };
    Value::from(table[square.index()])
}

/// Pawns: advance and occupy the centre.
#[rustfmt::skip]
const PAWN_TABLE: [i8; Square::COUNT] = [
      0,   0,   0,   0,   0,   0,   0,   0,
     50,  50,  50,  50,  50,  50,  50,  50,
     10,  10,  20,  30,  30,  20,  10,  10,
      5,   5,  10,  27,  27,  10,   5,   5,
      0,   0,   0,  25,  25,   0,   0,   0,
      5,  -5, -10,   0,   0, -10,  -5,   5,
      5,  10,  10, -25, -25,  10,  10,   5,
      0,   0,   0,   0,   0,   0,   0,   0,
];

/// Knights: near the centre, away from the edges.
#[rustfmt::skip]
const KNIGHT_TABLE: [i8; Square::COUNT] = [
    -50, -40, -30, -30, -30, -30, -40, -50,
    -40, -20,   0,   0,   0,   0, -20, -40,
    -30,   0,  10,  15,  15,  10,   0, -30,
    -30,   5,  15,  20,  20,  15,   5, -30,
    -30,   0,  15,  20,  20,  15,   0, -30,
    -30,   5,  10,  15,  15,  10,   5, -30,
    -40, -20,   0,   5,   5,   0, -20, -40,
    -50, -40, -20, -30, -30, -20, -40, -50,
];

/// Bishops: near the centre, away from edges and corners.
#[rustfmt::skip]
const BISHOP_TABLE: [i8; Square::COUNT] = [
    -20, -10, -10, -10, -10, -10, -10, -20,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   5,   5,  10,  10,   5,   5, -10,
    -10,   0,  10,  10,  10,  10,   0, -10,
    -10,  10,  10,  10,  10,  10,  10, -10,
    -10,   5,   0,   0,   0,   0,   5, -10,
    -20, -10, -40, -10, -10, -40, -10, -20,
];

/// King before the endgame: in a corner on its back rank.
#[rustfmt::skip]
const KING_TABLE: [i8; Square::COUNT] = [
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -20, -30, -30, -40, -40, -30, -30, -20,
    -10, -20, -20, -20, -20, -20, -20, -10,
     20,  20,   0,   0,   0,   0,  20,  20,
     20,  30,  10,   0,   0,  10,  30,  20,
];

/// King in the endgame: in the centre.
#[rustfmt::skip]
const KING_END_GAME_TABLE: [i8; Square::COUNT] = [
    -50, -40, -30, -20, -20, -30, -40, -50,
    -30, -20, -10,   0,   0, -10, -20, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -30,   0,   0,   0,   0, -30, -30,
    -50, -30, -30, -30, -30, -30, -30, -50,
];

/// Turns a table as drawn (a8 first, h1 last) into one by square index (a1 first, h8 last).
const fn by_square(drawn: [i8; Square::COUNT]) -> [i8; Square::COUNT] {
    let mut table = drawn;
    let mut index = 0;
    while index < Square::COUNT {
        table[index] = drawn[Square::wrapping(index as u8).flip_rank().index()];
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tutorial rotates the board for Black by 180 degrees in one place and flips it in another. Both
    /// give the same values only if the tables are symmetric.
    #[test]
    fn tables_are_symmetric() {
        for piece_type in PieceType::ALL {
            for square in Square::ALL {
                for end_game in [false, true] {
                    assert_eq!(
                        square_value(piece_type, square, end_game),
                        square_value(piece_type, square.flip_file(), end_game),
                        "{piece_type} on {square}"
                    );
                }
            }
        }
    }

    #[test]
    fn tables_are_drawn_from_a8() {
        assert_eq!(square_value(PieceType::Pawn, Square::E7, false), 50);
        assert_eq!(square_value(PieceType::Pawn, Square::E2, false), -25);
        assert_eq!(square_value(PieceType::Bishop, Square::F1, false), -40);
        assert_eq!(square_value(PieceType::King, Square::G1, false), 30);
        assert_eq!(square_value(PieceType::King, Square::E4, true), 40);
        assert_eq!(square_value(PieceType::Queen, Square::E4, true), 0);
    }
}
