//! Razoring.
//!
//! If the evaluation is far below alpha, only a capture can bring the material back, so a quiescence search
//! decides the node. Unsound where a quiet move wins.
//!
//! Source: Birmingham and Kent, *Tree-Searching and Tree-Pruning Techniques*, 1977.

use super::Node;
use crate::node_type::NonPv;
use crate::params;
use crate::searcher::Searcher;
use crate::static_eval::Evals;
use tabiya_core::{Value, is_decisive};

impl Searcher<'_> {
    /// Returns a value of at most alpha if the evaluation is far below alpha and a quiescence search fails
    /// low.
    #[inline(always)]
    pub(super) fn razoring(&mut self, node: &Node<'_>, evals: Evals) -> Option<Value> {
        let alpha = node.beta - 1;
        if is_decisive(alpha) || evals.tt_adjusted + margin(node.depth) >= alpha {
            return None;
        }
        let value = self.quiescence::<NonPv>(node.position, node.ply, true, alpha, node.beta);
        (value <= alpha).then_some(value)
    }
}

/// The distance below alpha at which a node is razored, in centipawns.
fn margin(depth: i32) -> Value {
    params::razoring_base() + params::razoring_slope() * depth * depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margin_grows_with_depth() {
        assert!((1..12).all(|depth| 0 < margin(depth) && margin(depth) < margin(depth + 1)));
    }
}
