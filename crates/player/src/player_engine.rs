//! The operations that a player needs of its engine.

use std::sync::Arc;
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_search::{BlockingEngine, Engine, EngineError, MoveFilter, Options, TimeSource};

/// An engine that a [`Player`](crate::Player) can play with: [`Engine`] or, in programs without threads, [`BlockingEngine`].
pub trait PlayerEngine: Sized {
    /// Creates an engine with these options.
    ///
    /// # Errors
    /// [`EngineError`] if there is not enough memory, or a thread cannot be started.
    fn with_options(options: Options) -> Result<Self, EngineError>;

    /// The current options.
    fn options(&self) -> &Options;

    /// The clock of searches.
    fn time_source(&self) -> TimeSource;

    /// Sets the clock of later searches.
    fn set_time_source(&mut self, time_source: TimeSource);

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
    fn with_options(options: Options) -> Result<Engine, EngineError> {
        Engine::new(options)
    }

    fn options(&self) -> &Options {
        Engine::options(self)
    }

    fn time_source(&self) -> TimeSource {
        Engine::time_source(self)
    }

    fn set_time_source(&mut self, time_source: TimeSource) {
        Engine::set_time_source(self, time_source);
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
    fn with_options(options: Options) -> Result<BlockingEngine, EngineError> {
        BlockingEngine::with_options(options)
    }

    fn options(&self) -> &Options {
        BlockingEngine::options(self)
    }

    fn time_source(&self) -> TimeSource {
        BlockingEngine::time_source(self)
    }

    fn set_time_source(&mut self, time_source: TimeSource) {
        BlockingEngine::set_time_source(self, time_source);
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
