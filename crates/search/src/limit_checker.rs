//! The end of a search: node and time limits, stop and ponderhit.

use crate::control::{Control, Signals};
use crate::job::Job;
use crate::time::TimeBudget;
use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

/// Counts a thread's nodes and decides when it stops.
#[derive(Debug)]
pub(crate) struct LimitChecker<'a> {
    /// The node count of this thread.
    nodes: u64,
    node_limit: u64,
    /// The node count at which this thread stops or pauses, at most `node_limit`.
    node_end: u64,
    /// The check interval less 1: the limits are checked at node counts in which these bits are 0.
    check_mask: u64,
    /// True while the search unwinds, to end or to pause.
    stopped: bool,
    paused: bool,
    signals: &'a Signals,
    budget: TimeBudget,
    /// The number of this thread, from 0.
    thread: usize,
    /// The limits that the main thread checks for all; `None` in helper threads.
    main: Option<MainLimits<'a>>,
}

/// The limits that end a search for all of its threads.
#[derive(Debug)]
struct MainLimits<'a> {
    control: &'a Receiver<Control>,
    /// The node count from which no further iteration is started.
    soft_nodes: u64,
    /// True until ponderhit.
    pondering: bool,
    /// True if the answer is held back until a stop.
    infinite: bool,
    /// The time before which the answer is held back.
    min_time: Duration,
    /// True if the search ends on ponderhit.
    stop_on_ponderhit: bool,
    /// True once a stop has been received.
    stop_received: bool,
}

impl<'a> LimitChecker<'a> {
    /// Creates the checker of the main thread.
    pub(crate) fn main_thread(job: &'a Job, control: &'a Receiver<Control>) -> LimitChecker<'a> {
        let limits = &job.limits;
        let main = MainLimits {
            control,
            soft_nodes: limits.soft_nodes.unwrap_or(u64::MAX),
            pondering: limits.ponder,
            infinite: limits.infinite,
            min_time: limits.min_time.unwrap_or_default(),
            stop_on_ponderhit: false,
            stop_received: false,
        };
        let node_limit = limits.nodes.map_or(u64::MAX, |nodes| nodes.max(1));
        let node_end = node_limit;
        LimitChecker { node_limit, node_end, main: Some(main), ..LimitChecker::helper_thread(job, 0) }
    }

    /// Creates the checker of a helper thread.
    pub(crate) fn helper_thread(job: &'a Job, thread: usize) -> LimitChecker<'a> {
        LimitChecker {
            nodes: 0,
            node_limit: u64::MAX,
            node_end: u64::MAX,
            check_mask: job.check_interval - 1,
            stopped: false,
            paused: false,
            signals: &job.signals,
            budget: job.budget,
            thread,
            main: None,
        }
    }

    /// Returns true for the main thread, which reports and answers.
    pub(crate) fn is_main_thread(&self) -> bool {
        self.main.is_some()
    }

    /// Returns the number of this thread, from 0.
    pub(crate) fn thread(&self) -> usize {
        self.thread
    }

    /// Returns true if other threads search, too.
    pub(crate) fn has_helpers(&self) -> bool {
        self.signals.threads() > 1
    }

    /// Returns the node count of this thread.
    #[inline]
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the node count of all threads; that of each other thread is up to one check interval too low.
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
        self.signals.elapsed()
    }

    /// Returns true once the search has been stopped. Values returned by nodes are meaningless from then on.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Stops all threads at their next check.
    pub(crate) fn stop_all(&self) {
        self.signals.stop();
    }

    /// Counts a node, which is a move about to be made. Returns false if the search has been stopped and the
    /// move must not be made.
    #[inline]
    pub(crate) fn count_node(&mut self) -> bool {
        if self.stopped || self.nodes >= self.node_end {
            self.paused |= !self.stopped && self.node_end < self.node_limit;
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        if self.nodes & self.check_mask == 0 {
            self.check();
        }
        !self.stopped
    }

    /// Makes the search pause after this many further nodes: it unwinds as if it were stopped, until [`resume`](Self::resume).
    pub(crate) fn pause_after(&mut self, nodes: u64) {
        self.node_end = self.nodes.saturating_add(nodes).min(self.node_limit);
    }

    /// Ends a pause, or calls it off. Returns true if the search had paused and is not to stop.
    pub(crate) fn resume(&mut self) -> bool {
        self.node_end = self.node_limit;
        let had_paused = std::mem::take(&mut self.paused);
        if had_paused {
            self.stopped = false;
            self.check();
        }
        had_paused && !self.stopped
    }

    /// Checks the channel, the clock and the other threads.
    #[cold]
    pub(crate) fn check(&mut self) {
        self.signals.set_nodes(self.thread, self.nodes);
        if self.signals.is_time_up(self.budget.min_nodes) {
            self.signals.stop();
        }
        self.stopped |= self.signals.is_stopped();
        if self.is_main_thread() {
            self.receive_messages();
            self.stopped |= self.node_limit < u64::MAX && self.all_nodes() >= self.node_limit;
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
            Control::PonderHit => {
                self.stopped |= main.pondering && main.stop_on_ponderhit;
                main.pondering = false;
            }
        }
    }

    /// Returns true if no further iteration should be started: the soft node limit or the soft time limit is reached.
    ///
    /// `settled` is true if deeper iterations are unlikely to change the best move. `scale` is the factor on the
    /// soft time limit, in thousandths.
    pub(crate) fn is_soft_limit_reached(&mut self, settled: bool, scale: u64) -> bool {
        // Time spent pondering counts, since it has been used for the search.
        let elapsed = self.elapsed();
        let Some(main) = &mut self.main else { return false };
        let soft = self.budget.soft.map(|soft| soft.saturating_mul(scale as u32) / 1000);
        let has_min_nodes = self.nodes >= self.budget.min_nodes;
        let is_up = soft.is_some_and(|soft| settled || (has_min_nodes && elapsed >= soft))
            || self.nodes >= main.soft_nodes;
        if is_up && main.pondering {
            main.stop_on_ponderhit = true;
            return false;
        }
        is_up
    }

    /// Stops the other threads and waits until the best move may be sent: at once, except in infinite searches,
    /// while pondering, and before the minimum time.
    pub(crate) fn wait_until_answer_is_due(&mut self) {
        self.signals.stop();
        while let Some(main) = self.main.as_ref().filter(|main| !main.stop_received) {
            let message = if main.infinite || main.pondering {
                main.control.recv().unwrap_or(Control::Stop)
            } else {
                let rest = main.min_time.saturating_sub(self.signals.elapsed());
                if rest.is_zero() {
                    break;
                }
                match main.control.recv_timeout(rest) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => Control::Stop,
                }
            };
            self.handle(message);
        }
    }
}
