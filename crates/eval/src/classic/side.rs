//! The terms of a side besides its pieces: pawn files, check, castling, the right to move.

use super::Context;
use super::tables;
use tabiya_core::{Color, File, Rank, Square, Value};

/// The tutorial's "pawn count": for each file, the bonus for its pawns if no enemy pawn stands on that file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PawnFiles {
    counts: [Value; 8],
}

impl PawnFiles {
    /// Adds a pawn on a relative square, with the action values of its attackers and defenders.
    pub(super) fn add(&mut self, square: Square, attacked: Value, defended: Value) {
        let by_rank = |(seventh, sixth): (Value, Value)| match square.rank() {
            Rank::Seventh => seventh,
            Rank::Sixth => sixth,
            _ => 0,
        };
        let count = &mut self.counts[square.file().index()];
        *count += tables::FILE_BONUS;
        if attacked == 0 {
            *count += by_rank(tables::FILE_BONUS_ADVANCED);
            if defended != 0 {
                *count += by_rank(tables::FILE_BONUS_DEFENDED);
            }
        }
    }

    /// Returns true if a pawn was added on this file.
    pub(super) fn has_pawn(&self, file: File) -> bool {
        self.counts[file.index()] > 0
    }

    fn has_neighbour(&self, file: File) -> bool {
        let index = file.index();
        index > 0 && self.counts[index - 1] > 0 || index < 7 && self.counts[index + 1] > 0
    }
}

/// The terms of one side besides its pieces, in centipawns from its own point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SideTrace {
    /// Giving check: 75, in the endgame 95.
    pub check: Value,
    /// Having castled: 40.
    pub castled: Value,
    /// Being to move: 10.
    pub to_move: Value,
    /// Isolated pawns, by file: on a and h -12, b and g -14, c and f -16, d and e -20.
    pub isolated: [Value; 8],
    /// Files with own pawns and no enemy pawn, by file: 10 for each pawn. An unattacked pawn on the sixth
    /// rank counts 100 more, on the seventh 200 more; if it is defended, another 25 or 50.
    pub passed: [Value; 8],
}

impl SideTrace {
    /// The sum of all terms.
    pub fn total(&self) -> Value {
        self.check
            + self.castled
            + self.to_move
            + self.isolated.iter().sum::<Value>()
            + self.passed.iter().sum::<Value>()
    }
}

/// Evaluates one side. `files` are the pawn files of White and Black.
pub(super) fn evaluate(context: &Context<'_>, files: &[PawnFiles; 2], color: Color) -> SideTrace {
    let (own, enemy) = (&files[color.index()], &files[(!color).index()]);
    let to_move = context.position.side_to_move() == color;
    let check = match (context.position.in_check() && !to_move, context.end_game) {
        (false, _) => 0,
        (true, false) => tables::CHECK,
        (true, true) => tables::CHECK + tables::CHECK_END_GAME,
    };
    SideTrace {
        check,
        castled: if context.history.has_castled(color) { tables::CASTLED } else { 0 },
        to_move: if to_move { tables::TO_MOVE } else { 0 },
        isolated: File::ALL.map(|file| {
            let isolated = own.has_pawn(file) && !own.has_neighbour(file);
            if isolated { tables::ISOLATED[file.index()] } else { 0 }
        }),
        passed: File::ALL.map(|file| if enemy.has_pawn(file) { 0 } else { own.counts[file.index()] }),
    }
}
