//! When a search ends: its limits, and what it is told while it runs.

use crate::limits::Limits;
use crate::time::Budget;
use crossbeam_channel::{Receiver, TryRecvError};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What a search can be told while it runs. Every search has a channel of its own, so that an order
/// can neither be lost nor reach the next search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Control {
    /// Answer now.
    Stop,
    /// The opponent has played the expected move: the clock counts from now on.
    PonderHit,
}

/// How many nodes pass between two looks at clock and channel: half a millisecond's worth. A power of
/// two.
const POLL_NODES: u64 = 512;

/// What the threads of one search tell each other.
#[derive(Debug)]
pub(crate) struct Signals {
    stop: AtomicBool,
    /// The nodes of each thread, as of its last look.
    nodes: Box<[Counter]>,
    /// Positions that all threads have found in the tablebases.
    table_hits: AtomicU64,
}

/// A counter in a cache line of its own, so that threads do not wait for each other's.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counter(AtomicU64);

impl Signals {
    pub(crate) fn new(threads: usize) -> Signals {
        Signals {
            stop: AtomicBool::new(false),
            nodes: (0..threads).map(|_| Counter::default()).collect(),
            table_hits: AtomicU64::new(0),
        }
    }

    /// Ends the search of every thread.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}

/// Counts a thread's nodes and says when it is over.
#[derive(Debug)]
pub(crate) struct Monitor<'a> {
    start: Instant,
    /// The nodes of this thread.
    nodes: u64,
    node_limit: u64,
    stopped: bool,
    signals: &'a Signals,
    /// The number of this thread, from 0.
    thread: usize,
    /// What only the first thread looks after.
    lead: Option<Lead<'a>>,
}

/// The conditions that end a search for all of its threads.
#[derive(Debug)]
struct Lead<'a> {
    budget: Budget,
    orders: &'a Receiver<Control>,
    /// Since when the clock counts; `None` while pondering.
    counting: Option<Instant>,
    /// Is the answer to be held back until a stop?
    infinite: bool,
    /// There is nothing to think about any more once the pondering ends.
    answer_at_ponderhit: bool,
    /// Has the answer been asked for, whatever the other conditions?
    released: bool,
}

impl<'a> Monitor<'a> {
    /// For the first thread. `move_number` is the number in the game of the move to be found.
    pub(crate) fn leading(
        start: Instant,
        limits: &Limits,
        move_number: u16,
        overhead: Duration,
        orders: &'a Receiver<Control>,
        signals: &'a Signals,
    ) -> Monitor<'a> {
        let lead = Lead {
            budget: Budget::new(limits, move_number, overhead),
            orders,
            counting: (!limits.ponder).then_some(start),
            infinite: limits.infinite,
            answer_at_ponderhit: false,
            released: false,
        };
        let node_limit = limits.nodes.map_or(u64::MAX, |nodes| nodes.max(1));
        Monitor { start, nodes: 0, node_limit, stopped: false, signals, thread: 0, lead: Some(lead) }
    }

    /// For the others.
    pub(crate) fn helping(start: Instant, thread: usize, signals: &'a Signals) -> Monitor<'a> {
        Monitor { start, nodes: 0, node_limit: u64::MAX, stopped: false, signals, thread, lead: None }
    }

    /// Is this the first thread, the one that reports and answers?
    pub(crate) fn leads(&self) -> bool {
        self.lead.is_some()
    }

    /// Nodes that this thread has visited so far.
    #[inline]
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nodes that all threads have visited so far, as far as is known.
    pub(crate) fn all_nodes(&self) -> u64 {
        let others = self.signals.nodes.iter().enumerate().filter(|&(thread, _)| thread != self.thread);
        self.nodes + others.map(|(_, nodes)| nodes.0.load(Relaxed)).sum::<u64>()
    }

    /// Positions have been found in the tablebases.
    pub(crate) fn count_table_hits(&self, count: u64) {
        self.signals.table_hits.fetch_add(count, Relaxed);
    }

    /// Positions that all threads have found in the tablebases so far.
    pub(crate) fn table_hits(&self) -> u64 {
        self.signals.table_hits.load(Relaxed)
    }

    /// Time since the search was started.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Is it over? What a node returns from then on means nothing.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// A move is about to be made. Counts it; `false` if the search is over and it must not be.
    #[inline]
    pub(crate) fn visit(&mut self) -> bool {
        if self.stopped || self.nodes >= self.node_limit {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_NODES) {
            self.poll();
        }
        !self.stopped
    }

    /// Looks at the channel, the clock and the other threads.
    #[cold]
    pub(crate) fn poll(&mut self) {
        self.signals.nodes[self.thread].0.store(self.nodes, Relaxed);
        self.stopped |= self.signals.stop.load(Relaxed);
        self.look_for_orders();
        if let Some(lead) = &self.lead {
            let out_of_time = match (lead.counting, lead.budget.hard) {
                (Some(counting), Some(hard)) => counting.elapsed() >= hard,
                _ => false,
            };
            self.stopped |=
                out_of_time || (self.node_limit < u64::MAX && self.all_nodes() >= self.node_limit);
        }
    }

    fn look_for_orders(&mut self) {
        while let Some(lead) = &self.lead {
            match lead.orders.try_recv() {
                Ok(order) => self.obey(order),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.obey(Control::Stop);
                    break;
                }
            }
        }
    }

    fn obey(&mut self, order: Control) {
        let Some(lead) = &mut self.lead else { return };
        match order {
            Control::Stop => (self.stopped, lead.released) = (true, true),
            Control::PonderHit if lead.counting.is_none() => {
                lead.counting = Some(Instant::now());
                self.stopped |= lead.answer_at_ponderhit;
            }
            Control::PonderHit => {}
        }
    }

    /// Is it not worth while to start another iteration? `settled` says that it would not change the
    /// answer; `share` is how much of the time set aside for this move the position is worth, in
    /// thousandths.
    pub(crate) fn is_time_up(&mut self, settled: bool, share: u64) -> bool {
        let elapsed = self.start.elapsed();
        let Some(lead) = &mut self.lead else { return false };
        // The time spent pondering has been thought, too.
        let soft = lead.budget.soft.map(|soft| soft.saturating_mul(share as u32) / 1000);
        let up = soft.is_some_and(|soft| settled || elapsed >= soft);
        if up && lead.counting.is_none() {
            lead.answer_at_ponderhit = true;
            return false;
        }
        up
    }

    /// Ends the search of the other threads, and waits until the answer may be given: at once, but for
    /// searches that run until stopped and those that ponder.
    pub(crate) fn hold(&mut self) {
        self.signals.stop();
        while let Some(lead) = &self.lead {
            if lead.released || !(lead.infinite || lead.counting.is_none()) {
                break;
            }
            let order = lead.orders.recv().unwrap_or(Control::Stop);
            self.obey(order);
        }
    }
}
