//! Messages to a running search, and the state that its threads share.

use crate::stopwatch::Stopwatch;
use crate::time::TimeBudget;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A message to a running search. Every search has its own channel, so that a message can neither be lost nor
/// reach the next search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Control {
    /// Answer now.
    Stop,
    /// The opponent has played the expected move, so the clock runs from now on.
    PonderHit,
}

/// The time after the hard limit at which a search ends even if it has not reached [`TimeBudget::min_nodes`].
const MIN_NODES_TIMEOUT: Duration = Duration::from_millis(5);

/// The stop flag, the deadline and the counters that the threads of one search share.
///
/// Every thread checks flag and deadline. If there are more threads than processors, the main thread may have to wait long
/// for a processor, but some thread always runs.
#[derive(Debug)]
pub(crate) struct Signals {
    /// Started with the search.
    stopwatch: Stopwatch,
    stop: AtomicBool,
    /// The time at which the search ends, in nanoseconds after its start; `u64::MAX` for none.
    deadline: AtomicU64,
    /// The node count of each thread at its last check.
    nodes: Box<[Counter]>,
    /// The tablebase hits of all threads.
    tb_hits: AtomicU64,
}

/// A counter in its own cache line, so that threads do not slow each other down by false sharing.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counter(AtomicU64);

impl Signals {
    pub(crate) fn new(threads: usize, stopwatch: Stopwatch) -> Signals {
        Signals {
            stopwatch,
            stop: AtomicBool::new(false),
            deadline: AtomicU64::new(u64::MAX),
            nodes: (0..threads).map(|_| Counter::default()).collect(),
            tb_hits: AtomicU64::new(0),
        }
    }

    /// Stops all threads.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Returns true if the threads have been stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Returns the time since the start of the search.
    pub(crate) fn elapsed(&self) -> Duration {
        self.stopwatch.elapsed(|| self.nodes.iter().map(|nodes| nodes.0.load(Relaxed)).sum())
    }

    /// Starts the clock at this time after the start of the search. Does nothing if it is already running.
    pub(crate) fn start_clock(&self, elapsed: Duration, budget: &TimeBudget) {
        if let Some(hard) = budget.hard {
            let deadline = nanoseconds(elapsed.saturating_add(hard));
            // An error means that the clock is already running.
            let _ = self.deadline.compare_exchange(u64::MAX, deadline.min(u64::MAX - 1), Relaxed, Relaxed);
        }
    }

    /// Returns true if the hard time limit has been reached, and the main thread has searched enough nodes.
    pub(crate) fn is_time_up(&self, min_nodes: u64) -> bool {
        let deadline = self.deadline.load(Relaxed);
        if deadline == u64::MAX {
            return false;
        }
        let elapsed = nanoseconds(self.elapsed());
        elapsed >= deadline
            && (self.nodes[0].0.load(Relaxed) >= min_nodes
                || elapsed - deadline >= nanoseconds(MIN_NODES_TIMEOUT))
    }

    /// Publishes the node count of a thread.
    pub(crate) fn set_nodes(&self, thread: usize, nodes: u64) {
        self.nodes[thread].0.store(nodes, Relaxed);
    }

    /// Returns the number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the node count of all threads but one, as last published.
    pub(crate) fn nodes_of_others(&self, thread: usize) -> u64 {
        let others = self.nodes.iter().enumerate().filter(|&(other, _)| other != thread);
        others.map(|(_, nodes)| nodes.0.load(Relaxed)).sum()
    }

    /// Adds to the tablebase hits.
    pub(crate) fn count_tb_hits(&self, count: u64) {
        self.tb_hits.fetch_add(count, Relaxed);
    }

    /// Returns the tablebase hits of all threads.
    pub(crate) fn tb_hits(&self) -> u64 {
        self.tb_hits.load(Relaxed)
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
