//! An engine that searches in the calling thread.

use crate::answer::{Answer, Line};
use crate::control::{Control, Signals};
use crate::engine::check_interval;
use crate::job::Job;
use crate::limit_checker::LimitChecker;
use crate::limits::Limits;
use crate::move_filter::MoveFilter;
use crate::options::{EngineError, Options, check_hash_size};
use crate::params::Features;
use crate::report::{Reporter, SearchEvent};
use crate::searcher::Searcher;
use crate::stopwatch::{Stopwatch, TimeSource};
use crate::thread_data::ThreadData;
use crate::time::TimeBudget;
use crate::tt::TranspositionTable;
use crate::wdl::WdlModel;
use crossbeam_channel::{Receiver, never};
use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_movegen::Game;

pub use crate::worker::SEARCH_STACK_SIZE;

/// An engine that searches in the calling thread and starts none: for programs that search many positions briefly, such as
/// self-play for training data, and for platforms without threads or a system clock, such as a web worker.
///
/// An [`Engine`](crate::Engine) hands each search to another thread and reports through a channel, which takes tens of
/// microseconds, and far longer on a busy machine. Here a search reports to a function, which can also stop it
/// ([`search_with`](BlockingEngine::search_with)), or not at all ([`search`](BlockingEngine::search)). With a node or depth
/// limit its moves are those of an `Engine` with one thread.
///
/// The thread needs a stack of [`SEARCH_STACK_SIZE`]; the default stack of Rust's threads is too small for long lines.
///
/// ```
/// use tabiya_eval::Evaluation;
/// use tabiya_movegen::{Game, Position};
/// use tabiya_search::{BlockingEngine, Limits, SEARCH_STACK_SIZE, Score};
///
/// let search = || {
///     let mut engine = BlockingEngine::new(1, || Evaluation::Handcrafted.evaluator())?;
///     let mut game = Game::new();
///     for mv in ["f2f3", "e7e5", "g2g4"] {
///         game.play_uci(mv).unwrap();
///     }
///     Ok(engine.search(&game, &Limits::nodes(500)).score())
/// };
/// let thread = std::thread::Builder::new().stack_size(SEARCH_STACK_SIZE).spawn(search)?;
/// let score: Result<_, tabiya_search::EngineError> = thread.join().unwrap();
/// assert_eq!(score?, Score::Mate(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BlockingEngine {
    options: Options,
    time_source: TimeSource,
    features: Features,
    move_filter: Option<Arc<dyn MoveFilter>>,
    tt: Arc<TranspositionTable>,
    data: ThreadData,
    /// The channel of a search that receives no messages.
    control: Receiver<Control>,
}

impl BlockingEngine {
    /// Creates an engine with a transposition table of this size, in MiB, and the evaluator that `make_evaluator` returns.
    /// It has no tablebases and no move overhead, and its win, draw and loss probabilities are those of the handcrafted evaluation.
    ///
    /// # Errors
    /// [`EngineError`] if the size is out of range or there is not enough memory.
    pub fn new(
        hash_mb: usize,
        make_evaluator: impl Fn() -> Box<dyn Evaluate>,
    ) -> Result<BlockingEngine, EngineError> {
        let options = Options {
            hash_mb,
            evaluation: Evaluation::Handcrafted,
            move_overhead: Duration::ZERO,
            ..Options::default()
        };
        BlockingEngine::create(options, &make_evaluator)
    }

    /// Creates an engine with these settings. The number of threads is ignored.
    ///
    /// # Errors
    /// [`EngineError`] if the size of the transposition table is out of range or there is not enough memory.
    pub fn with_options(options: Options) -> Result<BlockingEngine, EngineError> {
        let evaluation = options.evaluation.clone();
        BlockingEngine::create(options, &move || evaluation.evaluator())
    }

    fn create(
        options: Options,
        make_evaluator: &dyn Fn() -> Box<dyn Evaluate>,
    ) -> Result<BlockingEngine, EngineError> {
        let hash_mb = options.hash_mb;
        check_hash_size(hash_mb)?;
        let out_of_memory = |_| EngineError::HashMemory { mb: hash_mb };
        let tt = TranspositionTable::new(hash_mb, 1).map_err(out_of_memory)?;
        let data = ThreadData::new(make_evaluator).map_err(out_of_memory)?;
        let time_source = TimeSource::System;
        Ok(BlockingEngine {
            options,
            time_source,
            features: Features::ALL,
            move_filter: None,
            tt: Arc::new(tt),
            data,
            control: never(),
        })
    }

    /// The current options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The clock of searches.
    pub fn time_source(&self) -> TimeSource {
        self.time_source
    }

    /// Sets the clock of later searches.
    pub fn set_time_source(&mut self, time_source: TimeSource) {
        self.time_source = time_source;
    }

    /// Sets the evaluation and clears everything learnt from earlier searches.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.set_evaluator(evaluation.evaluator());
        self.options.evaluation = evaluation;
    }

    /// Sets the caller's own evaluator and clears everything learnt from earlier searches. The reported win, draw and loss
    /// probabilities remain those of the evaluation that was set before.
    pub fn set_evaluator(&mut self, evaluator: Box<dyn Evaluate>) {
        self.data.evaluator = evaluator;
        self.clear();
    }

    /// Sets whether later searches prune moves of PV nodes at low depth; they do by default.
    ///
    /// At a depth of 2 and 3, a search with this pruning overlooks so many replies that its value is worse than the static
    /// evaluation. Without it the value is as precise as with six times the nodes, which suits labels of training data, but
    /// games at thousands of nodes a move are weaker.
    pub fn set_pv_pruning(&mut self, pv_pruning: bool) {
        self.features.pv_pruning = pv_pruning;
    }

    /// Sets the filter of the moves that the search sees, as [`Engine::set_move_filter`](crate::Engine::set_move_filter) does.
    pub fn set_move_filter(&mut self, filter: Option<Arc<dyn MoveFilter>>) {
        self.move_filter = filter;
        self.clear();
    }

    /// Clears everything learnt from earlier searches, so that the next ones do not depend on them.
    pub fn clear(&mut self) {
        self.tt.clear(1);
        self.data.clear();
    }

    /// Searches the current position of `game`, whose earlier positions count for repetitions, until a limit is reached.
    /// [`Limits::infinite`] and [`Limits::ponder`] are ignored.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Answer {
        self.run(game, limits, None)
    }

    /// Searches as [`search`](BlockingEngine::search) does, and passes each report to `report`, which stops the search by
    /// returning [`ControlFlow::Break`].
    ///
    /// There is a report after each iteration for each line, and after three seconds also for each root move.
    /// [`SearchEvent::BestMove`] is not among them: it is part of the returned value.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use tabiya_movegen::Game;
    /// use tabiya_search::{BlockingEngine, Limits, Options, SEARCH_STACK_SIZE, SearchEvent};
    ///
    /// let search = || {
    ///     let mut engine = BlockingEngine::with_options(Options::default().with_hash_mb(1))?;
    ///     let answer = engine.search_with(&Game::new(), &Limits::default(), |event| match event {
    ///         SearchEvent::Info(info) if info.depth == 5 => ControlFlow::Break(()),
    ///         _ => ControlFlow::Continue(()),
    ///     });
    ///     Ok::<_, tabiya_search::EngineError>(answer)
    /// };
    /// let thread = std::thread::Builder::new().stack_size(SEARCH_STACK_SIZE).spawn(search)?;
    /// assert!(thread.join().unwrap()?.best.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search_with(
        &mut self,
        game: &Game,
        limits: &Limits,
        mut report: impl FnMut(SearchEvent) -> ControlFlow<()>,
    ) -> Answer {
        self.run(game, limits, Some(&mut report))
    }

    fn run(&mut self, game: &Game, limits: &Limits, report: Option<&mut OnReport<'_>>) -> Answer {
        let limits = Limits { infinite: false, ponder: false, ..limits.clone() };
        self.tt.new_generation();
        let signals = Arc::new(Signals::new(1, Stopwatch::start(self.time_source)));
        let move_number = game.position().fullmove_number();
        let budget = TimeBudget::new(&limits, move_number, self.options.move_overhead);
        signals.start_clock(Duration::ZERO, &budget);
        let job = Job {
            root: game.position().clone(),
            keys: game.keys().collect(),
            limits,
            features: self.features,
            budget,
            check_interval: check_interval(self.time_source, false),
            tablebases: self.options.tablebases.clone(),
            move_filter: self.move_filter.clone(),
            tt: Arc::clone(&self.tt),
            wdl_model: WdlModel::for_evaluation(&self.options.evaluation),
            signals,
        };
        self.data.begin_search();
        let limits = LimitChecker::main_thread(&job, &self.control);
        let to_caller = report.map(|report| ToCaller { report: RefCell::new(report), signals: &job.signals });
        let report = to_caller.as_ref().map(|to_caller| to_caller as &dyn Reporter);
        let mut searcher = Searcher::new(&job, limits, report, &mut self.data);
        let best = searcher.search_root(&job.root, &job.limits);
        let lines = searcher.lines(&job.root, job.limits.multipv);
        let best_move = searcher.best_move(&job.root, best.as_ref());
        Answer::new(best_move, lines, searcher.limits.all_nodes(), searcher.limits.elapsed())
    }
}

/// A function that receives the reports of a search, and may stop it.
type OnReport<'a> = dyn FnMut(SearchEvent) -> ControlFlow<()> + 'a;

/// Passes the reports of a search to its caller.
struct ToCaller<'a, 'b> {
    report: RefCell<&'a mut OnReport<'b>>,
    signals: &'a Signals,
}

impl Reporter for ToCaller<'_, '_> {
    fn event(&self, event: SearchEvent) {
        // The function cannot report, so it is never borrowed twice.
        if (self.report.borrow_mut())(event).is_break() {
            self.signals.stop();
        }
    }

    fn lines(&self, _: &[Line]) {}
}

impl fmt::Debug for BlockingEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockingEngine").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::POSITIONS;
    use crate::{Engine, Info, Score};
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
            let options = Options::default().with_hash_mb(1);
            let mut blocking = BlockingEngine::with_options(options.clone()).unwrap();
            let mut engine = Engine::new(options).unwrap();
            let soft = Limits { soft_nodes: Some(1500), ..Limits::nodes(9000) };
            for (number, bench) in POSITIONS.iter().enumerate() {
                let game = Game::from_position(Position::from_fen(bench.fen).unwrap());
                for limits in [&Limits::nodes(3000), &soft, &Limits::depth(3)] {
                    let expected = engine.go(&game, limits.clone()).answer();
                    let answer = blocking.search(&game, limits);
                    let result =
                        |answer: &Answer| (answer.best_move(), answer.lines().to_vec(), answer.nodes);
                    assert_eq!(result(&answer), result(&expected), "{}", bench.fen);
                }
                if number % 8 == 7 {
                    blocking.clear();
                    engine.clear();
                }
            }
        });
    }

    #[test]
    fn reports_are_those_of_an_engine_with_one_thread() {
        with_stack(|| {
            let options = Options { hash_mb: 1, ..Options::default() };
            let mut engine = Engine::new(options.clone()).unwrap();
            let mut blocking = BlockingEngine::with_options(options).unwrap();
            // The times differ.
            let strip = |info: Info| Info { time: Duration::ZERO, ..info };
            for bench in &POSITIONS[..6] {
                let game = Game::from_position(Position::from_fen(bench.fen).unwrap());
                let limits = Limits { multipv: 2, ..Limits::nodes(5000) };
                let search = engine.go(&game, limits.clone());
                let mut expected = Vec::new();
                let mut expected_best = None;
                for event in search.events() {
                    match event {
                        SearchEvent::Info(info) => expected.push(strip(info)),
                        SearchEvent::CurrentMove { .. } => {}
                        SearchEvent::BestMove(best) => expected_best = Some(best),
                    }
                }
                let mut reports = Vec::new();
                let best = blocking.search_with(&game, &limits, |event| {
                    if let SearchEvent::Info(info) = event {
                        reports.push(strip(info));
                    }
                    ControlFlow::Continue(())
                });
                assert_eq!((Some(best.best_move()), reports), (expected_best, expected), "{}", bench.fen);
            }
        });
    }

    #[test]
    fn every_reply_is_searched_without_pruning_in_pv_nodes() {
        with_stack(|| {
            // White has a single move, and Black many quiet replies.
            let game = Game::from_position("nb5k/pppppppp/8/8/8/8/1q6/K7 w - - 0 1".parse().unwrap());
            let mut after = game.position().clone();
            after.play_unchecked(after.legal_moves()[0]);
            let replies = after.legal_moves().len() as u64;
            let mut engine = blocking();
            let pruned = engine.search(&game, &Limits::depth(2)).nodes;
            engine.clear();
            engine.set_pv_pruning(false);
            let unpruned = engine.search(&game, &Limits::depth(2)).nodes;
            assert!(pruned < replies && replies < unpruned, "{pruned}, {replies} and {unpruned} nodes");
        });
    }

    #[test]
    fn report_function_stops_the_search() {
        with_stack(|| {
            let mut count = 0;
            let best = blocking().search_with(&Game::new(), &Limits::default(), |_| {
                count += 1;
                if count < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            assert!(best.best.is_some_and(|mv| Game::new().position().is_legal(mv)));
            assert_eq!(count, 4);
        });
    }

    #[test]
    fn time_comes_from_the_given_clock() {
        use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
        /// A clock that advances by a second whenever it is read.
        fn now() -> Duration {
            static SECONDS: AtomicU64 = AtomicU64::new(0);
            Duration::from_secs(SECONDS.fetch_add(1, Relaxed))
        }
        with_stack(|| {
            let mut engine = blocking();
            engine.set_time_source(TimeSource::Function(now));
            let mut last = Duration::ZERO;
            let best =
                engine.search_with(&Game::new(), &Limits::movetime(Duration::from_secs(600)), |event| {
                    if let SearchEvent::Info(info) = event {
                        last = info.time;
                    }
                    ControlFlow::Continue(())
                });
            assert!(best.best.is_some() && (590..700).contains(&last.as_secs()), "{last:?}");
        });
    }

    #[test]
    fn time_in_nodes_is_reproducible() {
        with_stack(|| {
            let searched = |per_ms: u32, ms: u64| {
                let mut engine = blocking();
                engine.set_time_source(TimeSource::Nodes(per_ms.try_into().unwrap()));
                let answer = engine.search(&Game::new(), &Limits::movetime(Duration::from_millis(ms)));
                (answer.nodes, answer.time)
            };
            for (per_ms, ms) in [(20, 100), (1, 5000)] {
                let (nodes, time) = searched(per_ms, ms);
                let budget = TimeBudget::new(
                    &Limits::movetime(Duration::from_millis(ms)),
                    1,
                    blocking().options.move_overhead,
                );
                let expected = budget.hard.unwrap().as_millis() as u64 * u64::from(per_ms);
                // Limits are checked every 64 nodes.
                assert!(nodes.abs_diff(expected) <= 64, "{nodes} of {expected}");
                assert!(time.as_millis() as u64 <= nodes / u64::from(per_ms), "{time:?}");
                assert_eq!((nodes, time), searched(per_ms, ms));
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
                assert_eq!((answer.best, answer.score(), answer.depth()), (None, score, 0));
            }
        });
    }

    #[test]
    fn hash_size_is_checked() {
        let error = BlockingEngine::new(0, || Evaluation::Handcrafted.evaluator()).unwrap_err();
        assert!(error.to_string().contains("0 MiB"), "{error}");
    }
}
