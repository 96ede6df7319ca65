//! What pieces are worth in company. What they are worth by themselves is counted with their squares.

use crate::Score;
use crate::numbers::Numbers;
use crate::side::Side;
use crate::tracer::{Tracer, count};
use tabiya_core::{Board, PieceType};

/// Pairs, and how many pawns there are to jump over or to stand in the way.
#[inline(always)]
pub(crate) fn material<S: Side, T: Tracer>(board: &Board, numbers: &Numbers, tracer: &mut T) -> Score {
    let mut score = Score::ZERO;
    let number = |piece_type| numbers.get(S::US, piece_type);
    let pawns = number(PieceType::Pawn) - 5;
    count!(tracer, S, score, knight_pawns * (pawns * number(PieceType::Knight)));
    count!(tracer, S, score, rook_pawns * (pawns * number(PieceType::Rook)));
    if board.pieces(S::US, PieceType::Bishop).more_than_one() {
        count!(tracer, S, score, bishop_pair);
    }
    if board.pieces(S::US, PieceType::Rook).more_than_one() {
        count!(tracer, S, score, rook_pair);
    }
    score
}
