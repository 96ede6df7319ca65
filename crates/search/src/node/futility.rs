//! Futility pruning of moves.
//!
//! A move is skipped if the static evaluation plus a margin, and for a capture the value of the captured
//! piece, does not exceed alpha. The margin grows with the move's history and with its depth after the base
//! late move reduction. Unsound for moves whose gain is positional or lies deeper.
//!
//! Source: Heinz, *Extended Futility Pruning*, 1998.

use super::Node;
use crate::params;
use crate::see;
use tabiya_core::{Move, Value};

/// The maximum depth after the base late move reduction, in plies.
const MAX_LMR_DEPTH: i32 = 8;

/// Returns true if a move is skipped because the evaluation is too far below alpha. Promotions never are, nor
/// is any move in check. `history` is the move's pruning or capture history, `lmr_depth` its depth after the
/// base late move reduction.
#[inline(always)]
pub(super) fn futility_pruning(
    node: &Node<'_>,
    mv: Move,
    history: i32,
    lmr_depth: i32,
    alpha: Value,
) -> bool {
    let Some(evals) = node.evals else { return false };
    if lmr_depth > MAX_LMR_DEPTH {
        return false;
    }
    if mv.is_quiet() {
        evals.corrected + quiet_margin(lmr_depth, history) <= alpha
    } else {
        mv.promotion().is_none()
            && evals.corrected + capture_margin(lmr_depth, history) + see::captured_value(node.position, mv)
                <= alpha
    }
}

/// The margin of a quiet move, in centipawns.
fn quiet_margin(lmr_depth: i32, history: i32) -> Value {
    params::futility_base()
        + params::futility_slope() * lmr_depth
        + history / params::futility_history_divisor()
}

/// The margin of a capture on top of the captured piece, in centipawns.
fn capture_margin(lmr_depth: i32, history: i32) -> Value {
    params::capture_futility_base()
        + params::capture_futility_slope() * lmr_depth
        + history / params::futility_history_divisor()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::static_eval::Evals;
    use tabiya_movegen::Position;

    #[test]
    fn margins_grow_with_depth_and_history() {
        for margin in [quiet_margin, capture_margin] {
            assert!((1..=MAX_LMR_DEPTH).all(|depth| margin(depth, 0) < margin(depth + 1, 0)));
            assert!(margin(3, 8000) > margin(3, -8000));
        }
    }

    #[test]
    fn skips_moves_that_cannot_reach_alpha() {
        let position: Position = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1".parse().expect("a legal position");
        let [quiet, capture] = ["e4e5", "e4d5"].map(|text| position.parse_uci(text).expect("legal"));
        let mut node = Node::for_test(&position, 3);
        assert!(!futility_pruning(&node, quiet, 0, 1, 30_000), "never in check");
        node.evals = Some(Evals { raw: 0, corrected: 0, tt_adjusted: 0 });
        let alpha = quiet_margin(1, 0).max(capture_margin(1, 0));
        assert!(futility_pruning(&node, quiet, 0, 1, alpha));
        assert!(!futility_pruning(&node, capture, 0, 1, alpha), "the queen counts");
        assert!(!futility_pruning(&node, quiet, 0, MAX_LMR_DEPTH + 1, 30_000));
    }
}
