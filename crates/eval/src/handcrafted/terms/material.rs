//! Material imbalance. The piece values themselves are part of the piece-square tables.

use super::super::material_counts::MaterialCounts;
use super::super::score::Score;
use super::super::side::Side;
use super::super::tracer::{Tracer, count};
use tabiya_core::{Board, PieceType};

/// The bonus or malus for pairs, and for knights and rooks by the number of own pawns.
#[inline(always)]
pub(crate) fn material<S: Side, T: Tracer>(board: &Board, counts: &MaterialCounts, tracer: &mut T) -> Score {
    let mut score = Score::ZERO;
    let own = |piece_type| counts.get(S::US, piece_type);
    let pawns_above_five = own(PieceType::Pawn) - 5;
    count!(tracer, S, score, knight_pawns * (pawns_above_five * own(PieceType::Knight)));
    count!(tracer, S, score, rook_pawns * (pawns_above_five * own(PieceType::Rook)));
    if board.pieces(S::US, PieceType::Bishop).more_than_one() {
        count!(tracer, S, score, bishop_pair);
    }
    if board.pieces(S::US, PieceType::Rook).more_than_one() {
        count!(tracer, S, score, rook_pair);
    }
    score
}
