//! An engine that searches in the calling thread.

use crate::answer::Answer;
use crate::control::{Control, Signals};
use crate::engine::{CHECK_INTERVAL, EngineError, check_hash_size};
use crate::job::Job;
use crate::limit_checker::LimitChecker;
use crate::limits::Limits;
use crate::params::Features;
use crate::report::Score;
use crate::searcher::Searcher;
use crate::tablebase::TablebaseOptions;
use crate::thread_data::ThreadData;
use crate::time::TimeBudget;
use crate::tt::TranspositionTable;
use crate::wdl::WdlModel;
use crossbeam_channel::{Receiver, never};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tabiya_core::VALUE_DRAW;
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_movegen::Game;

pub use crate::worker::SEARCH_STACK_SIZE;

/// An engine that searches in the calling thread, for programs that search many positions briefly, such as self-play
/// for training data.
///
/// An [`Engine`](crate::Engine) hands each search to another thread and reports through a channel, which takes tens of
/// microseconds, and far longer on a busy machine. A search here reports nothing and cannot be stopped from outside.
/// With a node or depth limit its moves are those of an `Engine` with one thread.
///
/// The thread needs a stack of [`SEARCH_STACK_SIZE`]; the default stack of Rust's threads is too small for long lines.
///
/// ```
/// use tabiya_eval::Evaluation;
/// use tabiya_movegen::Game;
/// use tabiya_search::{BlockingEngine, Limits, SEARCH_STACK_SIZE, Score};
///
/// let search = || {
///     let mut engine = BlockingEngine::new(1, || Evaluation::Handcrafted.evaluator())?;
///     let mut game = Game::new();
///     for mv in ["f2f3", "e7e5", "g2g4"] {
///         game.play_uci(mv).unwrap();
///     }
///     Ok(engine.search(&game, &Limits::nodes(500)).score)
/// };
/// let thread = std::thread::Builder::new().stack_size(SEARCH_STACK_SIZE).spawn(search)?;
/// let score: Result<_, tabiya_search::EngineError> = thread.join().unwrap();
/// assert_eq!(score?, Some(Score::Mate(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BlockingEngine {
    tt: Arc<TranspositionTable>,
    data: ThreadData,
    /// The channel of a search that receives no messages.
    control: Receiver<Control>,
}

impl BlockingEngine {
    /// Creates an engine with a transposition table of this size, in MiB, and the evaluator that `make_evaluator` returns.
    ///
    /// # Errors
    /// [`EngineError`] if the size is out of range or there is not enough memory.
    pub fn new(
        hash_mb: usize,
        make_evaluator: impl Fn() -> Box<dyn Evaluate>,
    ) -> Result<BlockingEngine, EngineError> {
        check_hash_size(hash_mb)?;
        let out_of_memory = |_| EngineError::HashMemory { mb: hash_mb };
        let tt = TranspositionTable::new(hash_mb, 1).map_err(out_of_memory)?;
        let data = ThreadData::new(&make_evaluator).map_err(out_of_memory)?;
        Ok(BlockingEngine { tt: Arc::new(tt), data, control: never() })
    }

    /// Clears everything learnt from earlier searches, so that the next ones do not depend on them.
    pub fn clear(&mut self) {
        self.tt.clear(1);
        self.data.clear();
    }

    /// Searches the current position of `game`, whose earlier positions count for repetitions, until a limit is reached.
    /// [`Limits::infinite`] and [`Limits::ponder`] are ignored.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Answer {
        let limits = Limits { infinite: false, ponder: false, ..limits.clone() };
        self.tt.new_generation();
        let signals = Arc::new(Signals::new(1, Instant::now()));
        let budget = TimeBudget::new(&limits, game.position().fullmove_number(), Duration::ZERO);
        signals.start_clock(Duration::ZERO, &budget);
        let job = Job {
            root: game.position().clone(),
            keys: game.keys().collect(),
            limits,
            features: Features::ALL,
            budget,
            check_interval: CHECK_INTERVAL,
            tablebases: TablebaseOptions::default(),
            tt: Arc::clone(&self.tt),
            // Only reports use it.
            wdl_model: WdlModel::for_evaluation(&Evaluation::Handcrafted),
            signals,
        };
        self.data.begin_search();
        let limits = LimitChecker::main_thread(&job, &self.control);
        let mut searcher = Searcher::new(&job, limits, None, &mut self.data);
        match searcher.iterative_deepening(&job.root, &job.limits).best {
            Some(best) => Answer {
                best: Some(best.mv),
                score: Some(Score::from_value(searcher.root_move_value(&best))),
            },
            None if job.root.in_check() => Answer { best: None, score: Some(Score::Mate(0)) },
            None => Answer { best: None, score: Some(Score::Centipawns(VALUE_DRAW)) },
        }
    }
}

impl fmt::Debug for BlockingEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockingEngine").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BENCH_POSITIONS, Engine, Options};
    use tabiya_movegen::Position;

    fn with_stack(test: impl FnOnce() + Send) {
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(SEARCH_STACK_SIZE);
            builder.spawn_scoped(scope, test).unwrap().join().unwrap();
        });
    }

    fn blocking() -> BlockingEngine {
        BlockingEngine::new(1, || Evaluation::default().evaluator()).unwrap()
    }

    #[test]
    fn answers_as_an_engine_with_one_thread() {
        with_stack(|| {
            let mut blocking = blocking();
            let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).unwrap();
            let soft = Limits { soft_nodes: Some(1500), ..Limits::nodes(9000) };
            for (number, bench) in BENCH_POSITIONS.iter().enumerate() {
                let game = Game::from_position(Position::from_fen(bench.fen).unwrap());
                for limits in [&Limits::nodes(3000), &soft, &Limits::depth(3)] {
                    let expected = engine.go(&game, limits.clone()).answer();
                    assert_eq!(blocking.search(&game, limits), expected, "{}", bench.fen);
                }
                if number % 8 == 7 {
                    blocking.clear();
                    engine.clear();
                }
            }
        });
    }

    #[test]
    fn finished_games_have_no_move() {
        with_stack(|| {
            for (fen, score) in [
                ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Score::Mate(0)),
                ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::Centipawns(0)),
            ] {
                let game = Game::from_position(Position::from_fen(fen).unwrap());
                let answer = blocking().search(&game, &Limits::depth(1));
                assert_eq!(answer, Answer { best: None, score: Some(score) });
            }
        });
    }

    #[test]
    fn hash_size_is_checked() {
        let error = BlockingEngine::new(0, || Evaluation::Handcrafted.evaluator()).unwrap_err();
        assert!(error.to_string().contains("0 MiB"), "{error}");
    }
}
