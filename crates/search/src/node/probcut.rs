//! ProbCut.
//!
//! If a capture exceeds beta by a margin in a search of reduced depth, it very likely exceeds beta at full
//! depth. Each capture or promotion that gains enough by static exchange evaluation is tried with a quiescence
//! search first and, if that fails high, with a reduced search; at the minimum depth the quiescence search alone decides. Unsound where these miss a refutation.
//!
//! Source: Buro, *ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm*, 1995.

use super::Node;
use crate::history::MoveContext;
use crate::node_type::NonPv;
use crate::params;
use crate::picker::Picker;
use crate::searcher::Searcher;
use crate::static_eval::Evals;
use crate::tt::TtEntry;
use tabiya_core::{Bound, Value, is_decisive};

/// The minimum depth for ProbCut, in plies.
const MIN_DEPTH: i32 = 5;
/// The reduction of the ProbCut search, in plies.
const REDUCTION: i32 = 4;

impl Searcher<'_> {
    /// Returns a value of at least [`probcut_beta`] if a capture or promotion reaches it in the reduced
    /// search. Returns `None` as well if the search has been stopped.
    pub(super) fn probcut(&mut self, node: &Node<'_>, context: &MoveContext, evals: Evals) -> Option<Value> {
        let &Node { position, ply, depth, .. } = node;
        let probcut_beta = probcut_beta(node.beta, node.improving);
        let tt_refutes = |entry: TtEntry| entry.depth > depth - MIN_DEPTH + 1 && entry.value < probcut_beta;
        if depth < MIN_DEPTH
            || is_decisive(node.beta)
            || is_decisive(probcut_beta)
            || node.tt_entry.is_some_and(tt_refutes)
        {
            return None;
        }
        let mut picker = Picker::good_captures(position, node.tt_move, probcut_beta - evals.corrected);
        while let Some(mv) = picker.next(position, self.histories, context, self.picker_memory, ply) {
            if picker.is_at_bad_captures() {
                break;
            }
            if self.overlooks(position, mv, ply) {
                continue;
            }
            self.tt.prefetch(position.likely_key_after(mv));
            let mut child = position.clone();
            if !self.make_move(position, mv, ply, &mut child) {
                return None;
            }
            let mut value =
                -self.quiescence::<NonPv>(&child, ply + 1, true, -probcut_beta, -probcut_beta + 1);
            let reduced = depth - REDUCTION;
            if value >= probcut_beta && reduced > 1 {
                value = -self.node::<NonPv>(
                    &child,
                    ply + 1,
                    reduced,
                    -probcut_beta,
                    -probcut_beta + 1,
                    !node.cut_node,
                );
            }
            self.unmake_move();
            if self.limits.is_stopped() {
                return None;
            }
            if value >= probcut_beta {
                let entry = TtEntry {
                    mv: Some(mv),
                    value,
                    eval: Some(evals.raw),
                    depth: reduced + 1,
                    bound: Bound::Lower,
                    is_pv: node.tt_pv,
                };
                self.tt_store(position.key(), ply, &entry);
                return Some(value);
            }
        }
        None
    }
}

/// The value that a capture must reach in the reduced search, in centipawns.
fn probcut_beta(beta: Value, improving: bool) -> Value {
    beta + params::probcut_margin() - if improving { params::probcut_improving() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margin_shrinks_if_improving() {
        assert!(probcut_beta(0, true) <= probcut_beta(0, false) && probcut_beta(0, false) > 0);
    }
}
