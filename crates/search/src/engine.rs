//! The engine.

use crate::control::Signals;
use crate::events::Events;
use crate::handle::{Search, SharedLines, StopHandle};
use crate::job::Job;
use crate::limits::Limits;
use crate::memory;
use crate::move_filter::MoveFilter;
use crate::options::{EngineError, Options, check_hash_size, check_threads};
use crate::params::Features;
use crate::report::SearchEvent;
use crate::stopwatch::{Stopwatch, TimeSource};
use crate::tablebase::TablebaseOptions;
use crate::time::TimeBudget;
use crate::tt::TranspositionTable;
use crate::wdl::WdlModel;
use crate::worker::{self, HelperTask, MainTask, MakeEvaluator, OnEvent, Task, Worker};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_movegen::Game;

/// The number of nodes between two checks of the limits, about half a millisecond. A power of two.
const CHECK_INTERVAL: u64 = 512;
/// The check interval if there are more threads than processors: they run one after another, and a stopped search only
/// ends when each has run until its next check. Also that of searches that measure time in nodes, since few nodes may be a
/// long time.
const SHORT_CHECK_INTERVAL: u64 = 64;

/// Returns the check interval of a search.
pub(crate) fn check_interval(time_source: TimeSource, is_crowded: bool) -> u64 {
    let is_short = is_crowded || matches!(time_source, TimeSource::Nodes(_));
    if is_short { SHORT_CHECK_INTERVAL } else { CHECK_INTERVAL }
}

/// A chess engine: a transposition table and search threads.
///
/// It searches one position at a time and reports through a [`Search`]. A process can have several engines;
/// they share nothing.
pub struct Engine {
    options: Options,
    features: Features,
    make_evaluator: MakeEvaluator,
    /// True if the caller has set `make_evaluator`, so that `options.evaluation` is unused.
    has_custom_evaluator: bool,
    move_filter: Option<Arc<dyn MoveFilter>>,
    time_source: TimeSource,
    /// Shared with the workers only while a search runs.
    tt: Arc<TranspositionTable>,
    /// The main thread, then the helper threads; never empty.
    workers: Vec<Worker>,
    /// The helper threads' senders.
    helpers: Arc<[Sender<Task>]>,
    /// The number of processors that this process may use.
    processors: usize,
    running: Option<Running>,
}

/// The engine's side of a running search.
struct Running {
    stop: StopHandle,
    /// Nothing is sent on this channel; it closes when the workers have released the search.
    finished: Receiver<()>,
}

impl Engine {
    /// Creates an engine: allocates its table and starts its threads.
    ///
    /// # Errors
    /// [`EngineError`] if an option is out of range, there is not enough memory, or a thread cannot be
    /// started.
    pub fn new(options: Options) -> Result<Engine, EngineError> {
        check_threads(options.threads)?;
        check_hash_size(options.hash_mb)?;
        let table = TranspositionTable::new(options.hash_mb, options.threads)
            .map_err(|_| EngineError::HashMemory { mb: options.hash_mb })?;
        let evaluation = options.evaluation.clone();
        let mut engine = Engine {
            options,
            features: Features::ALL,
            make_evaluator: Arc::new(move || evaluation.evaluator()),
            has_custom_evaluator: false,
            move_filter: None,
            time_source: TimeSource::System,
            tt: Arc::new(table),
            workers: Vec::new(),
            helpers: Arc::default(),
            processors: std::thread::available_parallelism().map_or(1, NonZero::get),
            running: None,
        };
        engine.set_threads(engine.options.threads)?;
        Ok(engine)
    }

    /// Returns the current settings. After [`set_evaluator`](Engine::set_evaluator), `evaluation` is the one
    /// that was set before.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets the size of the transposition table in MiB and clears it. Ends a running search.
    ///
    /// # Errors
    /// [`EngineError`] if the size is out of range or there is not enough memory. The table then keeps its
    /// size, but may have been cleared.
    pub fn set_hash(&mut self, mb: usize) -> Result<(), EngineError> {
        check_hash_size(mb)?;
        self.finish_search();
        let threads = self.options.threads;
        let resized = match Arc::get_mut(&mut self.tt) {
            Some(table) => table.resize(mb, threads),
            // Unreachable, since only a running search shares the table, but still correct.
            None => TranspositionTable::new(mb, threads).map(|table| self.tt = Arc::new(table)),
        };
        resized.map_err(|_| EngineError::HashMemory { mb })?;
        self.options.hash_mb = mb;
        Ok(())
    }

    /// Sets the number of search threads. Ends a running search.
    ///
    /// # Errors
    /// [`EngineError`] if the number is out of range, there is not enough memory, or the system refuses to start a thread.
    /// The engine then continues with the threads that have been started.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        check_threads(threads)?;
        self.finish_search();
        self.keep_workers(threads);
        let started = self.start_workers(threads);
        self.helpers = self.workers.iter().skip(1).map(Worker::tasks).collect();
        self.options.threads = self.workers.len();
        started.map_err(EngineError::Spawn)
    }

    /// Starts workers up to this number, or as many as possible.
    fn start_workers(&mut self, threads: usize) -> io::Result<()> {
        while self.workers.len() < threads {
            let batch = worker::batch_size(threads - self.workers.len());
            if batch == 0 {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            self.start_batch(batch)?;
            // The threads have allocated their memory; the searches need some as well.
            if self.workers.len() > 1 && memory::check_reserve().is_err() {
                while self.workers.len() > 1 && memory::check_reserve().is_err() {
                    self.keep_workers(self.workers.len() - 1);
                }
                return Err(io::ErrorKind::OutOfMemory.into());
            }
        }
        Ok(())
    }

    /// Starts this many workers and waits until they have allocated their memory. Ends the first one that cannot, and those
    /// after it.
    fn start_batch(&mut self, count: usize) -> io::Result<()> {
        let former = self.workers.len();
        let (sender, started) = unbounded();
        let spawned = (former..former + count).try_for_each(|number| {
            let worker = Worker::spawn(number, Arc::clone(&self.make_evaluator), sender.clone())?;
            self.workers.push(worker);
            Ok(())
        });
        drop(sender);
        // Ends when each new thread has reported that it is ready, or has ended for lack of memory.
        let mut is_ready = vec![false; self.workers.len() - former];
        started.iter().for_each(|number| is_ready[number - former] = true);
        if let Some(failed) = is_ready.iter().position(|&is_ready| !is_ready) {
            self.keep_workers(former + failed);
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        spawned
    }

    /// Ends all workers except the first `count`.
    fn keep_workers(&mut self, count: usize) {
        // Send `Quit` to all before waiting for the first, so that they end in parallel.
        self.workers.iter().skip(count).for_each(|worker| worker.send(Task::Quit));
        self.workers.truncate(count);
    }

    /// Clears everything learnt from earlier searches: for a new game, or for a reproducible node count. Ends
    /// a running search.
    pub fn clear(&mut self) {
        self.finish_search();
        self.tt.clear(self.options.threads);
        self.workers.iter().for_each(|worker| worker.send(Task::Clear));
    }

    /// Sets the evaluation. If it changes, everything learnt from earlier searches is cleared, and a running
    /// search ends.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        if evaluation != self.options.evaluation || self.has_custom_evaluator {
            self.options.evaluation = evaluation.clone();
            self.set_evaluator(move || evaluation.evaluator());
            self.has_custom_evaluator = false;
        }
    }

    /// Sets the caller's own evaluation; `make` creates an evaluator for each thread. Clears everything
    /// learnt from earlier searches and ends a running one.
    ///
    /// ```
    /// use tabiya_core::Value;
    /// use tabiya_eval::Evaluate;
    /// use tabiya_movegen::{Game, Position};
    /// use tabiya_search::{Engine, Limits, Options};
    ///
    /// /// Counts the moves of the side to move.
    /// struct Mobility;
    ///
    /// impl Evaluate for Mobility {
    ///     fn evaluate(&mut self, position: &Position) -> Value {
    ///         position.count_legal_moves() as Value
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new(Options::default())?;
    /// engine.set_evaluator(|| Box::new(Mobility));
    /// assert!(engine.go(&Game::new(), Limits::depth(3)).answer().best.is_some());
    /// # Ok::<(), tabiya_search::EngineError>(())
    /// ```
    pub fn set_evaluator(&mut self, make: impl Fn() -> Box<dyn Evaluate> + Send + Sync + 'static) {
        self.finish_search();
        self.make_evaluator = Arc::new(make);
        let task = || Task::SetEvaluator(Arc::clone(&self.make_evaluator));
        self.workers.iter().for_each(|worker| worker.send(task()));
        self.has_custom_evaluator = true;
        self.clear();
    }

    /// Sets the filter of the moves that the search sees; `None` for all moves. Clears everything learnt from earlier
    /// searches and ends a running one.
    pub fn set_move_filter(&mut self, filter: Option<Arc<dyn MoveFilter>>) {
        self.clear();
        self.move_filter = filter;
    }

    /// The clock of searches.
    pub fn time_source(&self) -> TimeSource {
        self.time_source
    }

    /// Sets the clock of later searches.
    pub fn set_time_source(&mut self, time_source: TimeSource) {
        self.time_source = time_source;
    }

    /// Sets the [move overhead](Options::move_overhead) of later searches.
    pub fn set_move_overhead(&mut self, move_overhead: Duration) {
        self.options.move_overhead = move_overhead;
    }

    /// Sets the tablebases and their options. Clears everything learnt from earlier searches, because it may
    /// contradict the tablebases. Ends a running search.
    pub fn set_tablebases(&mut self, tablebases: TablebaseOptions) {
        self.options.tablebases = tablebases;
        self.clear();
    }

    /// Starts a search of the current position of `game`, whose earlier positions count for repetitions.
    ///
    /// Returns at once. A search that is still running is stopped first and sends its best move to its own
    /// handle.
    pub fn go(&mut self, game: &Game, limits: Limits) -> Search {
        let (sender, receiver) = unbounded();
        // An error means that the search's handle has been dropped.
        let on_event = move |event| drop(sender.send(event));
        self.start(game, limits, Box::new(on_event), Events::new(receiver))
    }

    /// Starts a search as [`go`](Engine::go) does, whose events are passed to `on_event` in the search's own thread: for programs with
    /// their own event loop or channels. The search waits while the function runs, and drops it at the end. The function must not
    /// wait for the thread that uses the engine, which may itself be waiting for the search to end. Keep the handle: dropping it stops the
    /// search.
    ///
    /// ```
    /// use std::sync::mpsc;
    /// use tabiya_movegen::Game;
    /// use tabiya_search::{Engine, Limits, Options, SearchEvent};
    ///
    /// let mut engine = Engine::new(Options::default())?;
    /// let (sender, events) = mpsc::channel();
    /// let search = engine.go_with(&Game::new(), Limits::depth(4), move |event| sender.send(event).unwrap());
    /// assert_eq!(events.iter().filter(|event| matches!(event, SearchEvent::Info(_))).count(), 4);
    /// assert_eq!(search.answer().depth(), 4);
    /// # Ok::<(), tabiya_search::EngineError>(())
    /// ```
    pub fn go_with(
        &mut self,
        game: &Game,
        limits: Limits,
        on_event: impl FnMut(SearchEvent) + Send + 'static,
    ) -> Search {
        let (_, receiver) = unbounded();
        self.start(game, limits, Box::new(on_event), Events::new(receiver))
    }

    fn start(&mut self, game: &Game, limits: Limits, on_event: OnEvent, events: Events) -> Search {
        let stopwatch = Stopwatch::start(self.time_source);
        self.finish_search();
        let (control, messages) = unbounded();
        let (answer_sender, answer) = bounded(1);
        let (running, finished) = unbounded();
        let (result_sender, helper_results) = unbounded();
        self.tt.new_generation();
        let signals = Arc::new(Signals::new(self.workers.len(), stopwatch));
        let budget = TimeBudget::new(&limits, game.position().fullmove_number(), self.options.move_overhead);
        if !limits.ponder {
            signals.start_clock(Duration::ZERO, &budget);
        }
        let is_crowded = self.workers.len() > self.processors;
        let job = Arc::new(Job {
            root: game.position().clone(),
            keys: game.keys().collect(),
            limits,
            features: self.features,
            budget,
            check_interval: check_interval(self.time_source, is_crowded),
            tablebases: self.options.tablebases.clone(),
            move_filter: self.move_filter.clone(),
            tt: Arc::clone(&self.tt),
            wdl_model: WdlModel::for_evaluation(&self.options.evaluation),
            signals: Arc::clone(&signals),
        });
        let helpers = Arc::clone(&self.helpers);
        let help = HelperTask { job: Arc::clone(&job), helpers, index: 0, results: result_sender };
        let lines = SharedLines::default();
        if let Some(main) = self.workers.first() {
            main.send(Task::Search(MainTask {
                job,
                control: messages,
                on_event,
                lines: lines.clone(),
                answer: answer_sender,
                helper_results,
                running,
            }));
        }
        help.start();
        let stop = StopHandle::new(control, signals);
        self.running = Some(Running { stop: stop.clone(), finished });
        Search { events, answer, lines, stop, budget }
    }

    /// Sets the features of the search.
    #[cfg(all(test, not(feature = "tune")))]
    pub(crate) fn set_features(&mut self, features: Features) {
        self.features = features;
    }

    /// Stops a running search and waits until the workers have released the table.
    fn finish_search(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.stop();
            // The channel closes without a message.
            let _ = running.finished.recv();
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Stops a running search and ends the threads.
impl Drop for Engine {
    fn drop(&mut self) {
        self.finish_search();
        self.keep_workers(0);
    }
}
