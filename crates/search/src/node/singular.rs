//! Singular extensions.
//!
//! If all other moves fail low against a bound somewhat below the TT value, the TT move is singular: the only
//! good one. It is extended by one to three plies. The test, the *singular search*, searches the same node
//! without the TT move, to about half the depth. If it fails high, other moves are good too: the node is
//! pruned if they reach beta (multi-cut), and otherwise the TT move may be reduced.
//!
//! A test that does not lead to an extension wastes nodes. Multi-cut is as unsound as any reduced search.
//!
//! Sources: Anantharaman, Campbell and Hsu, *Singular Extensions*, 1988; in this form, based on the TT value,
//! from the engines of the 2000s. Björnsson and Marsland, *Multi-Cut Pruning in Alpha-Beta Search*, 1999.

use super::Node;
use crate::node_type::{NodeType, NonPv};
use crate::params;
use crate::searcher::Searcher;
use tabiya_core::{Bound, Move, Value, is_decisive};

/// The minimum depth for the test, in plies.
const MIN_DEPTH: i32 = 6;
/// The number of plies by which the TT entry may be shallower than the node.
const TT_DEPTH_MARGIN: i32 = 3;
/// The maximum number of double and triple extensions on one line.
const MAX_DOUBLE_EXTENSIONS: i32 = 8;

/// The result of the singular search.
pub(super) enum Singular {
    /// Extend the TT move by this number of plies; negative to reduce it.
    Extend(i32),
    /// Prune the node with this value, because another move fails high as well.
    MultiCut(Value),
}

impl Searcher<'_> {
    /// Tests whether the TT move is singular. The result is meaningless if the search has been stopped.
    pub(super) fn singular_extension<K: NodeType>(&mut self, node: &Node<'_>, tt_move: Move) -> Singular {
        let &Node { position, ply, depth, .. } = node;
        let Some(tt_entry) = node.tt_entry else { return Singular::Extend(0) };
        if depth < MIN_DEPTH
            || node.excluded.is_some()
            || tt_entry.depth < depth - TT_DEPTH_MARGIN
            || tt_entry.bound == Bound::Upper
            || is_decisive(tt_entry.value)
            // Extensions must not let a line grow without limit.
            || ply >= 2 * self.root_depth as usize
        {
            return Singular::Extend(0);
        }
        let singular_beta = singular_beta(tt_entry.value, depth);
        self.stack[ply].excluded = Some(tt_move);
        let value = self.node::<NonPv>(
            position,
            ply,
            (depth - 1) / 2,
            singular_beta - 1,
            singular_beta,
            node.cut_node,
        );
        self.stack[ply].excluded = None;
        if value < singular_beta {
            let below = singular_beta - value;
            let may_double = !K::PV && self.stack[ply].double_extensions < MAX_DOUBLE_EXTENSIONS;
            let plies = if !may_double || below <= params::singular_double_margin() {
                1
            } else if tt_move.is_quiet() && below > params::singular_triple_margin() {
                3
            } else {
                2
            };
            Singular::Extend(plies)
        } else if singular_beta >= node.beta && !K::PV {
            Singular::MultiCut(singular_beta)
        } else if tt_entry.value >= node.beta {
            Singular::Extend(-2)
        } else if node.cut_node {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }
}

/// The value that all other moves must stay below for the TT move to be singular.
fn singular_beta(tt_value: Value, depth: i32) -> Value {
    tt_value - params::singular_margin_slope() * depth / 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margin_grows_with_depth() {
        for depth in MIN_DEPTH..30 {
            assert!(singular_beta(50, depth) < 50);
            assert!(singular_beta(50, depth + 1) <= singular_beta(50, depth));
        }
    }
}
