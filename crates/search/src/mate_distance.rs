//! Mate distance pruning.
//!
//! At worst the side to move is already checkmated, and at best its next move mates, so the value of a node lies between
//! these two mates, and the window is narrowed to that range. If it becomes empty, a shorter mate has been found
//! elsewhere, and the node is pruned. This is sound: it does not change the value of the root.

use tabiya_core::{Value, mate_in, mated_in};

/// Returns the window narrowed to the values that are possible at `ply`. It is empty (alpha at or above beta)
/// if the node can be pruned with the value alpha.
#[inline(always)]
pub(crate) fn narrow_window(ply: usize, alpha: Value, beta: Value) -> (Value, Value) {
    (alpha.max(mated_in(ply as Value)), beta.min(mate_in(ply as Value + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::INFINITE;

    #[test]
    fn keeps_only_possible_values() {
        assert_eq!(narrow_window(4, -INFINITE, INFINITE), (mated_in(4), mate_in(5)));
        assert_eq!(narrow_window(4, -10, 10), (-10, 10));
    }

    #[test]
    fn window_is_empty_if_a_shorter_mate_is_known() {
        let (alpha, beta) = narrow_window(4, mate_in(5), INFINITE);
        assert!(alpha >= beta);
        let (alpha, beta) = narrow_window(4, mate_in(7), INFINITE);
        assert!(alpha < beta);
    }
}
