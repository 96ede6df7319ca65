//! The engine whose scores become labels of training data.

use tabiya_eval::Evaluation;
use tabiya_search::{BlockingEngine, EngineError};

/// An engine for many short searches, with a transposition table of this size in MiB. It does not prune moves of PV nodes: the
/// pruning makes values at depth 2 and 3 worse than the static evaluation.
///
/// # Errors
/// If the size is out of range or there is not enough memory.
pub(crate) fn labelling_engine(
    hash_mb: usize,
    evaluation: &Evaluation,
) -> Result<BlockingEngine, EngineError> {
    let mut engine = BlockingEngine::new(hash_mb, || evaluation.evaluator())?;
    engine.set_pv_pruning(false);
    Ok(engine)
}
