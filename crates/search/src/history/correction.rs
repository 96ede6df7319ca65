//! Correction history.
//!
//! An evaluation errs systematically: what it gets wrong in one position with a pawn structure it gets wrong
//! in the next, and the search has seen the better value. The difference is remembered for positions that
//! have a part in common (the pawns, the minor pieces and kings, one side's pieces, or the last two moves),
//! and the static evaluation is shifted by it. The margins of the pruning techniques profit. It cannot make a
//! result wrong by itself, but decides what is pruned.
//!
//! Source: Witanowski (Caissa), 2023.

use crate::params;
use crate::stack::{PIECE_TO_COUNT, Stack};
use tabiya_core::{Color, Key, Value};
use tabiya_movegen::Position;

/// The number of entries per key and side, a power of two.
const ENTRIES: usize = 16_384;
/// The maximum absolute entry, in 1024ths of a centipawn for a weight of 1.
const CORRECTION_MAX: i32 = 1024;

/// A table indexed by side to move and key.
type KeyTable = Box<[[i16; ENTRIES]; 2]>;

/// The average errors of the static evaluation, by parts of the position.
#[derive(Debug)]
pub(crate) struct CorrectionHistory {
    pawns: KeyTable,
    minors: KeyTable,
    /// White's pieces, Black's pieces.
    pieces: [KeyTable; 2],
    /// Indexed by the second last and the last move.
    continuation: Box<[[i16; PIECE_TO_COUNT + 1]]>,
}

fn key_table() -> KeyTable {
    Box::new([[0; ENTRIES]; 2])
}

fn index(key: Key) -> usize {
    key as usize % ENTRIES
}

/// Adds a bonus to an entry; it counts less the closer the entry is to that end of the range.
fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / CORRECTION_MAX) as i16;
}

impl CorrectionHistory {
    pub(super) fn new() -> CorrectionHistory {
        CorrectionHistory {
            pawns: key_table(),
            minors: key_table(),
            pieces: [key_table(), key_table()],
            continuation: vec![[0; PIECE_TO_COUNT + 1]; PIECE_TO_COUNT + 1].into(),
        }
    }

    pub(super) fn clear(&mut self) {
        let [white, black] = &mut self.pieces;
        for table in [&mut self.pawns, &mut self.minors, white, black] {
            table.as_flattened_mut().fill(0);
        }
        self.continuation.as_flattened_mut().fill(0);
    }

    /// Returns the correction of a position's static evaluation, in centipawns.
    #[inline]
    pub(crate) fn value(&self, position: &Position, stack: &Stack, ply: usize) -> Value {
        let side = position.side_to_move().index();
        let keys = stack[ply].keys;
        let entry = |table: &KeyTable, key| i32::from(table[side][index(key)]);
        let pieces = entry(&self.pieces[0], keys.pieces[Color::White.index()])
            + entry(&self.pieces[1], keys.pieces[Color::Black.index()]);
        let (second_last, last) = last_moves(stack, ply);
        let sum = params::correction_pawn() * entry(&self.pawns, position.pawn_key())
            + params::correction_minor() * entry(&self.minors, keys.minor)
            + params::correction_pieces() * pieces
            + params::correction_continuation() * i32::from(self.continuation[second_last][last]);
        sum / 1024
    }

    /// Takes in the difference between the value found by a search of this depth and the static evaluation.
    pub(crate) fn update(
        &mut self,
        difference: Value,
        depth: i32,
        position: &Position,
        stack: &Stack,
        ply: usize,
    ) {
        let bonus = (difference * depth / 8).clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        let side = position.side_to_move().index();
        let keys = stack[ply].keys;
        update(&mut self.pawns[side][index(position.pawn_key())], bonus);
        update(&mut self.minors[side][index(keys.minor)], bonus);
        for (table, key) in self.pieces.iter_mut().zip(keys.pieces) {
            update(&mut table[side][index(key)], bonus);
        }
        let (second_last, last) = last_moves(stack, ply);
        update(&mut self.continuation[second_last][last], bonus);
    }
}

/// Returns the second last and the last move before `ply`.
fn last_moves(stack: &Stack, ply: usize) -> (usize, usize) {
    (usize::from(stack.before(ply, 2).moved), usize::from(stack.before(ply, 1).moved))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correction_follows_the_search() {
        let position = Position::startpos();
        let mut stack = Stack::new();
        stack.reset(position.board());
        let mut correction = CorrectionHistory::new();
        assert_eq!(correction.value(&position, &stack, 0), 0);
        (0..50).for_each(|_| correction.update(100, 8, &position, &stack, 0));
        assert!(correction.value(&position, &stack, 0) > 0);
        (0..200).for_each(|_| correction.update(-5000, 20, &position, &stack, 0));
        assert!(correction.value(&position, &stack, 0) < 0);
        correction.clear();
        assert_eq!(correction.value(&position, &stack, 0), 0);
    }
}
