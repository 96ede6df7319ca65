//! Static exchange evaluation (SEE) with the piece values of the search.

use tabiya_core::{Move, PieceType, Value};
use tabiya_movegen::Position;
use tabiya_movegen::see::{self, PieceValues};

/// Values of pawn, knight, bishop, rook and queen in an exchange, in centipawns.
const VALUES: PieceValues = PieceValues::new([100, 320, 320, 500, 950]);

/// Returns the value of a piece type.
#[inline]
pub(crate) fn value(piece_type: PieceType) -> Value {
    VALUES.value(piece_type)
}

/// Returns the value of the piece that a move captures; 0 if it captures none.
#[inline]
pub(crate) fn captured_value(position: &Position, mv: Move) -> Value {
    VALUES.captured(position, mv)
}

/// Returns the gain of a capture or promotion without a recapture, in centipawns.
#[inline]
pub(crate) fn gain(position: &Position, mv: Move) -> Value {
    VALUES.captured(position, mv) + VALUES.promotion_gain(mv)
}

/// Returns true if the static exchange evaluation of a move is at least `threshold`.
#[inline]
pub(crate) fn see_ge(position: &Position, mv: Move, threshold: Value) -> bool {
    see::see_ge(position, mv, threshold, &VALUES)
}
