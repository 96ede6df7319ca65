//! Threats: enemy pieces that are attacked, and safe moves that would attack them.

use super::super::attack_map::AttackMap;
use super::super::score::Score;
use super::super::side::Side;
use super::super::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, PieceType};
use tabiya_movegen::attacks;

/// The threats of `S`.
#[inline(always)]
pub(crate) fn threats<S: Side, T: Tracer>(board: &Board, map: &AttackMap, tracer: &mut T) -> Score {
    let (ours, theirs) = (map.of(S::US), map.of(S::THEM));
    let enemies = board.by_color(S::THEM);
    let pieces = enemies - board.by_type(PieceType::Pawn) - board.by_type(PieceType::King);
    let protected = map.strongly_protected::<S::Them>();
    let weak = enemies & (ours.all - protected - board.by_type(PieceType::King));
    let mut score = Score::ZERO;

    let by_pawns = pieces & ours.by[PieceType::Pawn.index()];
    if by_pawns.any() {
        for kind in 1..5 {
            let victims = by_pawns & board.by_type(PieceType::ALL[kind]);
            count!(tracer, S, score, threat_by_pawn[kind - 1] * victims.count());
        }
    }
    let [_, knights, bishops, rooks, queens, kings] = ours.by;
    let by_minors = (weak | pieces) & (knights | bishops);
    if by_minors.any() {
        for kind in 0..5 {
            let victims = by_minors & board.by_type(PieceType::ALL[kind]);
            count!(tracer, S, score, threat_by_minor[kind] * victims.count());
        }
    }
    let by_rooks = (weak | (pieces & board.by_type(PieceType::Queen))) & rooks;
    if by_rooks.any() {
        for kind in 0..5 {
            let victims = by_rooks & board.by_type(PieceType::ALL[kind]);
            count!(tracer, S, score, threat_by_rook[kind] * victims.count());
        }
    }
    if weak.any() {
        if !weak.is_disjoint(kings) {
            count!(tracer, S, score, threat_by_king);
        }
        let hanging = weak & (!theirs.all | (pieces & ours.twice));
        count!(tracer, S, score, hanging * hanging.count());
        let by_queen_only = weak & (theirs.by[PieceType::Queen.index()] - theirs.twice);
        count!(tracer, S, score, weak_queen_defended * by_queen_only.count());
    }
    let restricted = theirs.all & (ours.all - protected);
    count!(tracer, S, score, restricted * restricted.count());

    let safe = !theirs.all | ours.all;
    score += pushes::<S, T>(board, map, pieces, safe, tracer);
    let enemy_queens = board.pieces(S::THEM, PieceType::Queen);
    if let Some(queen) = enemy_queens.first().filter(|_| !enemy_queens.more_than_one()) {
        let targets = safe & (ours.area - board.pieces(S::US, PieceType::Pawn) - protected);
        let jumps = knights & attacks::knight_attacks(queen) & targets;
        count!(tracer, S, score, knight_on_queen * jumps.count());
        let lines = (bishops & attacks::bishop_attacks(queen, board.occupied()))
            | (rooks & attacks::rook_attacks(queen, board.occupied()));
        let supported = ours.twice | queens;
        count!(tracer, S, score, slider_on_queen * (lines & targets & supported).count());
    }
    score
}

/// The bonus for pieces that a pawn push to a safe square would attack.
#[inline(always)]
fn pushes<S: Side, T: Tracer>(
    board: &Board,
    map: &AttackMap,
    pieces: Bitboard,
    safe: Bitboard,
    tracer: &mut T,
) -> Score {
    let theirs = map.of(S::THEM);
    let mut score = Score::ZERO;
    let empty = !board.occupied();
    let once = board.pieces(S::US, PieceType::Pawn).forward(S::US) & empty;
    let twice = (once & S::rank(2)).forward(S::US) & empty;
    let arrivals = (once | twice) & (safe - theirs.by[PieceType::Pawn.index()]);
    let attacked = S::pawn_attacks(arrivals) & pieces;
    count!(tracer, S, score, push_threat * attacked.count());
    score
}
