//! Messages to a running search, and the state that its threads share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A message to a running search. Every search has its own channel, so that a message can neither be lost nor
/// reach the next search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Control {
    /// Answer now.
    Stop,
    /// The opponent has played the expected move, so the clock runs from now on.
    PonderHit,
}

/// The stop flag and the counters that the threads of one search share.
#[derive(Debug)]
pub(crate) struct Signals {
    stop: AtomicBool,
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
    pub(crate) fn new(threads: usize) -> Signals {
        Signals {
            stop: AtomicBool::new(false),
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

    /// Publishes the node count of a thread.
    pub(crate) fn set_nodes(&self, thread: usize, nodes: u64) {
        self.nodes[thread].0.store(nodes, Relaxed);
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
