//! The lines of an engine that have not been read yet.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Maximum number of queued lines. When the queue is full the reader thread stops reading, and the
/// engine blocks on its own output: a flood costs neither memory nor processor time here.
const CAPACITY: usize = 256;

/// A line from the engine's standard output.
#[derive(Clone, Debug)]
pub struct Line {
    /// Arrival time of the end of the line.
    pub at: Instant,
    /// The line without its line ending; invalid UTF-8 is replaced.
    pub text: String,
}

/// Result of [`LineQueue::receive`].
pub(super) enum Received {
    /// A line.
    Line(Line),
    /// No line arrived in time.
    TimedOut,
    /// The engine has closed its output.
    Closed,
}

/// Queue of lines from the reader thread to the waiting thread.
///
/// Faster than a channel when an engine plays a thousand moves per second and shares its processor with
/// the runner: channels spin before they sleep, and wake the receiver for every line, although the
/// `info` lines of a search can wait for its `bestmove` or the end of a short interval.
#[derive(Default)]
pub(super) struct LineQueue {
    state: Mutex<State>,
    arrived: Condvar,
    space: Condvar,
}

#[derive(Default)]
struct State {
    lines: VecDeque<Line>,
    /// The engine has closed its output.
    closed: bool,
    /// The receiver is gone.
    abandoned: bool,
    /// True while the receiver need not be woken for `info` lines.
    defer_info: bool,
    /// True while the oldest `info` lines make room for new lines: nobody receives them for a long time.
    overwriting: bool,
}

impl LineQueue {
    /// Sets whether a full queue drops its oldest `info` line instead of blocking the engine.
    pub(super) fn set_overwriting(&self, overwriting: bool) {
        self.lock().overwriting = overwriting;
        self.space.notify_one();
    }

    /// Appends a line, blocking while the queue is full. Returns false if the receiver is gone.
    pub(super) fn push(&self, line: Line) -> bool {
        let mut state = self.lock();
        while state.lines.len() >= CAPACITY && !state.abandoned {
            if state.overwriting {
                // An earlier search's `bestmove` stays: it is counted.
                let oldest = state.lines.iter().position(|line| line.text.starts_with("info")).unwrap_or(0);
                state.lines.remove(oldest);
                continue;
            }
            state = self.space.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.abandoned {
            return false;
        }
        let can_wait = state.defer_info && line.text.starts_with("info") && state.lines.len() < CAPACITY / 2;
        state.lines.push_back(line);
        drop(state);
        if !can_wait {
            self.arrived.notify_one();
        }
        true
    }

    /// Marks the end of the output.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.arrived.notify_one();
    }

    /// Drops all lines and makes [`LineQueue::push`] fail from now on.
    pub(super) fn abandon(&self) {
        let mut state = self.lock();
        state.abandoned = true;
        state.lines.clear();
        drop(state);
        self.space.notify_one();
    }

    /// Waits for a line until `until`. With `defer_info`, `info` lines may be delivered late, but before
    /// `until`.
    pub(super) fn receive(&self, until: Instant, defer_info: bool) -> Received {
        let mut state = self.lock();
        loop {
            if let Some(line) = state.lines.pop_front() {
                // Wake the reader once when the queue is half empty rather than after every line.
                if state.lines.len() == CAPACITY / 2 {
                    self.space.notify_one();
                }
                return Received::Line(line);
            }
            if state.closed {
                return Received::Closed;
            }
            let now = Instant::now();
            if now >= until {
                return Received::TimedOut;
            }
            state.defer_info = defer_info;
            let (guard, _) =
                self.arrived.wait_timeout(state, until - now).unwrap_or_else(PoisonError::into_inner);
            state = guard;
            state.defer_info = false;
        }
    }

    /// Returns a line that is already queued.
    pub(super) fn try_receive(&self) -> Option<Line> {
        match self.receive(Instant::now(), false) {
            Received::Line(line) => Some(line),
            _ => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is consistent whenever the lock is free, so a poisoned lock is harmless.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    fn line(text: &str) -> Line {
        Line { at: Instant::now(), text: text.to_owned() }
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    fn text(received: Received) -> Option<String> {
        match received {
            Received::Line(line) => Some(line.text),
            _ => None,
        }
    }

    #[test]
    fn newest_lines_are_kept_while_nobody_receives() {
        let queue = LineQueue::default();
        queue.set_overwriting(true);
        assert!(queue.push(line("bestmove e2e4")));
        for number in 0..CAPACITY + 3 {
            assert!(queue.push(line(&format!("info {number}"))));
        }
        queue.set_overwriting(false);
        assert_eq!(queue.try_receive().map(|line| line.text).as_deref(), Some("bestmove e2e4"));
        assert_eq!(queue.try_receive().map(|line| line.text).as_deref(), Some("info 4"));
        assert_eq!(queue.lock().lines.len(), CAPACITY - 2);
    }

    #[test]
    fn lines_arrive_in_order_until_closed() {
        let queue = LineQueue::default();
        assert!(matches!(queue.receive(Instant::now(), true), Received::TimedOut));
        for name in ["info 1", "info 2", "bestmove e2e4"] {
            assert!(queue.push(line(name)));
        }
        queue.close();
        assert_eq!(text(queue.receive(soon(), true)).as_deref(), Some("info 1"));
        assert_eq!(queue.try_receive().map(|line| line.text).as_deref(), Some("info 2"));
        assert_eq!(text(queue.receive(soon(), false)).as_deref(), Some("bestmove e2e4"));
        assert!(matches!(queue.receive(soon(), false), Received::Closed));
    }

    #[test]
    fn flood_blocks_the_reader_and_loses_nothing() {
        let queue = Arc::new(LineQueue::default());
        let reader = Arc::clone(&queue);
        let thread = std::thread::spawn(move || {
            let delivered =
                (0..5000).take_while(|number| reader.push(line(&format!("info {number}")))).count();
            reader.push(line("bestmove e2e4"));
            delivered
        });
        let mut received = 0;
        while let Some(text) = text(queue.receive(soon(), true)) {
            if text.starts_with("bestmove") {
                break;
            }
            assert_eq!(text, format!("info {received}"));
            received += 1;
        }
        assert_eq!((received, thread.join().unwrap()), (5000, 5000));
    }

    #[test]
    fn abandoned_queue_stops_the_reader() {
        let queue = Arc::new(LineQueue::default());
        let reader = Arc::clone(&queue);
        let thread = std::thread::spawn(move || while reader.push(line("info")) {});
        queue.abandon();
        thread.join().unwrap();
    }
}
