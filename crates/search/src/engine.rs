use crate::control::Control;
use crate::limits::Limits;
use crate::params::Features;
use crate::report::{BestMove, SearchEvent};
use crate::tt::TranspositionTable;
use crate::worker::{self, Job, Task};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::fmt;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tabiya_eval::Evaluation;
use tabiya_movegen::Game;

/// The smallest transposition table, in MiB.
pub const MIN_HASH_MB: usize = 1;
/// The largest transposition table, in MiB: a tebibyte.
pub const MAX_HASH_MB: usize = 1 << 20;
/// The size of the transposition table where none is asked for, in MiB.
pub const DEFAULT_HASH_MB: usize = 16;
/// The most threads an engine searches with.
pub const MAX_THREADS: usize = 1;

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
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: DEFAULT_HASH_MB,
            threads: 1,
            evaluation: Evaluation::Main,
            move_overhead: Duration::from_millis(30),
        }
    }
}

/// A chess engine: a transposition table and a thread that searches.
///
/// It searches one position at a time and reports through a [`Search`]. Any number of engines can
/// live in a program; they share nothing.
#[derive(Debug)]
pub struct Engine {
    options: Options,
    features: Features,
    /// Shared with the worker while a search runs, and only then.
    table: Arc<TranspositionTable>,
    tasks: Sender<Task>,
    thread: Option<JoinHandle<()>>,
    running: Option<Running>,
}

/// What the engine keeps of the search it started last.
#[derive(Debug)]
struct Running {
    control: Sender<Control>,
    /// Nothing is ever sent here: it closes when the worker has let go of the search.
    finished: Receiver<()>,
}

impl Engine {
    /// Sets an engine up: allocates its table and starts its thread.
    ///
    /// # Errors
    /// [`EngineError`] if an option is out of range or the machine cannot provide what it asks for.
    pub fn new(options: Options) -> Result<Engine, EngineError> {
        if !(1..=MAX_THREADS).contains(&options.threads) {
            return Err(EngineError::Threads { threads: options.threads });
        }
        check_hash_size(options.hash_mb)?;
        let table = TranspositionTable::new(options.hash_mb)
            .map_err(|_| EngineError::HashMemory { mb: options.hash_mb })?;
        let (tasks, inbox) = unbounded();
        let thread = worker::spawn(inbox).map_err(EngineError::Spawn)?;
        Ok(Engine {
            options,
            features: Features::ALL,
            table: Arc::new(table),
            tasks,
            thread: Some(thread),
            running: None,
        })
    }

    /// The settings in force.
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
        let resized = match Arc::get_mut(&mut self.table) {
            Some(table) => table.resize(mb),
            // Not reached, since nobody but a running search shares the table; right all the same.
            None => TranspositionTable::new(mb).map(|table| self.table = Arc::new(table)),
        };
        resized.map_err(|_| EngineError::HashMemory { mb })?;
        self.options.hash_mb = mb;
        Ok(())
    }

    /// Forgets everything learnt from earlier searches: for a new game, or for a search whose node
    /// count can be repeated. Ends a running search.
    pub fn clear(&mut self) {
        self.finish_search();
        self.table.clear();
        // A worker that is gone has nothing to forget.
        let _ = self.tasks.send(Task::Forget);
    }

    /// Changes how positions are judged. Holds from the next search on; what the table has learnt
    /// under another evaluation is forgotten. Ends a running search.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        if evaluation != self.options.evaluation {
            self.options.evaluation = evaluation;
            self.clear();
        }
    }

    /// Changes the time set aside for what happens between an answer and the clock. Holds from the
    /// next search on.
    pub fn set_move_overhead(&mut self, move_overhead: Duration) {
        self.options.move_overhead = move_overhead;
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
        self.table.new_generation();
        let job = Job {
            start,
            root: game.position().clone(),
            keys: game.keys().collect(),
            limits,
            features: self.features,
            evaluation: self.options.evaluation,
            move_overhead: self.options.move_overhead,
            table: Arc::clone(&self.table),
            orders,
            reports,
            running,
        };
        // If the worker is gone (it can only have panicked), so are the job's ends of the channels, and
        // the handle tells the caller.
        let _ = self.tasks.send(Task::Search(Box::new(job)));
        self.running = Some(Running { control: control.clone(), finished });
        Search { events, control }
    }

    /// Switches parts of the search off.
    #[cfg(test)]
    pub(crate) fn set_features(&mut self, features: Features) {
        self.features = features;
    }

    /// Stops the search that runs, if one does, and waits until the worker has let go of the table.
    fn finish_search(&mut self) {
        if let Some(running) = self.running.take() {
            // Errors mean that it has ended by itself.
            let _ = running.control.send(Control::Stop);
            let _ = running.finished.recv();
        }
    }
}

/// Stops a running search and ends the thread.
impl Drop for Engine {
    fn drop(&mut self) {
        self.finish_search();
        let _ = self.tasks.send(Task::Quit);
        if let Some(thread) = self.thread.take() {
            // A panic of the worker has been seen by whoever waited for the search.
            let _ = thread.join();
        }
    }
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
                SearchEvent::Info(_) => None,
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
                write!(f, "a hash of {mb} MB is out of range: {MIN_HASH_MB} to {MAX_HASH_MB} MB are possible")
            }
            EngineError::HashMemory { mb } => {
                write!(f, "not enough memory for a hash of {mb} MB: choose a smaller one")
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
