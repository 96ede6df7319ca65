//! [`MoveList`]: a list of moves of fixed capacity, on the stack.

use crate::{Move, MoveKind, Square};
use core::fmt;
use core::ops::{Deref, DerefMut};

const CAPACITY: usize = 256;
/// The contents of unused elements.
const FILLER: Move = Move::new(Square::A1, Square::B1, MoveKind::Quiet);

/// A list of up to 256 moves, stored on the stack. It dereferences to a slice.
///
/// Positions of games have at most 218 legal moves. For arbitrary set-ups with sixteen pieces a side no bound is proven; simulated
/// annealing finds 241 at most (the example `most_moves` of `tabiya-movegen`).
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; CAPACITY],
    len: usize,
}

impl MoveList {
    /// The maximum number of moves in a list.
    pub const CAPACITY: usize = CAPACITY;

    /// Creates an empty list.
    #[inline]
    pub const fn new() -> MoveList {
        MoveList { moves: [FILLER; CAPACITY], len: 0 }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// Panics if the list is full.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    /// Empties the list.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Removes and returns the move at `index`, replacing it by the last move of the list.
    ///
    /// # Panics
    /// Panics if `index` is out of bounds.
    #[inline]
    pub fn swap_remove(&mut self, index: usize) -> Move {
        let last = self.len - 1;
        self.moves[..self.len].swap(index, last);
        self.len = last;
        self.moves[last]
    }

    /// Keeps only the moves for which `keep` returns true, preserving their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let mv = self.moves[index];
            if keep(mv) {
                self.moves[kept] = mv;
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

/// Compares the moves and their order.
impl PartialEq for MoveList {
    fn eq(&self, other: &MoveList) -> bool {
        **self == **other
    }
}

impl Eq for MoveList {}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = core::iter::Copied<core::slice::Iter<'a, Move>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = core::iter::Take<core::array::IntoIter<Move, CAPACITY>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

impl Extend<Move> for MoveList {
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        moves.into_iter().for_each(|mv| self.push(mv));
    }
}

impl FromIterator<Move> for MoveList {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveList {
        let mut list = MoveList::new();
        list.extend(moves);
        list
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_retains_and_clears() {
        let moves: Vec<Move> =
            (1..6).map(|n| Move::new(Square::A1, Square::wrapping(n), MoveKind::Quiet)).collect();
        let mut list: MoveList = moves.iter().copied().collect();
        assert_eq!(&list[..], &moves[..]);
        assert_eq!(list.swap_remove(1), moves[1]);
        assert_eq!(&list[..], &[moves[0], moves[4], moves[2], moves[3]]);
        list.retain(|mv| mv != moves[4]);
        assert_eq!(list.clone().into_iter().collect::<Vec<_>>(), [moves[0], moves[2], moves[3]]);
        assert_eq!(list, list.iter().copied().collect());
        list.clear();
        assert!(list.is_empty() && list == MoveList::new());
    }
}
