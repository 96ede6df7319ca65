//! The search threads. They live as long as their engine and wait for tasks between searches.
//!
//! The threads search the same position and share only the transposition table (*Lazy SMP*). No work is
//! assigned: each thread has its own histories, and differences in timing soon lead them to different parts
//! of the tree. Source: Homan (ExChess), 2013.

use crate::answer::{Answer, Line};
use crate::control::Control;
use crate::handle::SharedLines;
use crate::job::Job;
use crate::limit_checker::LimitChecker;
use crate::memory;
use crate::report::{Reporter, SearchEvent};
use crate::root_moves::RootMove;
use crate::searcher::Searcher;
use crate::thread_data::ThreadData;
use crate::vote;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::cell::RefCell;
use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use tabiya_eval::Evaluate;

/// The stack size of a search thread, enough for the longest line: a node takes about 4 kB in an optimised
/// build and several times that in a debug build. The system provides memory only for the part that is used, but
/// counts all of it against a limit of the address space.
pub const SEARCH_STACK_SIZE: usize = if cfg!(debug_assertions) { 64 << 20 } else { 16 << 20 };

/// The maximum number of threads to start at the same time.
const MAX_BATCH: usize = 16;

/// Returns the number of threads, up to `count`, that can be started at the same time; 0 if there is not enough memory for one.
pub(crate) fn batch_size(count: usize) -> usize {
    let batch = count.min(MAX_BATCH);
    if memory::check_threads(batch, SEARCH_STACK_SIZE).is_ok() {
        return batch;
    }
    // A single thread does not need its own heap.
    usize::from(memory::check_blocks(1, SEARCH_STACK_SIZE + memory::RESERVE).is_ok())
}

/// A function that creates an evaluator for each thread.
pub(crate) type MakeEvaluator = Arc<dyn Fn() -> Box<dyn Evaluate> + Send + Sync>;

/// A function that receives the events of a search.
pub(crate) type OnEvent = Box<dyn FnMut(SearchEvent) + Send>;

/// Passes the reports of a search to its caller.
struct ToCaller {
    on_event: RefCell<OnEvent>,
    lines: SharedLines,
}

impl Reporter for ToCaller {
    fn event(&self, event: SearchEvent) {
        // The function cannot report, so it is never borrowed twice.
        (self.on_event.borrow_mut())(event);
    }

    fn lines(&self, lines: &[Line]) {
        self.lines.set(lines.to_vec());
    }
}

/// A task for a search thread.
pub(crate) enum Task {
    /// Search as the main thread and answer.
    Search(MainTask),
    /// Search as a helper thread.
    Help(HelperTask),
    /// Replace the evaluator.
    SetEvaluator(MakeEvaluator),
    /// Forget everything learnt from earlier searches.
    Clear,
    /// End the thread.
    Quit,
}

/// The task of the main thread.
pub(crate) struct MainTask {
    pub(crate) job: Arc<Job>,
    pub(crate) control: Receiver<Control>,
    pub(crate) on_event: OnEvent,
    /// The lines of the last report.
    pub(crate) lines: SharedLines,
    pub(crate) answer: Sender<Answer>,
    /// The best moves of the helper threads that have been started; closed when the last of them has ended.
    pub(crate) helper_results: Receiver<RootMove>,
    /// Dropped when the search has ended and all threads have released the TT.
    pub(crate) running: Sender<()>,
}

/// The task of a helper thread.
///
/// Before it searches, each helper thread starts two others, its children in a binary heap. So starting the search takes
/// the same time with any number of threads, and threads that would not get a processor before the search ends are
/// never started.
pub(crate) struct HelperTask {
    pub(crate) job: Arc<Job>,
    /// All helper threads, from number 1.
    pub(crate) helpers: Arc<[Sender<Task>]>,
    /// The index of this helper thread in `helpers`.
    pub(crate) index: usize,
    /// Passes the result to the main thread.
    pub(crate) results: Sender<RootMove>,
}

impl HelperTask {
    /// Starts the helper thread with this index, if there is one.
    pub(crate) fn start(self) {
        if let Some(helper) = self.helpers.get(self.index) {
            // Fails only if the thread has panicked.
            let _ = helper.clone().send(Task::Help(self));
        }
    }

    fn run(self, data: &mut ThreadData) {
        if self.job.signals.is_stopped() {
            return;
        }
        let HelperTask { job, helpers, index, results } = self;
        for index in [2 * index + 1, 2 * index + 2] {
            let (job, helpers, results) = (Arc::clone(&job), Arc::clone(&helpers), results.clone());
            HelperTask { job, helpers, index, results }.start();
        }
        let limits = LimitChecker::helper_thread(&job, index + 1);
        data.begin_search();
        let best = Searcher::new(&job, limits, None, data).search_root(&job.root, &job.limits);
        // Release the TT before the main thread receives the result.
        drop(job);
        if let Some(best) = best {
            let _ = results.send(best);
        }
    }
}

/// A handle on a search thread, which ends when the handle is dropped.
#[derive(Debug)]
pub(crate) struct Worker {
    tasks: Sender<Task>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread with this number, from 0; it performs its tasks in order. Once it is ready, it sends its number to
    /// `started`. If there is not enough memory, it ends without sending.
    pub(crate) fn spawn(
        number: usize,
        make_evaluator: MakeEvaluator,
        started: Sender<usize>,
    ) -> io::Result<Worker> {
        let (tasks, inbox) = unbounded();
        let thread = Builder::new().name(format!("search {number}")).stack_size(SEARCH_STACK_SIZE).spawn(
            move || {
                let data = ThreadData::new(&*make_evaluator);
                // It holds a network, which may be replaced.
                drop(make_evaluator);
                if let Ok(data) = data {
                    let _ = started.send(number);
                    drop(started);
                    work(&inbox, data);
                }
            },
        )?;
        Ok(Worker { tasks, thread: Some(thread) })
    }

    /// Returns the sender of the thread's tasks.
    pub(crate) fn tasks(&self) -> Sender<Task> {
        self.tasks.clone()
    }

    /// Sends a task. Does nothing if the thread has panicked; the channel of the search's events is closed then.
    pub(crate) fn send(&self, task: Task) {
        let _ = self.tasks.send(task);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.send(Task::Quit);
        if let Some(thread) = self.thread.take() {
            // An error means that the thread has panicked, which the closed channel of events has shown.
            let _ = thread.join();
        }
    }
}

fn work(inbox: &Receiver<Task>, mut data: ThreadData) {
    for task in inbox {
        match task {
            Task::Search(task) => search(task, &mut data),
            Task::Help(task) => task.run(&mut data),
            Task::SetEvaluator(make_evaluator) => data.evaluator = make_evaluator(),
            Task::Clear => data.clear(),
            Task::Quit => break,
        }
    }
}

fn search(task: MainTask, data: &mut ThreadData) {
    let MainTask { job, control, on_event, lines, answer: answer_sender, helper_results, running } = task;
    tracing::debug!(root = %job.root, limits = ?job.limits, "search");
    let limits = LimitChecker::main_thread(&job, &control);
    data.begin_search();
    let to_caller = ToCaller { on_event: RefCell::new(on_event), lines };
    let mut searcher = Searcher::new(&job, limits, Some(&to_caller), data);
    let own = searcher.search_root(&job.root, &job.limits);
    searcher.limits.wait_until_answer_is_due();
    let results: Vec<RootMove> = own.into_iter().chain(helper_results).collect();
    let chosen = vote::choose(&results, &job.limits);
    let best = results.get(chosen);
    let lines = match best {
        Some(best) if chosen > 0 => vec![searcher.report_best(&job.root, best)],
        _ => searcher.lines(&job.root, job.limits.multipv),
    };
    let best_move = searcher.best_move(&job.root, best);
    let (nodes, time) = (searcher.limits.all_nodes(), searcher.limits.elapsed());
    tracing::debug!(?best_move, nodes, ?time, "best move");
    let answer = Answer::new(best_move, lines, nodes, time);
    drop(job);
    to_caller.lines(answer.lines());
    // An error means that the search's handle has been dropped.
    let _ = answer_sender.send(answer);
    to_caller.event(SearchEvent::BestMove(best_move));
    // The caller's function, whose end closes the channel of events, before the search counts as finished.
    drop(to_caller);
    drop(running);
}
