//! What a side counts beyond its pieces: files of pawns, check, castling, the right to move.

use super::View;
use super::tables;
use tabiya_core::{Color, File, Rank, Square, Value};

/// The guide's "pawn count": for each file, not how many pawns stand on it but what they are worth
/// if no enemy pawn stands on it too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PawnFiles {
    counts: [Value; 8],
}

impl PawnFiles {
    /// Counts a pawn on `square` (as its own side sees it) with the action values against and for it.
    pub(super) fn add(&mut self, square: Square, attacked: Value, defended: Value) {
        let pick = |(seventh, sixth): (Value, Value)| match square.rank() {
            Rank::Seventh => seventh,
            Rank::Sixth => sixth,
            _ => 0,
        };
        let count = &mut self.counts[square.file().index()];
        *count += tables::FILE_COUNT;
        if attacked == 0 {
            *count += pick(tables::FILE_COUNT_ADVANCED);
            if defended != 0 {
                *count += pick(tables::FILE_COUNT_PROTECTED);
            }
        }
    }

    /// Has a pawn been counted on this file?
    pub(super) fn has_pawn(&self, file: File) -> bool {
        self.counts[file.index()] > 0
    }

    fn has_neighbour(&self, file: File) -> bool {
        let index = file.index();
        index > 0 && self.counts[index - 1] > 0 || index < 7 && self.counts[index + 1] > 0
    }
}

/// What one side counts beyond its pieces, from its own point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideTrace {
    /// Giving check: 75, and 20 more in the end game.
    pub check: Value,
    /// Having castled: 40.
    pub castled: Value,
    /// Being to move: 10.
    pub to_move: Value,
    /// Isolated pawns, by file: on a and h -12, b and g -14, c and f -16, d and e -20.
    pub isolated: [Value; 8],
    /// Files with own pawns and no enemy pawn, by file: 10 for each pawn; for an unattacked pawn on
    /// the sixth rank 100 more, on the seventh 200 more, and 25 or 50 on top where it is protected.
    pub passed: [Value; 8],
}

impl SideTrace {
    /// The sum of everything.
    pub fn total(&self) -> Value {
        self.check
            + self.castled
            + self.to_move
            + self.isolated.iter().sum::<Value>()
            + self.passed.iter().sum::<Value>()
    }
}

/// The terms of one side, `files` being what the pawns of White and Black left on their files.
pub(super) fn evaluate(view: &View<'_>, files: &[PawnFiles; 2], color: Color) -> SideTrace {
    let (own, enemy) = (&files[color.index()], &files[(!color).index()]);
    let to_move = view.position.side_to_move() == color;
    let check = match (view.position.in_check() && !to_move, view.end_game) {
        (false, _) => 0,
        (true, false) => tables::CHECK,
        (true, true) => tables::CHECK + tables::CHECK_END_GAME,
    };
    SideTrace {
        check,
        castled: if view.past.has_castled(color) { tables::CASTLED } else { 0 },
        to_move: if to_move { tables::TO_MOVE } else { 0 },
        isolated: File::ALL.map(|file| {
            let isolated = own.has_pawn(file) && !own.has_neighbour(file);
            if isolated { tables::ISOLATED[file.index()] } else { 0 }
        }),
        passed: File::ALL.map(|file| if enemy.has_pawn(file) { 0 } else { own.counts[file.index()] }),
    }
}
