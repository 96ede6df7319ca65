//! The static evaluation of a node: raw, corrected and adjusted by the transposition table.
//!
//! The raw evaluation is faded towards a draw as the half-move clock rises, and shifted by the correction
//! history (see `history::correction`). Where a TT bound is more precise, it replaces the result. A value of exactly 0 is
//! usually a known draw and stays one. A known win ([`KNOWN_WIN`]) is neither faded nor corrected: in such an ending small differences show the progress, and
//! they would be lost among TT values stored at other half-move clocks.

use crate::searcher::Searcher;
use crate::tt::TtEntry;
use tabiya_core::{Bound, KNOWN_WIN, TB_WIN_IN_MAX_PLY, VALUE_DRAW, Value, is_decisive};
use tabiya_movegen::Position;

/// The half-move clock at which an evaluation would reach 0, in plies.
const FADE_PLIES: Value = 200;

/// Returns an evaluation scaled down with the half-move clock, to half its value at the fifty-move draw.
///
/// An advantage is less likely to win if it has not led to a capture or pawn move for a long time, and moves
/// that make progress are preferred to equal ones that do not.
fn fade(eval: Value, halfmove_clock: u16) -> Value {
    eval * (FADE_PLIES - Value::from(halfmove_clock).min(FADE_PLIES)) / FADE_PLIES
}

/// The evaluations of a node, in centipawns.
#[derive(Clone, Copy)]
pub(crate) struct Evals {
    /// The evaluator's result: what the TT stores.
    pub(crate) raw: Value,
    /// The static evaluation: `raw` faded and corrected.
    pub(crate) corrected: Value,
    /// `corrected`, or the TT value where its bound shows that `corrected` is too low or too high.
    pub(crate) tt_adjusted: Value,
}

impl Searcher<'_> {
    /// Returns the evaluations of a node that is not in check.
    ///
    /// Takes the raw evaluation from the TT entry if there is one, and otherwise stores it there at once:
    /// most nodes are pruned soon afterwards and never store anything else.
    pub(crate) fn evals(
        &mut self,
        position: &Position,
        ply: usize,
        tt_entry: Option<&TtEntry>,
        tt_pv: bool,
    ) -> Evals {
        // In a singular search the node has been evaluated already.
        if let (Some(_), Some(eval)) = (self.stack[ply].excluded, self.stack[ply].static_eval) {
            return Evals { raw: eval, corrected: eval, tt_adjusted: eval };
        }
        let (raw, corrected) = self.corrected_eval(position, ply, tt_entry);
        if tt_entry.is_none() {
            self.tt_store(position.key(), ply, &TtEntry::eval_only(raw, tt_pv));
        }
        Evals { raw, corrected, tt_adjusted: self.tt_adjusted_eval(corrected, tt_entry) }
    }

    /// Returns the raw evaluation and the faded and corrected one.
    #[inline]
    pub(crate) fn corrected_eval(
        &mut self,
        position: &Position,
        ply: usize,
        tt_entry: Option<&TtEntry>,
    ) -> (Value, Value) {
        // Looked up first, so that the cache misses after a null move, which are not prefetched, overlap with the evaluation.
        let correction = if self.features.selective {
            self.histories.correction.value(position, self.stack, ply)
        } else {
            0
        };
        let raw = tt_entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(position));
        if !self.features.selective || raw.abs() >= KNOWN_WIN || raw == VALUE_DRAW {
            return (raw, raw);
        }
        let corrected = fade(raw, position.halfmove_clock()) + correction;
        (raw, corrected.clamp(1 - TB_WIN_IN_MAX_PLY, TB_WIN_IN_MAX_PLY - 1))
    }

    /// Returns the TT value where its bound contradicts the evaluation, and otherwise the evaluation.
    #[inline]
    pub(crate) fn tt_adjusted_eval(&self, eval: Value, tt_entry: Option<&TtEntry>) -> Value {
        match tt_entry {
            Some(entry) if self.features.selective && !is_decisive(entry.value) => match entry.bound {
                Bound::Exact => entry.value,
                Bound::Lower => eval.max(entry.value),
                Bound::Upper => eval.min(entry.value),
            },
            _ => eval,
        }
    }

    /// Returns true if the static evaluation reaches beta, or is higher than at the side's previous move, or at the one before
    /// that if the side was in check then.
    pub(crate) fn is_improving(&self, ply: usize, static_eval: Value, beta: Value) -> bool {
        let previous = self.stack.before(ply, 2).static_eval.or(self.stack.before(ply, 4).static_eval);
        static_eval >= beta || previous.is_some_and(|previous| static_eval > previous)
    }

    /// Returns what the opponent's last move lost by the static evaluation, in centipawns: how much higher this is for the side to move
    /// than before the move. `None` if either side was in check.
    pub(crate) fn lost_by_last_move(&self, ply: usize, static_eval: Value) -> Option<Value> {
        self.stack.before(ply, 1).static_eval.map(|before| static_eval + before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluation_fades_with_the_halfmove_clock() {
        let at = |clock| [300, -300, 1].map(|eval| fade(eval, clock));
        assert_eq!((at(0), at(50), at(100)), ([300, -300, 1], [225, -225, 0], [150, -150, 0]));
        assert_eq!(fade(Value::from(i16::MAX), u16::MAX), 0);
    }
}
