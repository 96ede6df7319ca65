//! The operations that a player needs of its engine.

use std::sync::Arc;
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_search::{BlockingEngine, Engine, EngineError, MoveFilter, Options};

/// An engine that a [`Player`](crate::Player) can play with: [`Engine`] or, in programs without threads, [`BlockingEngine`].
pub trait PlayerEngine: Sized {
    /// Creates an engine with these options and with the clock of this one.
    ///
    /// # Errors
    /// [`EngineError`] if there is not enough memory, or a thread cannot be started.
    fn another(&self, options: Options) -> Result<Self, EngineError>;

    /// The current options.
    fn options(&self) -> &Options;

    /// Clears everything learnt from earlier searches.
    fn clear(&mut self);

    /// Sets the evaluation, which also decides on the reported probabilities.
    fn set_evaluation(&mut self, evaluation: Evaluation);

    /// Sets an evaluator that leaves the reported probabilities as they are.
    fn set_evaluator(&mut self, make: impl Fn() -> Box<dyn Evaluate> + Send + Sync + 'static);

    /// Sets the filter of the moves that the search sees.
    fn set_move_filter(&mut self, filter: Option<Arc<dyn MoveFilter>>);
}

impl PlayerEngine for Engine {
    fn another(&self, options: Options) -> Result<Engine, EngineError> {
        Engine::new(options)
    }

    fn options(&self) -> &Options {
        Engine::options(self)
    }

    fn clear(&mut self) {
        Engine::clear(self);
    }

    fn set_evaluation(&mut self, evaluation: Evaluation) {
        Engine::set_evaluation(self, evaluation);
    }

    fn set_evaluator(&mut self, make: impl Fn() -> Box<dyn Evaluate> + Send + Sync + 'static) {
        Engine::set_evaluator(self, make);
    }

    fn set_move_filter(&mut self, filter: Option<Arc<dyn MoveFilter>>) {
        Engine::set_move_filter(self, filter);
    }
}

impl PlayerEngine for BlockingEngine {
    fn another(&self, options: Options) -> Result<BlockingEngine, EngineError> {
        let mut engine = BlockingEngine::with_options(options)?;
        engine.set_time_source(self.time_source());
        Ok(engine)
    }

    fn options(&self) -> &Options {
        BlockingEngine::options(self)
    }

    fn clear(&mut self) {
        BlockingEngine::clear(self);
    }

    fn set_evaluation(&mut self, evaluation: Evaluation) {
        BlockingEngine::set_evaluation(self, evaluation);
    }

    fn set_evaluator(&mut self, make: impl Fn() -> Box<dyn Evaluate> + Send + Sync + 'static) {
        BlockingEngine::set_evaluator(self, make());
    }

    fn set_move_filter(&mut self, filter: Option<Arc<dyn MoveFilter>>) {
        BlockingEngine::set_move_filter(self, filter);
    }
}
