//! First estimates of proof and disproof numbers, which decide when a node is searched.

use super::numbers::NodeState;
use tabiya_core::{Bitboard, Color};
use tabiya_movegen::attacks::king_attacks;
use tabiya_movegen::{Filter, Position};

/// The divisor of the replies to a move that gives no check, and of their proof numbers except the largest: most replies meet the
/// same threat, so that their proofs have much in common. Found by experiment.
pub(super) const QUIET_DIVISOR: u32 = 3;
/// The initial disproof number of a move that gives no check; that of a check is 1. Found by experiment.
const QUIET_DISPROOF: u32 = 2;

/// Returns the number of legal moves of the king of the side to move.
fn king_moves(position: &Position) -> u32 {
    position.moves(Filter::ALL.from(position.king(position.side_to_move()).bitboard())).len() as u32
}

/// Returns the squares next to the king of `side` that are not attacked.
pub(super) fn safe_squares(position: &Position, side: Color) -> Bitboard {
    king_attacks(position.king(side)) & !position.attacked_squares(!side)
}

/// Returns the number of squares next to the king of `side` that are neither its own side's nor attacked.
pub(super) fn free_squares(position: &Position, side: Color) -> u32 {
    (safe_squares(position, side) & !position.by_color(side)).count()
}

/// Returns the first estimate of a position with the attacker to move, who has `moves` moves left, and this number of free squares around
/// the defender's king: their number plus one, and `moves`, since more moves take longer to refute.
pub(super) fn after_defence(free: u32, moves: u32) -> NodeState {
    NodeState { proof: 1 + free, disproof: moves, length: 0 }
}

/// Returns the first estimate of a position with the defender to move and this number of legal replies: replies × (1 + king moves) after a
/// check, otherwise a third of the replies × (1 + free squares of the king).
pub(super) fn after_attack(position: &Position, replies: u32) -> NodeState {
    let (proof, disproof) = if position.in_check() {
        (replies * (1 + king_moves(position)), 1)
    } else {
        let free = free_squares(position, position.side_to_move());
        (replies.div_ceil(QUIET_DIVISOR) * (1 + free), QUIET_DISPROOF)
    };
    NodeState { proof, disproof, length: 0 }
}

/// Returns an estimate of the state of `count` moves of the attacker that give no check: half of the proof number of a pass, since the best
/// of them is better than that.
pub(super) fn of_quiets(position: &Position, count: usize) -> NodeState {
    let mut pass = position.clone();
    pass.play_null();
    pass.cache_legality();
    let replies = pass.count_legal_moves() as u32;
    let free = free_squares(&pass, pass.side_to_move());
    let proof = (replies * (1 + free)).div_ceil(2 * QUIET_DIVISOR).max(1);
    NodeState { proof, disproof: QUIET_DISPROOF * count as u32, length: 0 }
}
