use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How many lines may wait to be looked at. When they are there, the reader stops reading, and the
/// engine blocks on its own output: a flood costs the engine time and us no memory.
const CAPACITY: usize = 256;

/// A line from the engine's standard output.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// When its end arrived.
    pub(crate) at: Instant,
    /// The line without its end; bytes that are not UTF-8 are replaced.
    pub(crate) text: String,
}

/// What a wait for a line came to.
pub(super) enum Received {
    /// A line.
    Line(Line),
    /// None yet.
    TimedOut,
    /// There will be no more.
    Closed,
}

/// Lines on their way from the thread that reads them to the one that waits for them.
///
/// A channel would do, but for two things that matter when an engine moves a thousand times a second and
/// shares its processor with us: channels spin before they sleep, and they wake the receiver for every
/// line, where a search's `info` lines can wait until its `bestmove` is there.
#[derive(Default)]
pub(super) struct LineQueue {
    state: Mutex<State>,
    arrived: Condvar,
    room: Condvar,
}

#[derive(Default)]
struct State {
    lines: VecDeque<Line>,
    /// There will be no more lines.
    closed: bool,
    /// Nobody wants them any more.
    abandoned: bool,
    /// The receiver need not be woken for `info` lines.
    defer_info: bool,
}

impl LineQueue {
    /// Delivers a line; false where nobody wants it.
    pub(super) fn push(&self, line: Line) -> bool {
        let mut state = self.lock();
        while state.lines.len() >= CAPACITY && !state.abandoned {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
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

    /// No line will follow.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.arrived.notify_one();
    }

    /// No line is wanted.
    pub(super) fn abandon(&self) {
        let mut state = self.lock();
        state.abandoned = true;
        state.lines.clear();
        drop(state);
        self.room.notify_one();
    }

    /// The next line, if one comes until then. A defer_info receiver may get `info` lines late, though
    /// always by `until`.
    pub(super) fn receive(&self, until: Instant, defer_info: bool) -> Received {
        let mut state = self.lock();
        loop {
            if let Some(line) = state.lines.pop_front() {
                // The reader goes on when half of the lines are gone, not after each single one.
                if state.lines.len() == CAPACITY / 2 {
                    self.room.notify_one();
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

    /// A line that is there already.
    pub(super) fn try_receive(&self) -> Option<Line> {
        match self.receive(Instant::now(), false) {
            Received::Line(line) => Some(line),
            _ => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is whole whenever the lock is free; a panic elsewhere does not change that.
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
    fn lines_come_in_order_and_end() {
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
    fn a_flood_waits_and_nothing_is_lost() {
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
    fn who_is_abandoned_stops() {
        let queue = Arc::new(LineQueue::default());
        let reader = Arc::clone(&queue);
        let thread = std::thread::spawn(move || while reader.push(line("info")) {});
        queue.abandon();
        thread.join().unwrap();
    }
}
