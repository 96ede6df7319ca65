//! Null-move pruning (NMP).
//!
//! If the side to move could pass and still fail high, a real move almost always fails high too. The node
//! passes, searches the reply with reduced depth and returns early on a fail high.
//!
//! Passing is an advantage in zugzwang, so NMP needs a piece besides king and pawns, and at high depth the
//! cutoff is verified by a search in which NMP is disabled for the next plies. Only expected cut nodes are
//! tried.
//!
//! Sources: Beal, *A Generalised Quiescence Search Algorithm*, 1990 (null move); Donninger, *Null Move and
//! Deep Search*, 1993; David-Tabibi and Netanyahu, *Verified Null-Move Pruning*, 2002.

use super::Node;
use crate::node_type::NonPv;
use crate::params;
use crate::searcher::Searcher;
use crate::stack::NO_PIECE_TO;
use crate::static_eval::Evals;
use tabiya_core::{Value, is_loss, is_win};

/// The depth from which a null-move cutoff is verified, in plies.
const VERIFICATION_DEPTH: i32 = 14;

impl Searcher<'_> {
    /// Returns a value of at least beta if passing fails high.
    #[inline(always)]
    pub(super) fn null_move_pruning(&mut self, node: &Node<'_>, evals: Evals) -> Option<Value> {
        let &Node { ply, depth, beta, .. } = node;
        if !node.cut_node
            || evals.tt_adjusted < beta
            || evals.corrected < beta + margin(depth)
            || is_loss(beta)
            || ply < self.nmp_min_ply
            || self.stack.before(ply, 1).moved == NO_PIECE_TO
            || !node.has_non_pawn_material()
        {
            return None;
        }
        self.search_null_move(node, depth - reduction(depth, evals.tt_adjusted - beta))
    }

    /// Passes, searches the reply with reduced depth and, at high depth, verifies a fail high. Returns a value
    /// of at least beta if the node is pruned.
    #[inline(never)]
    fn search_null_move(&mut self, node: &Node<'_>, reduced: i32) -> Option<Value> {
        let &Node { position, ply, depth, beta, .. } = node;
        let (child, boundary) = self.make_null_move(position, ply);
        let value = -self.node::<NonPv>(&child, ply + 1, reduced, -beta, -beta + 1, false);
        self.unmake_null_move(boundary);
        if self.limits.is_stopped() || value < beta {
            return None;
        }
        // A win found after passing is not proven.
        let value = if is_win(value) { beta } else { value };
        if depth < VERIFICATION_DEPTH || self.nmp_min_ply > 0 {
            return Some(value);
        }
        self.nmp_min_ply = ply + (3 * reduced.max(0) / 4) as usize;
        let verified = self.node::<NonPv>(position, ply, reduced, beta - 1, beta, false);
        self.nmp_min_ply = 0;
        (verified >= beta && !self.limits.is_stopped()).then_some(value)
    }
}

/// The margin above beta that the static evaluation needs, in centipawns; negative at higher depth.
fn margin(depth: i32) -> Value {
    params::nmp_margin() - params::nmp_margin_slope() * depth
}

/// The reduction of the null-move search, in plies: more at high depth and for an evaluation far above beta.
fn reduction(depth: i32, above_beta: Value) -> i32 {
    params::nmp_base()
        + depth / params::nmp_depth_divisor()
        + (above_beta / params::nmp_eval_divisor()).clamp(0, 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduction_grows_with_depth_and_evaluation() {
        assert!((1..30).all(|depth| reduction(depth, 0) <= reduction(depth + 1, 0)));
        assert!(reduction(10, 1000) > reduction(10, 0));
        assert_eq!(reduction(10, -1000), reduction(10, 0));
        assert_eq!(reduction(10, 30_000), reduction(10, 0) + 4);
    }
}
