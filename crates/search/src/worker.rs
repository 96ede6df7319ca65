//! The thread that searches. It lives as long as its engine and waits for tasks in between.

use crate::control::Control;
use crate::history::{History, Killers};
use crate::limits::Limits;
use crate::params::Features;
use crate::pv::PvTable;
use crate::report::SearchEvent;
use crate::searcher::Searcher;
use crate::tt::TranspositionTable;
use crossbeam_channel::{Receiver, Sender};
use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use tabiya_core::Key;
use tabiya_eval::Evaluation;
use tabiya_movegen::Position;

/// Room for the deepest line: a node takes some 3 kB in an optimised build and several times that in an
/// unoptimised one. Only what is used gets memory behind it.
const STACK_SIZE: usize = 32 << 20;

/// What the thread is asked to do.
pub(crate) enum Task {
    /// Search a position.
    Search(Box<Job>),
    /// Forget what earlier searches have taught.
    Forget,
    /// End.
    Quit,
}

/// Everything one search needs to know.
pub(crate) struct Job {
    /// When the clock started.
    pub(crate) start: Instant,
    pub(crate) root: Position,
    /// The keys of the game's positions, the oldest first, the root last.
    pub(crate) keys: Vec<Key>,
    pub(crate) limits: Limits,
    pub(crate) features: Features,
    pub(crate) evaluation: Evaluation,
    pub(crate) move_overhead: Duration,
    pub(crate) table: Arc<TranspositionTable>,
    pub(crate) orders: Receiver<Control>,
    pub(crate) reports: Sender<SearchEvent>,
    /// Dropped when the search has ended and has let go of the table.
    pub(crate) running: Sender<()>,
}

/// What a thread keeps for itself from one search to the next.
pub(crate) struct Memory {
    pub(crate) history: History,
    pub(crate) killers: Killers,
    pub(crate) pv: PvTable,
}

/// Starts a thread that works off the tasks of its inbox, in order, until it is told to quit.
pub(crate) fn spawn(inbox: Receiver<Task>) -> io::Result<JoinHandle<()>> {
    Builder::new().name("search".into()).stack_size(STACK_SIZE).spawn(move || {
        let mut memory = Memory { history: History::new(), killers: Killers::new(), pv: PvTable::new() };
        for task in inbox {
            match task {
                Task::Search(job) => search(*job, &mut memory),
                Task::Forget => memory.history.clear(),
                Task::Quit => break,
            }
        }
    })
}

fn search(job: Job, memory: &mut Memory) {
    tracing::debug!(root = %job.root, limits = ?job.limits, "search");
    let mut searcher = Searcher::new(&job, memory);
    let best_move = searcher.think(&job.root, &job.limits, &job.reports);
    tracing::debug!(?best_move, nodes = searcher.monitor.nodes(), time = ?searcher.monitor.elapsed(), "found");
    // Nobody may be listening any more.
    let _ = job.reports.send(SearchEvent::BestMove(best_move));
    let Job { table, running, .. } = job;
    drop(table);
    drop(running);
}
