//! History pruning.
//!
//! At low depth, a quiet move is skipped if it has often failed to cut off after the same preceding moves.
//! Unsound where the position differs in what made those moves fail.
//!
//! In common use since the 2010s, on continuation histories.

use super::Node;
use crate::params;
use tabiya_core::Move;

/// The maximum depth for history pruning, in plies.
const MAX_DEPTH: i32 = 4;

/// Returns true if a quiet move with this pruning history is skipped.
#[inline(always)]
pub(super) fn history_pruning(node: &Node<'_>, mv: Move, history: i32) -> bool {
    mv.is_quiet() && node.depth <= MAX_DEPTH && history < threshold(node.depth)
}

/// The history score below which a quiet move is skipped.
fn threshold(depth: i32) -> i32 {
    -params::history_pruning_slope() * depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threshold_falls_with_depth() {
        assert!((1..=MAX_DEPTH).all(|depth| threshold(depth) > threshold(depth + 1)));
    }
}
