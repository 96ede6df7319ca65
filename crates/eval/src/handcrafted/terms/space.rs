//! Space: safe squares behind own pawns where pieces can regroup. It matters while many pieces are left.

use super::super::attack_map::AttackMap;
use super::super::material_counts::MaterialCounts;
use super::super::score::Score;
use super::super::side::{CENTRE_FILES, Side};
use super::super::tracer::{Tracer, count};
use tabiya_core::{Board, PieceType};

/// The number of pieces of both sides, without pawns and kings, below which space is not evaluated.
pub(crate) const MIN_PIECES: i32 = 8;

/// The space bonus of `S`.
#[inline(always)]
pub(crate) fn space<S: Side, T: Tracer>(
    board: &Board,
    counts: &MaterialCounts,
    map: &AttackMap,
    tracer: &mut T,
) -> Score {
    let mut score = Score::ZERO;
    let own_pawns = board.pieces(S::US, PieceType::Pawn);
    let centre = CENTRE_FILES & (S::rank(1) | S::rank(2) | S::rank(3));
    let safe = centre - own_pawns - map.of(S::THEM).by[PieceType::Pawn.index()];
    let behind = safe & (S::Them::ahead(own_pawns) - map.of(S::THEM).all);
    let own = counts.pieces_of(S::US);
    let squares = (safe.count() + behind.count()) as i32;
    count!(tracer, S, score, space * (squares * own * own / 32));
    score
}
