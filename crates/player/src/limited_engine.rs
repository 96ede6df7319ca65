//! An engine that plays at limited strength.

use crate::evaluation_noise::NoisyEvaluation;
use crate::handicap::Handicap;
use crate::line_chooser::LineChooser;
use crate::oversight::Oversight;
use crate::player_engine::PlayerEngine;
use crate::strength::Strength;
use tabiya_movegen::Game;
use tabiya_search::{EngineError, Limits, Options, TimeSource};

/// The size of the transposition table, in MiB: more than enough for the nodes of the highest level.
const HASH_MB: usize = 4;

/// An engine that plays at limited strength.
///
/// It searches with one thread, a small transposition table and no tablebases, and forgets its searches before each move. So a level
/// depends on neither earlier searches nor the options of the engine at full strength, except its evaluation and
/// move overhead.
#[derive(Debug)]
pub(crate) struct LimitedEngine<E> {
    engine: E,
    /// The strength and seed that the engine is set to.
    playing: Option<(Strength, u64)>,
    pub(crate) handicap: Handicap,
}

impl<E: PlayerEngine> LimitedEngine<E> {
    /// Creates an engine with the evaluation and move overhead of `full`, which continues the plan of `handicap`.
    ///
    /// # Errors
    /// [`EngineError`] if there is not enough memory, or the thread cannot be started.
    pub(crate) fn new(full: &E, handicap: Handicap) -> Result<LimitedEngine<E>, EngineError> {
        let Options { evaluation, move_overhead, .. } = full.options().clone();
        let options = Options::default()
            .with_hash_mb(HASH_MB)
            .with_evaluation(evaluation)
            .with_move_overhead(move_overhead);
        let engine = E::with_options(options)?;
        Ok(LimitedEngine { engine, playing: None, handicap })
    }

    /// Returns true if the engine has the evaluation and move overhead of `full`.
    pub(crate) fn matches(&self, full: &E) -> bool {
        let (own, full) = (self.engine.options(), full.options());
        own.evaluation == full.evaluation && own.move_overhead == full.move_overhead
    }

    /// Sets the clock of later searches.
    pub(crate) fn set_time_source(&mut self, time_source: TimeSource) {
        self.engine.set_time_source(time_source);
    }

    /// Forgets the plan of the last move, for a new game.
    pub(crate) fn new_game(&mut self) {
        self.handicap.new_game();
    }

    /// Prepares a search, and returns the engine, its limits and the chooser of the move. The seed should stay the same in a game and
    /// differ between games: it determines the moves, the errors of the evaluation and what is overlooked.
    pub(crate) fn prepare(
        &mut self,
        game: &Game,
        limits: Limits,
        strength: Strength,
        seed: u64,
    ) -> (&mut E, Limits, LineChooser) {
        self.set_strength(strength, seed);
        self.engine.clear();
        let (limits, chooser) = self.handicap.prepare(game, limits, strength, seed);
        (&mut self.engine, limits, chooser)
    }

    fn set_strength(&mut self, strength: Strength, seed: u64) {
        if self.playing == Some((strength, seed)) {
            return;
        }
        self.playing = Some((strength, seed));
        // The evaluator does not change the evaluation among the options.
        let evaluation = self.engine.options().evaluation.clone();
        self.engine
            .set_evaluator(move || Box::new(NoisyEvaluation::new(evaluation.evaluator(), strength, seed)));
        self.engine.set_move_filter(Some(Oversight::filter(strength, seed)));
    }
}
