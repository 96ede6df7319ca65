//! Internal iterative reduction (IIR).
//!
//! A node without a TT move has poor move ordering, so a full-depth search of it is expensive. PV nodes and
//! expected cut nodes are searched one ply less deep instead; the next iteration then has a TT move. As
//! unsound as any reduction.
//!
//! Source: Schröder (Rebel), 2020, as an alternative to internal iterative deepening.

use super::Node;

/// The minimum depth for IIR, in plies.
const MIN_DEPTH: i32 = 4;

/// Returns the reduction of a node, in plies: 1 for a PV or expected cut node without a TT move, otherwise 0.
#[inline(always)]
pub(super) fn internal_iterative_reduction(node: &Node<'_>, is_pv: bool) -> i32 {
    let reduces = (is_pv || node.cut_node)
        && node.depth >= MIN_DEPTH
        && node.tt_move.is_none()
        && node.excluded.is_none();
    i32::from(reduces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    #[test]
    fn reduces_nodes_without_a_tt_move_only() {
        let position = Position::startpos();
        let mut node = Node::for_test(&position, MIN_DEPTH);
        assert_eq!(internal_iterative_reduction(&node, true), 1);
        assert_eq!(internal_iterative_reduction(&node, false), 0, "an expected all node");
        node.cut_node = true;
        assert_eq!(internal_iterative_reduction(&node, false), 1);
        node.tt_move = position.legal_moves().first().copied();
        assert_eq!(internal_iterative_reduction(&node, false), 0);
        let shallow = Node::for_test(&position, MIN_DEPTH - 1);
        assert_eq!(internal_iterative_reduction(&shallow, true), 0);
    }
}
