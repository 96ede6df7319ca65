//! Room: squares behind the own pawns where pieces can regroup. It matters while there are many of them.

use crate::Score;
use crate::attack_map::AttackMap;
use crate::numbers::Numbers;
use crate::side::Side;
use crate::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, PieceType};

/// Fewer pieces than this, of both sides and without pawns and kings, need no room: the term is left out.
pub(crate) const FEWEST_PIECES: i32 = 8;

/// The space of `S`.
#[inline(always)]
pub(crate) fn space<S: Side, T: Tracer>(
    board: &Board,
    numbers: &Numbers,
    map: &AttackMap,
    tracer: &mut T,
) -> Score {
    let mut score = Score::ZERO;
    let own_pawns = board.pieces(S::US, PieceType::Pawn);
    let centre = Bitboard(0x3c3c_3c3c_3c3c_3c3c) & (S::rank(1) | S::rank(2) | S::rank(3));
    let safe = centre - own_pawns - map.of(S::THEM).by[PieceType::Pawn.index()];
    let behind = safe & (S::Them::ahead(own_pawns) - map.of(S::THEM).all);
    let own = numbers.pieces_of(S::US);
    let squares = (safe.count() + behind.count()) as i32;
    count!(tracer, S, score, space * (squares * own * own / 32));
    score
}
