use crate::params;
use crate::stack::{PIECE_TO_COUNT, Stack};
use tabiya_core::{Color, Key, Value};
use tabiya_movegen::Position;

/// How many keys of each kind are told apart. A power of two.
const KEYS: usize = 16_384;
/// The largest correction of a single table, in 256ths of a weight.
const LIMIT: i32 = 1024;

/// How far the static evaluation was off in positions that have something in common with this one: the
/// same pawns, minor pieces or pieces of one side, or the same last two moves.
///
/// Why: an evaluation errs systematically. What it gets wrong in one position with this pawn structure it
/// gets wrong in the next, and the search has seen what was right. Margins that compare the evaluation
/// with the window are the better for it. It cannot make the result wrong by itself, but decides on
/// what is pruned. First in Caissa by Michał Witanowski (2023).
#[derive(Debug)]
pub(crate) struct Corrections {
    /// Each indexed by side to move and key.
    pawns: Box<[[i16; KEYS]; 2]>,
    minors: Box<[[i16; KEYS]; 2]>,
    /// White's pieces, Black's pieces.
    pieces: [Box<[[i16; KEYS]; 2]>; 2],
    /// Indexed by the move two plies before and the last one.
    continuation: Box<[[i16; PIECE_TO_COUNT + 1]]>,
}

fn zeroed() -> Box<[[i16; KEYS]; 2]> {
    Box::new([[0; KEYS]; 2])
}

fn slot(key: Key) -> usize {
    key as usize % KEYS
}

/// A weighted step of `old` towards `bonus`.
fn step(cell: &mut i16, bonus: i32) {
    let old = i32::from(*cell);
    *cell = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

impl Corrections {
    pub(super) fn new() -> Corrections {
        Corrections {
            pawns: zeroed(),
            minors: zeroed(),
            pieces: [zeroed(), zeroed()],
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

    /// What has to be added to the evaluation, as experience goes.
    #[inline]
    pub(crate) fn of(&self, position: &Position, stack: &Stack, ply: usize) -> Value {
        let side = position.side_to_move().index();
        let keys = stack[ply].keys;
        let of = |table: &[[i16; KEYS]; 2], key| i32::from(table[side][slot(key)]);
        let pieces = of(&self.pieces[0], keys.pieces[Color::White.index()])
            + of(&self.pieces[1], keys.pieces[Color::Black.index()]);
        let (before, last) = moves(stack, ply);
        let sum = params::correction_pawn() * of(&self.pawns, position.pawn_key())
            + params::correction_minor() * of(&self.minors, keys.minor)
            + params::correction_pieces() * pieces
            + params::correction_continuation() * i32::from(self.continuation[before][last]);
        sum / 1024
    }

    /// The search has found the position to be worth `difference` more than the evaluation said.
    pub(crate) fn learn(
        &mut self,
        difference: Value,
        depth: i32,
        position: &Position,
        stack: &Stack,
        ply: usize,
    ) {
        let bonus = (difference * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        let side = position.side_to_move().index();
        let keys = stack[ply].keys;
        step(&mut self.pawns[side][slot(position.pawn_key())], bonus);
        step(&mut self.minors[side][slot(keys.minor)], bonus);
        for (table, key) in self.pieces.iter_mut().zip(keys.pieces) {
            step(&mut table[side][slot(key)], bonus);
        }
        let (before, last) = moves(stack, ply);
        step(&mut self.continuation[before][last], bonus);
    }
}

/// The last two moves.
fn moves(stack: &Stack, ply: usize) -> (usize, usize) {
    (usize::from(stack.before(ply, 2).moved), usize::from(stack.before(ply, 1).moved))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_move_towards_what_was_found() {
        let position = Position::startpos();
        let mut stack = Stack::new();
        stack.reset(position.board());
        let mut corrections = Corrections::new();
        assert_eq!(corrections.of(&position, &stack, 0), 0);
        (0..50).for_each(|_| corrections.learn(100, 8, &position, &stack, 0));
        let correction = corrections.of(&position, &stack, 0);
        assert!((20..680).contains(&correction), "{correction}");
        (0..200).for_each(|_| corrections.learn(-5000, 20, &position, &stack, 0));
        assert!((-700..-20).contains(&corrections.of(&position, &stack, 0)));
        corrections.clear();
        assert_eq!(corrections.of(&position, &stack, 0), 0);
    }
}
