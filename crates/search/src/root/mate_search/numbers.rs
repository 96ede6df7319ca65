//! Proof and disproof numbers: the states of nodes, and which child is searched next, up to which numbers.

use crate::tt::MAX_PROOF_NUMBER;
use tabiya_core::{Key, Move};

/// The number that stands for "impossible": the proof number of a refuted mate, and the disproof number of a proven one.
pub(super) const IMPOSSIBLE: u32 = MAX_PROOF_NUMBER;
/// The maximum number of a node that is neither proven nor refuted.
pub(super) const MAX_OPEN: u32 = IMPOSSIBLE - 1;
/// The margin of a child's threshold over the second-best child: this part of the latter's number. It saves changing between
/// children that are about equally good.
const MARGIN_DIVISOR: u32 = 4;

/// The state of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeState {
    pub(super) proof: u32,
    pub(super) disproof: u32,
    /// The length of the longest line of the proof found, in plies; meaningless if the mate is not proven.
    pub(super) length: u32,
}

impl NodeState {
    pub(super) const REFUTED: NodeState = NodeState { proof: IMPOSSIBLE, disproof: 0, length: 0 };

    pub(super) const fn proven(length: u32) -> NodeState {
        NodeState { proof: 0, disproof: IMPOSSIBLE, length }
    }

    pub(super) fn is_proven(self) -> bool {
        self.proof == 0
    }

    pub(super) fn is_refuted(self) -> bool {
        self.disproof == 0
    }

    pub(super) fn is_decided(self) -> bool {
        self.is_proven() || self.is_refuted()
    }

    pub(super) fn into_proven(self) -> Option<NodeState> {
        self.is_proven().then_some(self)
    }
}

/// The numbers up to which a node is searched, exclusive.
#[derive(Clone, Copy)]
pub(super) struct Thresholds {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Thresholds {
    /// The thresholds of a search for a proof or a refutation.
    pub(super) const NONE: Thresholds = Thresholds { proof: IMPOSSIBLE, disproof: IMPOSSIBLE };

    pub(super) fn are_reached(self, numbers: NodeState) -> bool {
        numbers.proof >= self.proof || numbers.disproof >= self.disproof
    }
}

/// A move and the node after it.
pub(super) struct Child<M = Move> {
    pub(super) mv: M,
    /// The key of the node in the transposition table.
    pub(super) key: Key,
    pub(super) numbers: NodeState,
}

/// A child of a node with the attacker to move; without a move, it stands for all moves that give no check, while the search has not looked
/// at them yet.
pub(super) type AttackChild = Child<Option<Move>>;

/// The child to search next, and what its siblings contribute. The *leading* number is the one of which the parent takes the minimum
/// over its children: the proof number if the attacker is to move.
pub(super) struct Selection {
    pub(super) index: usize,
    /// The lowest leading number.
    pub(super) lowest: u32,
    /// The second-lowest leading number.
    pub(super) second: u32,
    /// The sum of the other numbers.
    pub(super) sum: u32,
    /// The largest of the other numbers.
    pub(super) largest: u32,
}

/// Selects the child with the lowest leading number, the first if there are several; `numbers` returns a child's leading and other
/// number. There are at most 218 children, so that the sum fits.
pub(super) fn select<M>(children: &[Child<M>], numbers: impl Fn(NodeState) -> (u32, u32)) -> Selection {
    let mut selection = Selection { index: 0, lowest: IMPOSSIBLE, second: IMPOSSIBLE, sum: 0, largest: 0 };
    for (index, child) in children.iter().enumerate() {
        let (leading, other) = numbers(child.numbers);
        if leading < selection.lowest {
            (selection.second, selection.lowest) = (selection.lowest, leading);
            selection.index = index;
        } else {
            selection.second = selection.second.min(leading);
        }
        selection.sum += other;
        selection.largest = selection.largest.max(other);
    }
    selection
}

/// Returns a child's threshold of the leading number.
pub(super) fn leading_threshold(threshold: u32, second: u32) -> u32 {
    threshold.min(second.saturating_add(second / MARGIN_DIVISOR + 1)).min(IMPOSSIBLE)
}

/// Returns the threshold of the other number of a child whose siblings contribute `rest` to that of the parent.
pub(super) fn sum_threshold(threshold: u32, rest: u32, own: u32) -> u32 {
    if threshold == IMPOSSIBLE { IMPOSSIBLE } else { threshold.saturating_sub(rest).max(own + 1) }
}
