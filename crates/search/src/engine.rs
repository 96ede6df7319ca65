use crate::control::{Control, Signals};
use crate::limits::Limits;
use crate::params::Features;
use crate::report::{BestMove, SearchEvent};
use crate::tablebase::TablebaseOptions;
use crate::tt::TranspositionTable;
use crate::worker::{Job, Lead, Task, Worker};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_movegen::Game;

/// The smallest transposition table, in MiB.
pub const MIN_HASH_MB: usize = 1;
/// The largest transposition table, in MiB: a tebibyte.
pub const MAX_HASH_MB: usize = 1 << 20;
/// The size of the transposition table where none is asked for, in MiB.
pub const DEFAULT_HASH_MB: usize = 16;
/// The most threads an engine searches with.
pub const MAX_THREADS: usize = 1024;

/// The settings of an [`Engine`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The size of the transposition table in MiB, from [`MIN_HASH_MB`] to [`MAX_HASH_MB`].
    pub hash_mb: usize,
    /// The number of threads to search with, from 1 to [`MAX_THREADS`].
    pub threads: usize,
    /// How positions are judged.
    pub evaluation: Evaluation,
    /// Time that passes between a search's answer and its arrival at the clock.
    pub move_overhead: Duration,
    /// Endgame tablebases, and how they are used.
    pub tablebases: TablebaseOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: DEFAULT_HASH_MB,
            threads: 1,
            evaluation: Evaluation::Handcrafted,
            move_overhead: Duration::from_millis(30),
            tablebases: TablebaseOptions::default(),
        }
    }
}

/// Makes an evaluator for each thread.
type MakeEvaluator = Box<dyn Fn() -> Box<dyn Evaluate> + Send + Sync>;

/// A chess engine: a transposition table and the threads that search.
///
/// It searches one position at a time and reports through a [`Search`]. Any number of engines can
/// live in a program; they share nothing.
pub struct Engine {
    options: Options,
    features: Features,
    make_evaluator: MakeEvaluator,
    /// Does that make an evaluation of the caller's own, whatever the options say?
    evaluates_otherwise: bool,
    /// Shared with the workers while a search runs, and only then.
    table: Arc<TranspositionTable>,
    /// The leading thread, then those that help; never empty.
    workers: Vec<Worker>,
    running: Option<Running>,
}

/// What the engine keeps of the search it started last.
struct Running {
    control: Sender<Control>,
    /// Nothing is ever sent here: it closes when the workers have let go of the search.
    finished: Receiver<()>,
}

impl Engine {
    /// Sets an engine up: allocates its table and starts its threads.
    ///
    /// # Errors
    /// [`EngineError`] if an option is out of range or the machine cannot provide what it asks for.
    pub fn new(options: Options) -> Result<Engine, EngineError> {
        check_threads(options.threads)?;
        check_hash_size(options.hash_mb)?;
        let table = TranspositionTable::new(options.hash_mb, options.threads)
            .map_err(|_| EngineError::HashMemory { mb: options.hash_mb })?;
        let evaluation = options.evaluation;
        let mut engine = Engine {
            options,
            features: Features::ALL,
            make_evaluator: Box::new(move || evaluation.evaluator()),
            evaluates_otherwise: false,
            table: Arc::new(table),
            workers: Vec::new(),
            running: None,
        };
        engine.set_threads(engine.options.threads)?;
        Ok(engine)
    }

    /// The settings in force; with a [`set_evaluator`](Engine::set_evaluator) since, the evaluation is the one
    /// that was in force before.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the size of the transposition table and empties it. Ends a running search.
    ///
    /// # Errors
    /// [`EngineError`] if the size is out of range or there is not so much memory. The table keeps
    /// its former size then, but may have lost its content.
    pub fn set_hash(&mut self, mb: usize) -> Result<(), EngineError> {
        check_hash_size(mb)?;
        self.finish_search();
        let threads = self.options.threads;
        let resized = match Arc::get_mut(&mut self.table) {
            Some(table) => table.resize(mb, threads),
            // Not reached, since nobody but a running search shares the table; right all the same.
            None => TranspositionTable::new(mb, threads).map(|table| self.table = Arc::new(table)),
        };
        resized.map_err(|_| EngineError::HashMemory { mb })?;
        self.options.hash_mb = mb;
        Ok(())
    }

    /// Changes the number of threads. Ends a running search.
    ///
    /// # Errors
    /// [`EngineError`] if the number is out of range, or the system will not start so many: the engine
    /// goes on with as many as it has then.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        check_threads(threads)?;
        self.finish_search();
        self.workers.truncate(threads);
        while self.workers.len() < threads {
            match Worker::spawn(self.workers.len(), (self.make_evaluator)()) {
                Ok(worker) => self.workers.push(worker),
                Err(error) => {
                    self.options.threads = self.workers.len();
                    return Err(EngineError::Spawn(error));
                }
            }
        }
        self.options.threads = threads;
        Ok(())
    }

    /// Forgets everything learnt from earlier searches: for a new game, or for a search whose node
    /// count can be repeated. Ends a running search.
    pub fn clear(&mut self) {
        self.finish_search();
        self.table.clear(self.options.threads);
        self.workers.iter().for_each(|worker| worker.give(Task::Forget));
    }

    /// Changes how positions are judged. Holds from the next search on; what the table has learnt
    /// under another evaluation is forgotten. Ends a running search.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        if evaluation != self.options.evaluation || self.evaluates_otherwise {
            self.set_evaluator(move || evaluation.evaluator());
            self.options.evaluation = evaluation;
            self.evaluates_otherwise = false;
        }
    }

    /// Has positions judged by an evaluation of the caller's own, which `make` makes one of for each
    /// thread. Otherwise as [`set_evaluation`](Engine::set_evaluation).
    ///
    /// ```
    /// use tabiya_core::Value;
    /// use tabiya_eval::Evaluate;
    /// use tabiya_movegen::{Game, Position};
    /// use tabiya_search::{Engine, Limits, Options};
    ///
    /// /// Likes to have more moves.
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
    /// assert!(engine.go(&Game::new(), Limits::depth(3)).wait().best.is_some());
    /// # Ok::<(), tabiya_search::EngineError>(())
    /// ```
    pub fn set_evaluator(&mut self, make: impl Fn() -> Box<dyn Evaluate> + Send + Sync + 'static) {
        self.finish_search();
        self.workers.iter().for_each(|worker| worker.give(Task::Evaluate(make())));
        self.make_evaluator = Box::new(make);
        self.evaluates_otherwise = true;
        self.clear();
    }

    /// Changes the time set aside for what happens between an answer and the clock. Holds from the
    /// next search on.
    pub fn set_move_overhead(&mut self, move_overhead: Duration) {
        self.options.move_overhead = move_overhead;
    }

    /// Changes the tablebases and how they are used. What the table has learnt without them, or under
    /// another rule, is forgotten. Ends a running search.
    pub fn set_tablebases(&mut self, tablebases: TablebaseOptions) {
        self.options.tablebases = tablebases;
        self.clear();
    }

    /// Starts to search the current position of `game`, whose earlier positions count for
    /// repetitions. Returns at once; a search that is still running is stopped first, and sends its
    /// best move to its own handle.
    pub fn go(&mut self, game: &Game, limits: Limits) -> Search {
        let start = Instant::now();
        self.finish_search();
        let (control, orders) = unbounded();
        let (reports, events) = unbounded();
        let (running, finished) = unbounded();
        let (sender, findings) = unbounded();
        self.table.new_generation();
        let job = Arc::new(Job {
            start,
            root: game.position().clone(),
            keys: game.keys().collect(),
            limits,
            features: self.features,
            move_overhead: self.options.move_overhead,
            tablebases: self.options.tablebases.clone(),
            table: Arc::clone(&self.table),
            signals: Signals::new(self.workers.len()),
        });
        if let Some((leader, helpers)) = self.workers.split_first() {
            for helper in helpers {
                helper.give(Task::Help(Arc::clone(&job), sender.clone()));
            }
            leader.give(Task::Lead(Lead { job, orders, reports, findings, running }));
        }
        self.running = Some(Running { control: control.clone(), finished });
        Search { events, control }
    }

    /// Switches parts of the search off.
    #[cfg(test)]
    pub(crate) fn set_features(&mut self, features: Features) {
        self.features = features;
    }

    /// Stops the search that runs, if one does, and waits until the workers have let go of the table.
    fn finish_search(&mut self) {
        if let Some(running) = self.running.take() {
            // Errors mean that it has ended by itself.
            let _ = running.control.send(Control::Stop);
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
    }
}

fn check_threads(threads: usize) -> Result<(), EngineError> {
    if (1..=MAX_THREADS).contains(&threads) { Ok(()) } else { Err(EngineError::Threads { threads }) }
}

fn check_hash_size(mb: usize) -> Result<(), EngineError> {
    if (MIN_HASH_MB..=MAX_HASH_MB).contains(&mb) { Ok(()) } else { Err(EngineError::HashSize { mb }) }
}

/// A search that has been started. Dropping it stops the search.
#[derive(Debug)]
pub struct Search {
    events: Receiver<SearchEvent>,
    control: Sender<Control>,
}

impl Search {
    /// What the search reports: any number of [`SearchEvent::Info`], then one
    /// [`SearchEvent::BestMove`], then the channel closes. Nothing is lost if it is read late.
    pub fn events(&self) -> &Receiver<SearchEvent> {
        &self.events
    }

    /// Tells the search to answer now. Does not wait for the answer, and does nothing to a search
    /// that has ended.
    pub fn stop(&self) {
        let _ = self.control.send(Control::Stop);
    }

    /// Tells a search under [`Limits::ponder`] that the opponent has played the expected move.
    pub fn ponderhit(&self) {
        let _ = self.control.send(Control::PonderHit);
    }

    /// Waits for the best move, passing over what the search reports before. Does not stop a search:
    /// one without an end ([`Limits::infinite`], [`Limits::ponder`]) has to be
    /// [stopped](Search::stop) to get here.
    ///
    /// # Panics
    /// If the best move has already been taken from [`Search::events`].
    pub fn wait(self) -> BestMove {
        self.events
            .iter()
            .find_map(|event| match event {
                SearchEvent::BestMove(best_move) => Some(best_move),
                SearchEvent::Info(_) | SearchEvent::CurrentMove { .. } => None,
            })
            .expect("the best move is the last event, and has not been taken before")
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Why an [`Engine`] cannot be as it is asked to be.
#[derive(Debug)]
pub enum EngineError {
    /// The size of the transposition table is out of range.
    HashSize {
        /// The size asked for, in MiB.
        mb: usize,
    },
    /// There is not so much memory.
    HashMemory {
        /// The size asked for, in MiB.
        mb: usize,
    },
    /// The number of threads is out of range.
    Threads {
        /// The number asked for.
        threads: usize,
    },
    /// The system would not start a thread.
    Spawn(std::io::Error),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::HashSize { mb } => {
                write!(
                    f,
                    "a hash of {mb} MiB is out of range: {MIN_HASH_MB} to {MAX_HASH_MB} MiB are possible"
                )
            }
            EngineError::HashMemory { mb } => {
                write!(f, "not enough memory for a hash of {mb} MiB: choose a smaller one")
            }
            EngineError::Threads { threads } => {
                write!(f, "{threads} threads are out of range: 1 to {MAX_THREADS} are possible")
            }
            EngineError::Spawn(error) => write!(f, "the search thread could not be started: {error}"),
        }
    }
}

impl std::error::Error for EngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            EngineError::Spawn(error) => Some(error),
            _ => None,
        }
    }
}
