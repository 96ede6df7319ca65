//! Futility pruning of moves.
//!
//! If the static evaluation plus a margin, and for a capture the captured piece, does not reach alpha, the move is
//! skipped. The margin grows with the depth that the move would be searched to after its late move reduction, and
//! with its history. Unsound for moves whose gain is positional or lies deeper.
//!
//! Source: Heinz, *Extended Futility Pruning*, 1998.

use super::Node;
use crate::params;
use crate::see;
use tabiya_core::{Move, Value};

/// The reduced depth from which futility pruning is no longer tried, in plies.
const MAX_DEPTH: i32 = 9;

/// Returns true if a move is skipped because the evaluation is too far below alpha. `lmr_depth` is the depth after
/// the late move reduction.
#[inline(always)]
pub(super) fn futility_pruning(
    node: &Node<'_>,
    mv: Move,
    history: i32,
    lmr_depth: i32,
    alpha: Value,
) -> bool {
    let Some(evals) = node.evals else { return false };
    if lmr_depth >= MAX_DEPTH {
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

    #[test]
    fn margins_grow_with_depth_and_history() {
        for margin in [quiet_margin, capture_margin] {
            assert!((1..MAX_DEPTH).all(|depth| margin(depth, 0) < margin(depth + 1, 0)));
            assert!(margin(3, 8000) > margin(3, -8000));
        }
    }
}
