//! Internal iterative reduction (IIR).
//!
//! A node without a TT move has poor move ordering, so a full-depth search of it is expensive. It is searched one
//! ply less deep; the next iteration then finds a TT move. Unsound as every reduction is.
//!
//! Source: Schröder (Rebel), 2021, in place of internal iterative deepening.

use super::Node;

/// The minimum depth for IIR, in plies.
const MIN_DEPTH: i32 = 4;

/// Returns the plies by which a node is reduced for want of a TT move: 0 or 1.
#[inline(always)]
pub(super) fn internal_iterative_reduction(node: &Node<'_>, is_pv: bool) -> i32 {
    let reduces = (is_pv || node.cut_node)
        && node.depth >= MIN_DEPTH
        && node.tt_move.is_none()
        && node.excluded.is_none();
    i32::from(reduces)
}
