//! When a search ends: its limits, and what it is told while it runs.

use crate::limits::Limits;
use crate::time::Budget;
use crossbeam_channel::{Receiver, TryRecvError};
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

/// Counts nodes and says when it is over.
#[derive(Debug)]
pub(crate) struct Monitor {
    start: Instant,
    nodes: u64,
    node_limit: u64,
    budget: Budget,
    orders: Receiver<Control>,
    /// Since when the clock counts; `None` while pondering.
    counting: Option<Instant>,
    /// Is the answer to be held back until a stop?
    infinite: bool,
    /// There is nothing to think about any more once the pondering ends.
    answer_at_ponderhit: bool,
    stopped: bool,
    /// Has the answer been asked for, whatever the other conditions?
    released: bool,
}

impl Monitor {
    pub(crate) fn new(
        start: Instant,
        limits: &Limits,
        overhead: Duration,
        orders: Receiver<Control>,
    ) -> Monitor {
        Monitor {
            start,
            nodes: 0,
            node_limit: limits.nodes.map_or(u64::MAX, |nodes| nodes.max(1)),
            budget: Budget::new(limits, overhead),
            orders,
            counting: (!limits.ponder).then_some(start),
            infinite: limits.infinite,
            answer_at_ponderhit: false,
            stopped: false,
            released: false,
        }
    }

    /// Nodes visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
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

    /// Looks at the channel and the clock.
    #[cold]
    pub(crate) fn poll(&mut self) {
        loop {
            match self.orders.try_recv() {
                Ok(order) => self.obey(order),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.obey(Control::Stop);
                    break;
                }
            }
        }
        if let (Some(counting), Some(hard)) = (self.counting, self.budget.hard)
            && counting.elapsed() >= hard
        {
            self.stopped = true;
        }
    }

    fn obey(&mut self, order: Control) {
        match order {
            Control::Stop => (self.stopped, self.released) = (true, true),
            Control::PonderHit if self.counting.is_none() => {
                self.counting = Some(Instant::now());
                self.stopped |= self.answer_at_ponderhit;
            }
            Control::PonderHit => {}
        }
    }

    /// Is it not worth while to start another iteration? `settled` says that it would not change the
    /// answer.
    pub(crate) fn is_time_up(&mut self, settled: bool) -> bool {
        // The time spent pondering has been thought, too.
        let up = self.budget.soft.is_some_and(|soft| settled || self.start.elapsed() >= soft);
        if up && self.counting.is_none() {
            self.answer_at_ponderhit = true;
            return false;
        }
        up
    }

    /// Waits until the answer may be given: at once, but for searches that run until stopped and those
    /// that ponder.
    pub(crate) fn hold(&mut self) {
        while !self.released && (self.infinite || self.counting.is_none()) {
            self.obey(self.orders.recv().unwrap_or(Control::Stop));
        }
    }
}
