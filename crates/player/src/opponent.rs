//! An engine that plays at limited strength.

use crate::evaluation_noise::NoisyEvaluation;
use crate::handicap::Handicap;
use crate::line_chooser::LineChooser;
use crate::oversight::Oversight;
use crate::strength::Strength;
use std::time::Duration;
use tabiya_eval::Evaluation;
use tabiya_movegen::Game;
use tabiya_search::{Engine, EngineError, Limits, Options, Search, SearchEvent};

/// The size of the transposition table, in MiB: more than enough for the nodes of the highest level.
const HASH_MB: usize = 4;

/// An engine that plays at limited strength.
///
/// It searches with one thread, a small transposition table and no tablebases, and forgets its searches before each move. So the
/// strength depends neither on the settings of a program's other engine nor on earlier searches.
///
/// ```
/// use tabiya_eval::Evaluation;
/// use tabiya_movegen::Game;
/// use tabiya_player::{Opponent, Strength};
/// use tabiya_search::{Limits, SearchEvent};
///
/// let mut opponent = Opponent::new(Evaluation::default())?;
/// let (search, mut chooser) = opponent.go(&Game::new(), Limits::default(), Strength::from_elo(1200), 7);
/// let answer = search.events().find_map(|event| match event {
///     SearchEvent::Info(info) => {
///         chooser.update(&info);
///         None
///     }
///     SearchEvent::CurrentMove { .. } => None,
///     SearchEvent::BestMove(best_move) => Some(chooser.choose(best_move).0),
/// });
/// assert!(answer.unwrap().best.is_some());
/// # Ok::<(), tabiya_search::EngineError>(())
/// ```
#[derive(Debug)]
pub struct Opponent {
    engine: Engine,
    evaluation: Evaluation,
    /// The strength and seed that the engine is set to.
    playing: Option<(Strength, u64)>,
    handicap: Handicap,
}

impl Opponent {
    /// Creates an opponent, which starts a thread.
    ///
    /// # Errors
    /// [`EngineError`] if there is not enough memory, or the thread cannot be started.
    pub fn new(evaluation: Evaluation) -> Result<Opponent, EngineError> {
        let options = Options::default().with_hash_mb(HASH_MB).with_evaluation(evaluation.clone());
        Ok(Opponent {
            engine: Engine::new(options)?,
            evaluation,
            playing: None,
            handicap: Handicap::default(),
        })
    }

    /// Forgets the plan of the last move, for a new game.
    pub fn new_game(&mut self) {
        self.handicap.new_game();
    }

    /// Sets the evaluation of later searches.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        if evaluation != self.evaluation {
            self.evaluation = evaluation;
            self.playing = None;
        }
    }

    /// Sets the [move overhead](Options::move_overhead) of later searches.
    pub fn set_move_overhead(&mut self, move_overhead: Duration) {
        self.engine.set_move_overhead(move_overhead);
    }

    /// Starts a search at a limited strength. Pass its reports to the chooser, which then replaces the best move.
    ///
    /// The seed should stay the same in a game and differ between games: it determines the moves, the errors of the
    /// evaluation and what is overlooked.
    pub fn go(
        &mut self,
        game: &Game,
        limits: Limits,
        strength: Strength,
        seed: u64,
    ) -> (Search, LineChooser) {
        let (limits, chooser) = self.prepare(game, limits, strength, seed);
        (self.engine.go(game, limits), chooser)
    }

    /// Starts a search as [`go`](Opponent::go) does, whose events are passed to `on_event` in the search's own thread, as
    /// [`Engine::go_with`] does.
    pub fn go_with(
        &mut self,
        game: &Game,
        limits: Limits,
        strength: Strength,
        seed: u64,
        on_event: impl FnMut(SearchEvent) + Send + 'static,
    ) -> (Search, LineChooser) {
        let (limits, chooser) = self.prepare(game, limits, strength, seed);
        (self.engine.go_with(game, limits, on_event), chooser)
    }

    fn prepare(
        &mut self,
        game: &Game,
        limits: Limits,
        strength: Strength,
        seed: u64,
    ) -> (Limits, LineChooser) {
        self.set_strength(strength, seed);
        self.engine.clear();
        self.handicap.prepare(game, limits, strength, seed)
    }

    fn set_strength(&mut self, strength: Strength, seed: u64) {
        if self.playing == Some((strength, seed)) {
            return;
        }
        self.playing = Some((strength, seed));
        let evaluation = self.evaluation.clone();
        // Even if noise is added, because the reported probabilities depend on the evaluation.
        self.engine.set_evaluation(evaluation.clone());
        self.engine
            .set_evaluator(move || Box::new(NoisyEvaluation::new(evaluation.evaluator(), strength, seed)));
        self.engine.set_move_filter(Some(Oversight::filter(strength, seed)));
    }
}
