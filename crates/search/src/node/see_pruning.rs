//! Pruning by static exchange evaluation (SEE).
//!
//! A move is skipped if the exchange on its target square loses more material than a margin. The margin grows
//! with depth, since a deeper search is more likely to justify a sacrifice. Unsound for sacrifices that
//! pay off.
//!
//! In common use since the 2000s.

use super::Node;
use crate::params;
use crate::see;
use tabiya_core::{Move, Value};

/// Returns true if a move loses too much material by SEE. A quiet move is judged by `lmr_depth`, its depth
/// after the base late move reduction, and any other by the node's depth and `history`, its capture history.
#[inline(always)]
pub(super) fn see_pruning(node: &Node<'_>, mv: Move, history: i32, lmr_depth: i32) -> bool {
    let threshold =
        if mv.is_quiet() { quiet_threshold(lmr_depth) } else { capture_threshold(node.depth, history) };
    !see::see_ge(node.position, mv, threshold)
}

/// The SEE result that a quiet move needs, in centipawns: at most 0.
fn quiet_threshold(lmr_depth: i32) -> Value {
    -params::see_quiet_slope() * lmr_depth * lmr_depth
}

/// The SEE result that a capture needs, in centipawns: at most 0.
fn capture_threshold(depth: i32, history: i32) -> Value {
    -(params::see_capture_slope() * depth + history / params::see_capture_history_divisor()).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_fall_with_depth() {
        for depth in 1..12 {
            assert!(quiet_threshold(depth) > quiet_threshold(depth + 1));
            assert!(capture_threshold(depth, 0) > capture_threshold(depth + 1, 0));
        }
    }

    #[test]
    fn good_history_lowers_the_threshold_of_a_capture() {
        assert!(capture_threshold(3, 8000) < capture_threshold(3, 0));
        assert_eq!(capture_threshold(1, i32::MIN / 2), 0);
    }
}
