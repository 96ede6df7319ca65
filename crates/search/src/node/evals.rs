//! What a node is worth at first sight.

use crate::searcher::Searcher;
use crate::tt::Entry;
use tabiya_core::{Bound, KNOWN_WIN, TB_WIN_IN_MAX_PLY, Value};
use tabiya_movegen::Position;

/// An evaluation with this half-move clock is worth nothing.
const FADED_AT: Value = 200;

/// What is left of an evaluation at a half-move clock: half of it when the fifty-move draw is due.
///
/// Why: an advantage with which nothing has happened for long may be one with which nothing can be done;
/// and among equal moves the one that makes progress is to be preferred.
fn faded(eval: Value, halfmove_clock: u16) -> Value {
    eval * (FADED_AT - Value::from(halfmove_clock).min(FADED_AT)) / FADED_AT
}

/// What a position is judged to be worth without search.
#[derive(Clone, Copy)]
pub(super) struct StaticEvals {
    /// By the evaluation.
    pub(super) raw: Value,
    /// As the [corrections](crate::history::Corrections) have it.
    pub(super) corrected: Value,
    /// The same, or the table's value where that is nearer to the truth.
    pub(super) refined: Value,
}

impl Searcher<'_> {
    /// The static evaluation, from the table where it knows it.
    pub(super) fn static_evals(
        &mut self,
        position: &Position,
        ply: usize,
        known: Option<&Entry>,
        on_pv: bool,
    ) -> StaticEvals {
        if let (Some(_), Some(eval)) = (self.stack[ply].excluded, self.stack[ply].static_eval) {
            return StaticEvals { raw: eval, corrected: eval, refined: eval };
        }
        let (raw, corrected) = self.corrected_eval(position, ply, known);
        if known.is_none() {
            // At once: most nodes are soon given up, and have nothing to tell but this.
            self.store(position.key(), ply, &Entry::evaluation(raw, on_pv));
        }
        StaticEvals { raw, corrected, refined: self.refined(corrected, known) }
    }

    /// The evaluation, raw and as experience corrects it; nearer to a draw the longer nothing has been
    /// captured and no pawn has moved. A known win stays as it is: how to go about it is in small differences, which
    /// must not drown in what the table has from other half-move clocks.
    #[inline]
    pub(crate) fn corrected_eval(
        &mut self,
        position: &Position,
        ply: usize,
        known: Option<&Entry>,
    ) -> (Value, Value) {
        // First of all, so that its trips to memory are under way while the position is evaluated.
        let correction = if self.features.selective {
            self.histories.corrections.of(position, self.stack, ply)
        } else {
            0
        };
        let raw = known.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(position));
        if !self.features.selective || raw.abs() >= KNOWN_WIN {
            return (raw, raw);
        }
        let corrected = faded(raw, position.halfmove_clock()) + correction;
        (raw, corrected.clamp(1 - TB_WIN_IN_MAX_PLY, TB_WIN_IN_MAX_PLY - 1))
    }

    /// The table's value instead of the evaluation, where it says that that is too low or too high.
    #[inline]
    pub(crate) fn refined(&self, eval: Value, known: Option<&Entry>) -> Value {
        match known {
            Some(entry) if self.features.selective && entry.value.abs() < TB_WIN_IN_MAX_PLY => {
                match entry.bound {
                    Bound::Exact => entry.value,
                    Bound::Lower => eval.max(entry.value),
                    Bound::Upper => eval.min(entry.value),
                }
            }
            _ => eval,
        }
    }

    /// Has the evaluation got better since the side's last move, or the one before if that was in check?
    pub(super) fn is_improving(&self, ply: usize, eval: Value) -> bool {
        let former = self.stack.before(ply, 2).static_eval.or(self.stack.before(ply, 4).static_eval);
        former.is_some_and(|former| eval > former)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_fade() {
        let at = |clock| [300, -300, 1].map(|eval| faded(eval, clock));
        assert_eq!((at(0), at(50), at(100)), ([300, -300, 1], [225, -225, 0], [150, -150, 0]));
        assert_eq!(faded(Value::from(i16::MAX), u16::MAX), 0);
    }
}
