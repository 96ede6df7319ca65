//! Depth in hindsight.
//!
//! A late move is reduced before anybody has looked at the position after it. The evaluation of that position tells whether the
//! reduction was right: if the move lost nothing, the node is searched a ply deeper, and if it lost much, a ply less deep. Unsound where
//! the evaluation misses why the move is good or bad.
//!
//! In common use since the early 2020s.

use super::Node;
use crate::params;
use tabiya_core::Value;

/// The reduction of the last move, in plies, from which a node can be searched deeper.
const DEEPER_REDUCTION: i32 = 3;
/// The reduction of the last move, in plies, from which a node can be searched less deep.
const SHALLOWER_REDUCTION: i32 = 2;

/// Returns the change of depth, in plies. `reduction` is that of the opponent's move, and `lost` is what it lost by the evaluation.
#[inline(always)]
pub(super) fn depth_in_hindsight(node: &Node<'_>, reduction: i32, lost: Value) -> i32 {
    if reduction >= DEEPER_REDUCTION && lost <= 0 {
        1
    } else if reduction >= SHALLOWER_REDUCTION && lost > params::hindsight_margin() && node.depth >= 2 {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    #[test]
    fn depth_depends_on_what_the_reduced_move_lost() {
        let position = Position::startpos();
        let change =
            |depth, reduction, lost| depth_in_hindsight(&Node::for_test(&position, depth), reduction, lost);
        let much = params::hindsight_margin() + 1;
        assert_eq!([change(5, 3, 0), change(5, 3, 1), change(5, 3, much)], [1, 0, -1]);
        assert_eq!([change(5, 2, -100), change(5, 2, much), change(1, 2, much)], [0, -1, 0]);
        assert_eq!([change(5, 1, -100), change(5, 1, much)], [0, 0]);
    }
}
