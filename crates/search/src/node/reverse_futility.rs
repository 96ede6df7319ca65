//! Reverse futility pruning (RFP), also called static null-move pruning.
//!
//! If the evaluation is so far above beta that the opponent is unlikely to win that much back in the
//! remaining depth, the node fails high without a search. It is futility pruning from the other side's point
//! of view. Unsound against quiet threats.
//!
//! Source: Heinz, *Extended Futility Pruning*, 1998, applied to the side that is ahead; in common use since
//! the 2000s.

use super::Node;
use crate::params;
use crate::static_eval::Evals;
use tabiya_core::{Value, is_decisive};

/// The maximum depth for RFP, in plies.
const MAX_DEPTH: i32 = 9;

/// Returns a value of at least beta if the evaluation is far enough above beta.
#[inline(always)]
pub(super) fn reverse_futility_pruning(node: &Node<'_>, evals: Evals) -> Option<Value> {
    let eval = evals.tt_adjusted;
    let prunes = node.depth <= MAX_DEPTH
        && !is_decisive(node.beta)
        && !is_decisive(eval)
        && eval - margin(node.depth, node.improving) >= node.beta;
    // The mean of evaluation and beta: the evaluation alone overstates the value.
    prunes.then_some((eval + node.beta) / 2)
}

/// The distance above beta at which a node is pruned, in centipawns.
fn margin(depth: i32, improving: bool) -> Value {
    params::rfp_slope() * depth - if improving { params::rfp_improving() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margin_grows_with_depth_and_shrinks_if_improving() {
        for depth in 1..=MAX_DEPTH {
            assert!(margin(depth, false) < margin(depth + 1, false));
            assert!(margin(depth, true) <= margin(depth, false));
        }
    }

    #[test]
    fn fails_high_only_far_above_beta() {
        let position = tabiya_movegen::Position::startpos();
        let node = Node::for_test(&position, 1);
        let evals = |eval| Evals { raw: eval, corrected: eval, tt_adjusted: eval };
        assert_eq!(reverse_futility_pruning(&node, evals(node.beta)), None);
        let value = reverse_futility_pruning(&node, evals(node.beta + margin(1, false)));
        assert!(value.is_some_and(|value| value >= node.beta));
        let deep = Node::for_test(&position, MAX_DEPTH + 1);
        assert_eq!(reverse_futility_pruning(&deep, evals(5000)), None);
    }
}
