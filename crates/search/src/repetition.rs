//! Draws by repetition, detected from the keys of the game and of the current line.

mod cuckoo;

use tabiya_core::{Bitboard, Key, MAX_PLY};

/// The keys of the game's positions up to the root, and of the line from the root to the current node.
#[derive(Debug)]
pub(crate) struct KeyHistory {
    keys: Vec<Key>,
    /// The index of the root.
    root: usize,
    /// The index of the first position after the last null move: earlier ones cannot be repeated by moves.
    null_boundary: usize,
}

impl KeyHistory {
    /// Creates the history of a game, oldest key first; the last key is the root's.
    pub(crate) fn new(mut keys: Vec<Key>) -> KeyHistory {
        keys.reserve(MAX_PLY as usize);
        KeyHistory { root: keys.len().saturating_sub(1), keys, null_boundary: 0 }
    }

    /// Returns true if a position has occurred twice in the game since the last capture or pawn move, which
    /// was `halfmove_clock` plies before the root.
    pub(crate) fn has_repeated_in_game(&self, halfmove_clock: u16) -> bool {
        self.repetitions_in_game(halfmove_clock).next().is_some()
    }

    /// Returns the keys of the positions that have occurred twice in the game since the last capture or pawn move, which was
    /// `halfmove_clock` plies before the root.
    pub(crate) fn repetitions_in_game(&self, halfmove_clock: u16) -> impl Iterator<Item = Key> {
        let from = self.root.saturating_sub(halfmove_clock.into());
        let keys = self.keys.get(from..=self.root).unwrap_or_default();
        keys.iter().enumerate().filter(|(index, key)| keys[..*index].contains(key)).map(|(_, &key)| key)
    }

    /// Appends the key of the position after a move.
    #[inline]
    pub(crate) fn push(&mut self, key: Key) {
        self.keys.push(key);
    }

    /// Removes the key of the last move.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Appends the key of the position after a null move. Returns the argument of
    /// [`pop_null`](Self::pop_null).
    #[inline]
    pub(crate) fn push_null(&mut self, key: Key) -> usize {
        let boundary = self.null_boundary;
        self.null_boundary = self.keys.len();
        self.keys.push(key);
        boundary
    }

    /// Removes the key of the last null move.
    #[inline]
    pub(crate) fn pop_null(&mut self, boundary: usize) {
        self.keys.pop();
        self.null_boundary = boundary;
    }

    /// Returns true if the current position, with this half-move clock, counts as a draw by repetition.
    ///
    /// A second occurrence *within the search* suffices: a side that can gain by deviating could have done so
    /// the first time, and another cycle would only hide the draw beyond the horizon. A position from the
    /// game, the root included, must occur three times in all, as the rules say, because from its first
    /// occurrence the game did not necessarily continue with the best moves.
    #[inline]
    pub(crate) fn is_repetition(&self, halfmove_clock: u16) -> bool {
        let Some(current) = self.keys.len().checked_sub(1) else { return false };
        let key = self.keys[current];
        let mut occurrences_in_game = 0;
        // A position cannot recur in fewer than four plies.
        for back in (4..=usize::from(halfmove_clock).min(current - self.null_boundary)).step_by(2) {
            if self.keys[current - back] == key {
                occurrences_in_game += 1;
                if current - back > self.root || occurrences_in_game == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Returns true if the side to move can repeat a position of the search with its next move, so that it
    /// has at least a draw. `occupied` is the set of occupied squares of the current position.
    ///
    /// Detects a repetition one ply before it is on the board. The test ignores whether the move is legal and whose it is: the
    /// difference may be that of the opponent's piece after three moves. Other engines require that the opponent's moves cancel,
    /// which was not better here (docs/experiments.md).
    #[inline]
    pub(crate) fn has_upcoming_repetition(&self, halfmove_clock: u16, occupied: Bitboard) -> bool {
        let Some(current) = self.keys.len().checked_sub(1) else { return false };
        let first = self.null_boundary.max(self.root + 1);
        let max_distance = usize::from(halfmove_clock).min(current.saturating_sub(first));
        (3..=max_distance)
            .step_by(2)
            .any(|back| cuckoo::is_one_move_apart(self.keys[current] ^ self.keys[current - back], occupied))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    #[test]
    fn upcoming_repetition_is_detected_one_ply_ahead() {
        let mut position = Position::startpos();
        let mut history = KeyHistory::new(vec![position.key()]);
        let mut upcoming = Vec::new();
        for text in ["e2e4", "e7e5", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3"] {
            position.play_unchecked(position.parse_uci(text).expect("legal"));
            history.push(position.key());
            upcoming.push(history.has_upcoming_repetition(position.halfmove_clock(), position.occupied()));
        }
        // After f3g1 Black can repeat with f6g8.
        assert_eq!(upcoming, [false, false, false, false, true, true, true]);
        assert!(history.is_repetition(position.halfmove_clock()));
    }

    #[test]
    fn second_occurrence_in_the_search_is_a_draw() {
        let mut history = KeyHistory::new(vec![1]);
        for key in [2, 3, 4, 5] {
            history.push(key);
            assert!(!history.is_repetition(100));
        }
        history.push(2);
        assert!(history.is_repetition(100));
        assert!(history.is_repetition(4));
        assert!(!history.is_repetition(3), "a pawn move lies between");
        history.pop();
        history.push(1);
        assert!(!history.is_repetition(100), "the other side was to move");
    }

    #[test]
    fn null_move_separates_repetitions() {
        let mut history = KeyHistory::new(vec![1]);
        [2, 3].into_iter().for_each(|key| history.push(key));
        let boundary = history.push_null(4);
        [5, 2, 3].into_iter().for_each(|key| history.push(key));
        assert!(!history.is_repetition(100));
        (0..3).for_each(|_| history.pop());
        history.pop_null(boundary);
        [4, 5, 2].into_iter().for_each(|key| history.push(key));
        assert!(history.is_repetition(100));
    }

    #[test]
    fn repetition_in_the_game_needs_a_second_occurrence_since_the_last_pawn_move() {
        let history = KeyHistory::new(vec![9, 1, 2, 3, 4, 1, 2]);
        assert!([4, 5, 6, 100].into_iter().all(|clock| history.has_repeated_in_game(clock)));
        assert!(!history.has_repeated_in_game(3));
        assert!(!KeyHistory::new(vec![1, 2, 3]).has_repeated_in_game(3));
        assert!(!KeyHistory::new(Vec::new()).has_repeated_in_game(9));
    }

    #[test]
    fn position_from_the_game_needs_three_occurrences() {
        // The root is the position 1, which recurs once.
        let mut history = KeyHistory::new(vec![7, 1]);
        [2, 3, 4, 1].into_iter().for_each(|key| history.push(key));
        assert!(!history.is_repetition(100));
        // Here it has occurred in the game before.
        let mut history = KeyHistory::new(vec![1, 5, 6, 7, 1]);
        [2, 3, 4, 1].into_iter().for_each(|key| history.push(key));
        assert!(history.is_repetition(100));
        assert!(!history.is_repetition(7));
        assert!(!KeyHistory::new(Vec::new()).is_repetition(100));
    }
}
