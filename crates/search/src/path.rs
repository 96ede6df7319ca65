//! The positions that led to the current node, for repetitions.

mod reversal;

use tabiya_core::{Bitboard, Key};

/// The keys of the game up to the root, and of the line from the root to the current node.
#[derive(Debug)]
pub(crate) struct Path {
    keys: Vec<Key>,
    /// Where the root is.
    root: usize,
    /// The first position after the last null move: what was before it cannot be repeated by moves.
    barrier: usize,
}

impl Path {
    /// A path that is at the root: the last of the game's keys, which are given oldest first.
    pub(crate) fn new(mut keys: Vec<Key>) -> Path {
        keys.reserve(tabiya_core::MAX_PLY as usize);
        Path { root: keys.len().saturating_sub(1), keys, barrier: 0 }
    }

    /// Has a position come up twice on the way to the root since the last capture or pawn move, so many
    /// half-moves ago?
    pub(crate) fn has_repeated(&self, reversible: u16) -> bool {
        let from = self.root.saturating_sub(reversible.into());
        let keys = self.keys.get(from..=self.root).unwrap_or_default();
        keys.iter().enumerate().any(|(index, key)| keys[..index].contains(key))
    }

    /// A move has been made, which led to the position with this key.
    #[inline]
    pub(crate) fn push(&mut self, key: Key) {
        self.keys.push(key);
    }

    /// A null move has been made. Returns what [`pop_null`](Path::pop_null) wants back.
    #[inline]
    pub(crate) fn push_null(&mut self, key: Key) -> usize {
        let barrier = self.barrier;
        self.barrier = self.keys.len();
        self.keys.push(key);
        barrier
    }

    /// The null move has been taken back.
    #[inline]
    pub(crate) fn pop_null(&mut self, barrier: usize) {
        self.keys.pop();
        self.barrier = barrier;
    }

    /// The last move has been taken back.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Is the current position a draw by repetition? `reversible` is its half-move clock.
    ///
    /// A position met for the second time *within the search* counts as one. If the side that is
    /// better off could avoid the repetition profitably, it could have done so the first time;
    /// going round once more only hides the draw behind the horizon. A position that stood on the
    /// board in the game, the root among them, has to come up three times in all as the rule says:
    /// there a player has a choice that he did not have the first time.
    #[inline]
    pub(crate) fn is_repetition(&self, reversible: u16) -> bool {
        let Some(current) = self.keys.len().checked_sub(1) else { return false };
        let key = self.keys[current];
        let mut in_game = 0;
        // Four half-moves are the fewest that lead back.
        for back in (4..=usize::from(reversible).min(current - self.barrier)).step_by(2) {
            if self.keys[current - back] == key {
                in_game += 1;
                if current - back > self.root || in_game == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Can the side to move repeat a position of the search with its next move? `occupied` are the pieces
    /// of the current one.
    ///
    /// Why: then it has a draw at least, and that is known one ply before the repetition stands on the
    /// board. It is not asked whose piece makes the difference (the opponent may have lost a tempo on the way),
    /// nor whether the move is legal: then the draw is claimed wrongly, which is rare.
    #[inline]
    pub(crate) fn can_repeat(&self, reversible: u16, occupied: Bitboard) -> bool {
        let Some(current) = self.keys.len().checked_sub(1) else { return false };
        let first = self.barrier.max(self.root + 1);
        let most = usize::from(reversible).min(current.saturating_sub(first));
        (3..=most)
            .step_by(2)
            .any(|back| reversal::connects(self.keys[current] ^ self.keys[current - back], occupied))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    #[test]
    fn a_repetition_is_seen_one_move_ahead() {
        let mut position = Position::startpos();
        let mut path = Path::new(vec![position.key()]);
        let mut can_repeat = Vec::new();
        for text in ["e2e4", "e7e5", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3"] {
            position.play_unchecked(position.parse_uci(text).expect("legal"));
            path.push(position.key());
            can_repeat.push(path.can_repeat(position.halfmove_clock(), position.occupied()));
        }
        // After the knights' way back, Black can repeat with its own.
        assert_eq!(can_repeat, [false, false, false, false, true, true, true]);
        assert!(path.is_repetition(position.halfmove_clock()));
    }

    #[test]
    fn twice_in_the_tree() {
        let mut path = Path::new(vec![1]);
        for key in [2, 3, 4, 5] {
            path.push(key);
            assert!(!path.is_repetition(100));
        }
        path.push(2);
        assert!(path.is_repetition(100));
        assert!(path.is_repetition(4));
        assert!(!path.is_repetition(3), "a pawn move lies between");
        path.pop();
        path.push(1);
        assert!(!path.is_repetition(100), "the other side was to move");
    }

    #[test]
    fn not_across_a_null_move() {
        let mut path = Path::new(vec![1]);
        [2, 3].into_iter().for_each(|key| path.push(key));
        let barrier = path.push_null(4);
        [5, 2, 3].into_iter().for_each(|key| path.push(key));
        assert!(!path.is_repetition(100));
        (0..3).for_each(|_| path.pop());
        path.pop_null(barrier);
        [4, 5, 2].into_iter().for_each(|key| path.push(key));
        assert!(path.is_repetition(100));
    }

    #[test]
    fn repetitions_before_the_root() {
        let path = Path::new(vec![9, 1, 2, 3, 4, 1, 2]);
        assert!(
            path.has_repeated(6) && path.has_repeated(5) && path.has_repeated(4) && path.has_repeated(100)
        );
        assert!(!path.has_repeated(3));
        assert!(!Path::new(vec![1, 2, 3]).has_repeated(3) && !Path::new(Vec::new()).has_repeated(9));
    }

    #[test]
    fn three_times_with_the_game() {
        // The root is the position 1; it comes back once.
        let mut path = Path::new(vec![7, 1]);
        [2, 3, 4, 1].into_iter().for_each(|key| path.push(key));
        assert!(!path.is_repetition(100));
        // It has been there before; now it comes back for the third time.
        let mut path = Path::new(vec![1, 5, 6, 7, 1]);
        [2, 3, 4, 1].into_iter().for_each(|key| path.push(key));
        assert!(path.is_repetition(100));
        assert!(!path.is_repetition(7));
        assert!(!Path::new(Vec::new()).is_repetition(100));
    }
}
