//! The end of a search: node and time limits, stop and ponderhit.

use crate::control::{Control, Signals};
use crate::limits::Limits;
use crate::time::TimeBudget;
use crossbeam_channel::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

/// The number of nodes between two checks of clock and channel, about half a millisecond. A power of two.
const CHECK_INTERVAL: u64 = 512;

/// Counts a thread's nodes and decides when it stops.
#[derive(Debug)]
pub(crate) struct LimitChecker<'a> {
    start: Instant,
    /// The node count of this thread.
    nodes: u64,
    node_limit: u64,
    stopped: bool,
    signals: &'a Signals,
    /// The number of this thread, from 0.
    thread: usize,
    /// The limits that the main thread checks for all; `None` in helper threads.
    main: Option<MainLimits<'a>>,
}

/// The limits that end a search for all of its threads.
#[derive(Debug)]
struct MainLimits<'a> {
    budget: TimeBudget,
    control: &'a Receiver<Control>,
    /// The time from which the clock runs; `None` while pondering.
    clock_start: Option<Instant>,
    /// True if the answer is held back until a stop.
    infinite: bool,
    /// True if the search ends as soon as the pondering does.
    stop_on_ponderhit: bool,
    /// True once a stop has been received.
    stop_received: bool,
}

impl<'a> LimitChecker<'a> {
    /// Creates the checker of the main thread.
    pub(crate) fn main_thread(
        start: Instant,
        limits: &Limits,
        budget: TimeBudget,
        control: &'a Receiver<Control>,
        signals: &'a Signals,
    ) -> LimitChecker<'a> {
        let main = MainLimits {
            budget,
            control,
            clock_start: (!limits.ponder).then_some(start),
            infinite: limits.infinite,
            stop_on_ponderhit: false,
            stop_received: false,
        };
        let node_limit = limits.nodes.map_or(u64::MAX, |nodes| nodes.max(1));
        LimitChecker { start, nodes: 0, node_limit, stopped: false, signals, thread: 0, main: Some(main) }
    }

    /// Creates the checker of a helper thread.
    pub(crate) fn helper_thread(start: Instant, thread: usize, signals: &'a Signals) -> LimitChecker<'a> {
        LimitChecker { start, nodes: 0, node_limit: u64::MAX, stopped: false, signals, thread, main: None }
    }

    /// Returns true for the main thread, which reports and answers.
    pub(crate) fn is_main_thread(&self) -> bool {
        self.main.is_some()
    }

    /// Returns the node count of this thread.
    #[inline]
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the node count of all threads; that of each other thread is up to [`CHECK_INTERVAL`] too low.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes + self.signals.nodes_of_others(self.thread)
    }

    /// Adds to the tablebase hits.
    pub(crate) fn count_tb_hits(&self, count: u64) {
        self.signals.count_tb_hits(count);
    }

    /// Returns the tablebase hits of all threads.
    pub(crate) fn tb_hits(&self) -> u64 {
        self.signals.tb_hits()
    }

    /// Returns the time since the start of the search.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns true once the search has been stopped. Values returned by nodes are meaningless from then on.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a node, which is a move about to be made. Returns false if the search has been stopped and the
    /// move must not be made.
    #[inline]
    pub(crate) fn count_node(&mut self) -> bool {
        if self.stopped || self.nodes >= self.node_limit {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_INTERVAL) {
            self.check();
        }
        !self.stopped
    }

    /// Checks the channel, the clock and the other threads.
    #[cold]
    pub(crate) fn check(&mut self) {
        self.signals.set_nodes(self.thread, self.nodes);
        self.stopped |= self.signals.is_stopped();
        self.receive_messages();
        if let Some(main) = &self.main {
            let out_of_time = match (main.clock_start, main.budget.hard) {
                (Some(clock_start), Some(hard)) => clock_start.elapsed() >= hard,
                _ => false,
            };
            self.stopped |=
                out_of_time || (self.node_limit < u64::MAX && self.all_nodes() >= self.node_limit);
        }
    }

    fn receive_messages(&mut self) {
        while let Some(main) = &self.main {
            match main.control.try_recv() {
                Ok(message) => self.handle(message),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.handle(Control::Stop);
                    break;
                }
            }
        }
    }

    fn handle(&mut self, message: Control) {
        let Some(main) = &mut self.main else { return };
        match message {
            Control::Stop => (self.stopped, main.stop_received) = (true, true),
            Control::PonderHit if main.clock_start.is_none() => {
                main.clock_start = Some(Instant::now());
                self.stopped |= main.stop_on_ponderhit;
            }
            Control::PonderHit => {}
        }
    }

    /// Returns true if no further iteration should be started.
    ///
    /// `settled` is true if deeper iterations are unlikely to change the best move. `scale` is the factor on the
    /// soft time limit, in thousandths.
    pub(crate) fn is_soft_time_up(&mut self, settled: bool, scale: u64) -> bool {
        // Time spent pondering counts, since it has been used for the search.
        let elapsed = self.start.elapsed();
        let Some(main) = &mut self.main else { return false };
        let soft = main.budget.soft.map(|soft| soft.saturating_mul(scale as u32) / 1000);
        let is_up = soft.is_some_and(|soft| settled || elapsed >= soft);
        if is_up && main.clock_start.is_none() {
            main.stop_on_ponderhit = true;
            return false;
        }
        is_up
    }

    /// Stops the other threads and waits until the best move may be sent: at once, except in infinite searches
    /// and while pondering.
    pub(crate) fn wait_until_answer_is_due(&mut self) {
        self.signals.stop();
        while let Some(main) = &self.main {
            if main.stop_received || !(main.infinite || main.clock_start.is_none()) {
                break;
            }
            let message = main.control.recv().unwrap_or(Control::Stop);
            self.handle(message);
        }
    }
}
