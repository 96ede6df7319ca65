//! [`MoveList`]: a list of moves of fixed capacity, on the stack.

// The elements past the end of a list are not initialised: a search makes three lists in each node, and filling them with
// some move takes 3 % of its time.
#![allow(unsafe_code)]

use crate::Move;
use core::fmt;
use core::iter::FusedIterator;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

const CAPACITY: usize = 256;

/// A list of up to 256 moves, stored on the stack. It dereferences to a slice.
///
/// Positions of games have at most 218 legal moves. For arbitrary set-ups with sixteen pieces a side no bound is proven; simulated
/// annealing finds 241 at most (the example `most_moves` of `tabiya-movegen`).
#[derive(Clone)]
pub struct MoveList {
    /// The first `len` are initialised.
    moves: [MaybeUninit<Move>; CAPACITY],
    len: usize,
}

impl MoveList {
    /// The maximum number of moves in a list.
    pub const CAPACITY: usize = CAPACITY;

    /// Creates an empty list.
    #[inline]
    pub const fn new() -> MoveList {
        MoveList { moves: [const { MaybeUninit::uninit() }; CAPACITY], len: 0 }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// Panics if the list is full.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len].write(mv);
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
        self.swap(index, last);
        let removed = self[last];
        self.len = last;
        removed
    }

    /// Keeps only the moves for which `keep` returns true, preserving their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let mv = self[index];
            if keep(mv) {
                self[kept] = mv;
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
        let moves: *const [MaybeUninit<Move>] = &self.moves[..self.len];
        // SAFETY: these are initialised; `MaybeUninit<Move>` has the layout of `Move`.
        unsafe { &*(moves as *const [Move]) }
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        let moves: *mut [MaybeUninit<Move>] = &mut self.moves[..self.len];
        // SAFETY: as for `deref`. Only moves can be written through the reference.
        unsafe { &mut *(moves as *mut [Move]) }
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
    type IntoIter = MoveListIter;

    #[inline]
    fn into_iter(self) -> MoveListIter {
        MoveListIter { next: 0, end: self.len, list: self }
    }
}

/// The iterator over the moves of a [`MoveList`], by value.
#[derive(Clone, Debug)]
pub struct MoveListIter {
    list: MoveList,
    next: usize,
    end: usize,
}

impl Iterator for MoveListIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let mv = *self.list[..self.end].get(self.next)?;
        self.next += 1;
        Some(mv)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.end - self.next;
        (len, Some(len))
    }
}

impl DoubleEndedIterator for MoveListIter {
    #[inline]
    fn next_back(&mut self) -> Option<Move> {
        let mv = *self.list[self.next..self.end].last()?;
        self.end -= 1;
        Some(mv)
    }
}

impl ExactSizeIterator for MoveListIter {}

impl FusedIterator for MoveListIter {}

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
    use crate::{MoveKind, Square};

    #[test]
    fn iterates_from_both_ends() {
        let moves: Vec<Move> =
            (1..6).map(|n| Move::new(Square::A1, Square::wrapping(n), MoveKind::Quiet)).collect();
        let list: MoveList = moves.iter().copied().collect();
        assert!(list.clone().into_iter().eq(moves.iter().copied()));
        assert!(list.clone().into_iter().rev().eq(moves.iter().copied().rev()));
        let mut iter = list.into_iter();
        assert_eq!((iter.next(), iter.next_back(), iter.len()), (Some(moves[0]), Some(moves[4]), 3));
        assert_eq!((iter.by_ref().count(), iter.next(), iter.next_back()), (3, None, None));
    }

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
