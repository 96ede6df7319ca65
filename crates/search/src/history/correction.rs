//! Correction history.
//!
//! The evaluation errs systematically: an error in one position is likely to recur in positions that have a
//! part in common with it (the pawns, the minor pieces and kings, one side's pieces, or the last two moves).
//! For each such part, the average difference between search values and the static evaluation is stored, and
//! later evaluations are shifted by it, which makes the margins of the pruning techniques more reliable.
//!
//! Source: Witanowski (Caissa), 2023.

use super::table::add_with_gravity;
use crate::memory::OutOfMemory;
use crate::params;
use crate::prefetch::prefetch;
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
    /// Indexed by the colour of the pieces.
    pieces: [KeyTable; 2],
    /// Indexed by the second last and the last move.
    continuation: Box<[[i16; PIECE_TO_COUNT + 1]]>,
}

fn key_table() -> Result<KeyTable, OutOfMemory> {
    bytemuck::try_zeroed_box().map_err(|()| OutOfMemory)
}

fn index(key: Key) -> usize {
    key as usize % ENTRIES
}

impl CorrectionHistory {
    pub(super) fn new() -> Result<CorrectionHistory, OutOfMemory> {
        Ok(CorrectionHistory {
            pawns: key_table()?,
            minors: key_table()?,
            pieces: [key_table()?, key_table()?],
            continuation: bytemuck::try_zeroed_slice_box(PIECE_TO_COUNT + 1).map_err(|()| OutOfMemory)?,
        })
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
        let [pawns, minors, white, black, continuation] =
            self.entries(position, stack, ply).map(|&entry| i32::from(entry));
        let sum = params::correction_pawn() * pawns
            + params::correction_minor() * minors
            + params::correction_pieces() * (white + black)
            + params::correction_continuation() * continuation;
        sum / 1024
    }

    /// Prefetches what [`value`](Self::value) will read.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position, stack: &Stack, ply: usize) {
        self.entries(position, stack, ply).into_iter().for_each(prefetch);
    }

    /// The entries of a position, in the order of the tables.
    #[inline(always)]
    fn entries(&self, position: &Position, stack: &Stack, ply: usize) -> [&i16; 5] {
        let side = position.side_to_move().index();
        let keys = stack[ply].keys;
        let [white, black] = &self.pieces;
        let (second_last, last) = last_moves(stack, ply);
        [
            &self.pawns[side][index(position.pawn_key())],
            &self.minors[side][index(keys.minor)],
            &white[side][index(keys.pieces[Color::White.index()])],
            &black[side][index(keys.pieces[Color::Black.index()])],
            &self.continuation[second_last][last],
        ]
    }

    /// Updates the entries of a position with the difference between the value of a search of this depth and
    /// the static evaluation.
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
        let update = |entry: &mut i16| add_with_gravity(entry, bonus, CORRECTION_MAX);
        update(&mut self.pawns[side][index(position.pawn_key())]);
        update(&mut self.minors[side][index(keys.minor)]);
        for (table, key) in self.pieces.iter_mut().zip(keys.pieces) {
            update(&mut table[side][index(key)]);
        }
        let (second_last, last) = last_moves(stack, ply);
        update(&mut self.continuation[second_last][last]);
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
        let mut correction = CorrectionHistory::new().expect("enough memory");
        assert_eq!(correction.value(&position, &stack, 0), 0);
        (0..50).for_each(|_| correction.update(100, 8, &position, &stack, 0));
        assert!(correction.value(&position, &stack, 0) > 0);
        (0..200).for_each(|_| correction.update(-5000, 20, &position, &stack, 0));
        assert!(correction.value(&position, &stack, 0) < 0);
        correction.clear();
        assert_eq!(correction.value(&position, &stack, 0), 0);
    }
}
