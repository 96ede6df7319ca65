//! Evaluation noise, for strength limiting.

use crate::random::uniform;
use crate::strength::Strength;
use tabiya_core::{Move, SplitMix64, TB_WIN_IN_MAX_PLY, Value};
use tabiya_eval::Evaluate;
use tabiya_movegen::Position;

/// An evaluation with added noise, which depends only on the position and a seed.
///
/// A position always gets the same error, as if a player consistently misjudged it.
pub(crate) struct NoisyEvaluation {
    inner: Box<dyn Evaluate>,
    /// The largest error, in centipawns.
    max_error: Value,
    seed: u64,
}

impl NoisyEvaluation {
    /// Adds noise of the given strength to an evaluation. Different seeds give different errors.
    pub(crate) fn new(inner: Box<dyn Evaluate>, strength: Strength, seed: u64) -> NoisyEvaluation {
        NoisyEvaluation { inner, max_error: strength.noise(), seed }
    }
}

impl Evaluate for NoisyEvaluation {
    fn evaluate(&mut self, position: &Position) -> Value {
        let error = uniform(SplitMix64::hash(position.key() ^ self.seed), self.max_error);
        let limit = TB_WIN_IN_MAX_PLY - 1;
        (self.inner.evaluate(position) + error).clamp(-limit, limit)
    }

    fn clear(&mut self) {
        self.inner.clear();
    }

    fn is_incremental(&self) -> bool {
        self.inner.is_incremental()
    }

    fn set_root(&mut self, root: &Position) {
        self.inner.set_root(root);
    }

    fn make_move(&mut self, before: &Position, mv: Move, after: &Position) {
        self.inner.make_move(before, mv, after);
    }

    fn make_null_move(&mut self, after: &Position) {
        self.inner.make_null_move(after);
    }

    fn unmake_move(&mut self) {
        self.inner.unmake_move();
    }
}
