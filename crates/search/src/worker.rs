//! The threads that search. They live as long as their engine and wait for tasks in between.
//!
//! All threads search the same position and talk only through the table (*Lazy SMP*): what one has found
//! out, the others need not. Nobody tells them what to look at: each has its own histories, and which of them
//! comes first to a position is left to chance, so that they soon look at different things. (Dan Homan's
//! ExChess, 2013.)

use crate::control::{Control, Monitor, Signals};
use crate::history::Histories;
use crate::limits::Limits;
use crate::params::Features;
use crate::pv::PvTable;
use crate::report::SearchEvent;
use crate::root::Finding;
use crate::searcher::Searcher;
use crate::stack::Stack;
use crate::tablebase::TablebaseOptions;
use crate::tt::TranspositionTable;
use crate::vote;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use tabiya_core::Key;
use tabiya_eval::Evaluate;
use tabiya_movegen::Position;

/// Room for the deepest line: a node takes some 4 kB in an optimised build and several times that in an
/// unoptimised one. Only what is used gets memory behind it.
const STACK_SIZE: usize = 64 << 20;

/// What a thread is asked to do.
pub(crate) enum Task {
    /// Search a position and answer.
    Lead(Lead),
    /// Search along, and tell the leading thread what was found.
    Help(Arc<Job>, Sender<Finding>),
    /// Judge positions by this from now on.
    Evaluate(Box<dyn Evaluate>),
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
    pub(crate) move_overhead: Duration,
    pub(crate) tablebases: TablebaseOptions,
    pub(crate) table: Arc<TranspositionTable>,
    pub(crate) signals: Signals,
}

/// What the leading thread needs besides.
pub(crate) struct Lead {
    pub(crate) job: Arc<Job>,
    pub(crate) orders: Receiver<Control>,
    pub(crate) reports: Sender<SearchEvent>,
    /// What the helping threads find; it closes when the last of them has ended.
    pub(crate) findings: Receiver<Finding>,
    /// Dropped when the search has ended and all threads have let go of the table.
    pub(crate) running: Sender<()>,
}

/// What a thread keeps for itself from one search to the next.
pub(crate) struct Memory {
    pub(crate) evaluator: Box<dyn Evaluate>,
    pub(crate) histories: Histories,
    pub(crate) stack: Stack,
    pub(crate) pv: PvTable,
}

impl Memory {
    pub(crate) fn new(evaluator: Box<dyn Evaluate>) -> Memory {
        Memory { evaluator, histories: Histories::new(), stack: Stack::new(), pv: PvTable::new() }
    }
}

/// A thread and the way to reach it. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Worker {
    tasks: Sender<Task>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread with this number, from 0, which works off its tasks in order.
    pub(crate) fn spawn(number: usize, evaluator: Box<dyn Evaluate>) -> io::Result<Worker> {
        let (tasks, inbox) = unbounded();
        let thread = Builder::new()
            .name(format!("search {number}"))
            .stack_size(STACK_SIZE)
            .spawn(move || work(&inbox, number, evaluator))?;
        Ok(Worker { tasks, thread: Some(thread) })
    }

    /// Gives it something to do. A worker that is gone (it can only have panicked) does nothing; whoever
    /// waits for a search notices.
    pub(crate) fn give(&self, task: Task) {
        let _ = self.tasks.send(task);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.give(Task::Quit);
        if let Some(thread) = self.thread.take() {
            // A panic of the worker has been seen by whoever waited for the search.
            let _ = thread.join();
        }
    }
}

fn work(inbox: &Receiver<Task>, number: usize, evaluator: Box<dyn Evaluate>) {
    let mut memory = Memory::new(evaluator);
    for task in inbox {
        match task {
            Task::Lead(lead) => search(lead, &mut memory),
            Task::Help(job, findings) => {
                let finding = help(&job, number, &mut memory);
                // The table has to be free before the leading thread hears of the end.
                drop(job);
                let _ = findings.send(finding);
            }
            Task::Evaluate(evaluator) => memory.evaluator = evaluator,
            Task::Forget => {
                memory.histories.clear();
                memory.evaluator.clear();
            }
            Task::Quit => break,
        }
    }
}

fn help(job: &Job, number: usize, memory: &mut Memory) -> Finding {
    let monitor = Monitor::helping(job.start, number, &job.signals);
    Searcher::new(job, monitor, None, memory).think(&job.root, &job.limits)
}

fn search(lead: Lead, memory: &mut Memory) {
    let Lead { job, orders, reports, findings, running } = lead;
    tracing::debug!(root = %job.root, limits = ?job.limits, "search");
    let move_number = job.root.fullmove_number();
    let monitor =
        Monitor::leading(job.start, &job.limits, move_number, job.move_overhead, &orders, &job.signals);
    let mut searcher = Searcher::new(&job, monitor, Some(&reports), memory);
    let own = searcher.think(&job.root, &job.limits);
    searcher.monitor.hold();
    let mut all = vec![own];
    all.extend(findings);
    let chosen = vote::choose(&all, &job.limits);
    let Finding { depth, best } = &all[chosen];
    if let (Some(best), true) = (best, chosen > 0) {
        searcher.report_root_move(&job.root, *depth, 0, best);
    }
    let answer = searcher.answer(&job.root, best.as_ref());
    let (nodes, time) = (searcher.monitor.all_nodes(), searcher.monitor.elapsed());
    tracing::debug!(?answer, nodes, ?time, "found");
    drop(job);
    // Nobody may be listening any more.
    let _ = reports.send(SearchEvent::BestMove(answer));
    drop(running);
}
