//! The search threads. They live as long as their engine and wait for tasks in between.
//!
//! The threads search the same position and share only the transposition table (*Lazy SMP*). No work is
//! assigned: each thread has its own histories, and differences in timing soon lead them to different parts
//! of the tree. Source: Homan (ExChess), 2013.

use crate::control::Control;
use crate::job::Job;
use crate::limit_checker::LimitChecker;
use crate::report::SearchEvent;
use crate::root_moves::ThreadResult;
use crate::searcher::Searcher;
use crate::thread_data::ThreadData;
use crate::time::TimeBudget;
use crate::vote;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use tabiya_eval::Evaluate;

/// The stack size of a search thread, enough for the longest line: a node takes about 4 kB in an optimised
/// build and several times that in a debug build. The system provides memory only for the part that is used.
const STACK_SIZE: usize = 64 << 20;

/// A task for a search thread.
pub(crate) enum Task {
    /// Search as the main thread and answer.
    Search(MainTask),
    /// Search as a helper thread and send the result to the main thread.
    Help(Arc<Job>, Sender<ThreadResult>),
    /// Replace the evaluator.
    SetEvaluator(Box<dyn Evaluate>),
    /// Forget everything learnt from earlier searches.
    Clear,
    /// End the thread.
    Quit,
}

/// The task of the main thread.
pub(crate) struct MainTask {
    pub(crate) job: Arc<Job>,
    pub(crate) control: Receiver<Control>,
    pub(crate) events: Sender<SearchEvent>,
    /// The results of the helper threads; closed when the last of them has ended.
    pub(crate) helper_results: Receiver<ThreadResult>,
    /// Dropped when the search has ended and all threads have released the TT.
    pub(crate) running: Sender<()>,
}

/// A handle on a search thread, which ends when the handle is dropped.
#[derive(Debug)]
pub(crate) struct Worker {
    tasks: Sender<Task>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread with this number, from 0. It performs its tasks in order.
    pub(crate) fn spawn(number: usize, evaluator: Box<dyn Evaluate>) -> io::Result<Worker> {
        let (tasks, inbox) = unbounded();
        let thread = Builder::new()
            .name(format!("search {number}"))
            .stack_size(STACK_SIZE)
            .spawn(move || work(&inbox, number, evaluator))?;
        Ok(Worker { tasks, thread: Some(thread) })
    }

    /// Sends a task. Does nothing if the thread has panicked, which the receiver of the search's events
    /// notices.
    pub(crate) fn send(&self, task: Task) {
        let _ = self.tasks.send(task);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.send(Task::Quit);
        if let Some(thread) = self.thread.take() {
            // The receiver of the search's events has noticed a panic.
            let _ = thread.join();
        }
    }
}

fn work(inbox: &Receiver<Task>, number: usize, evaluator: Box<dyn Evaluate>) {
    let mut data = ThreadData::new(evaluator);
    for task in inbox {
        match task {
            Task::Search(task) => search(task, &mut data),
            Task::Help(job, results) => {
                let result = help(&job, number, &mut data);
                // Released before the main thread learns that this thread has ended.
                drop(job);
                let _ = results.send(result);
            }
            Task::SetEvaluator(evaluator) => data.evaluator = evaluator,
            Task::Clear => data.clear(),
            Task::Quit => break,
        }
    }
}

fn help(job: &Job, number: usize, data: &mut ThreadData) -> ThreadResult {
    let limits = LimitChecker::helper_thread(job.start, number, &job.signals);
    Searcher::new(job, limits, None, data).iterative_deepening(&job.root, &job.limits)
}

fn search(task: MainTask, data: &mut ThreadData) {
    let MainTask { job, control, events, helper_results, running } = task;
    tracing::debug!(root = %job.root, limits = ?job.limits, "search");
    let budget = TimeBudget::new(&job.limits, job.root.fullmove_number(), job.move_overhead);
    let limits = LimitChecker::main_thread(job.start, &job.limits, budget, &control, &job.signals);
    let mut searcher = Searcher::new(&job, limits, Some(&events), data);
    let own = searcher.iterative_deepening(&job.root, &job.limits);
    searcher.limits.wait_until_answer_is_due();
    let mut results = vec![own];
    results.extend(helper_results);
    let chosen = vote::choose(&results, &job.limits);
    let ThreadResult { depth, best } = &results[chosen];
    if let (Some(best), true) = (best, chosen > 0) {
        searcher.report_root_move(&job.root, *depth, 0, best);
    }
    let answer = searcher.best_move(&job.root, best.as_ref());
    let (nodes, time) = (searcher.limits.all_nodes(), searcher.limits.elapsed());
    tracing::debug!(?answer, nodes, ?time, "best move");
    drop(job);
    // An error means that the search's handle has been dropped.
    let _ = events.send(SearchEvent::BestMove(answer));
    drop(running);
}
