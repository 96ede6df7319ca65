//! Stops the running command: from the main loop and, at a stop line, before it from the thread that reads the input.
//!
//! The main loop alone would be late: it may be waiting for somebody to read its output. And if there are many more
//! search threads than processors, a thread that wakes up gets one only after some tens of milliseconds. The reader has just
//! got one, and a stopped search soon frees them all.
//!
//! At the end of the input everything that was requested before is still carried out, so that a file of commands can
//! be piped in and the output be piped on: nothing is lost however slowly it is read. Only what would not end by itself is
//! stopped and, unless the input is a file, each command that takes longer than [`COMMAND_TIMEOUT`]. The first is left to the main
//! loop, because a line that it has not executed yet, such as `ponderhit`, may limit a search.

use crate::logging;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum time of a command after the end of the input, unless the input is a file.
pub(crate) const COMMAND_TIMEOUT: Duration = Duration::from_secs(5);

/// The state that the reader of the input and the main loop share.
#[derive(Clone, Default)]
pub(crate) struct EarlyStop(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    running: Option<Running>,
    /// Number of lines that have been read and that the main loop has not executed yet.
    waiting: usize,
    /// One of these lines, which has stopped a command. `isready` may overtake it.
    stop_line: Option<StopLine>,
}

/// A stop line that has stopped a command before the main loop executes it.
struct StopLine {
    line: String,
    is_logged: bool,
}

/// The command that was started last.
struct Running {
    start: Instant,
    /// True if a stop line stops the command.
    heeds_stop: bool,
    stop: Box<dyn Fn() + Send>,
}

impl EarlyStop {
    /// Registers a command that has been started.
    pub(crate) fn register(&self, heeds_stop: bool, stop: impl Fn() + Send + 'static) {
        let running = Running { start: Instant::now(), heeds_stop, stop: Box::new(stop) };
        self.update(|state| state.running = Some(running));
    }

    /// Stops the running command. Has no effect on one that has ended.
    pub(crate) fn stop(&self) {
        self.update(|state| {
            if let Some(running) = &state.running {
                (running.stop)();
            }
        });
    }

    /// Notes a line before the main loop receives it. A stop line stops the running command if that heeds it and no earlier line is
    /// waiting: a waiting line may start another command, and the stop line is then meant for that one.
    ///
    /// Nothing is logged here: if nobody reads the log, the reader would be blocked before it reads `quit`.
    pub(crate) fn read(&self, line: &str, is_stop: bool) {
        self.update(|state| {
            if let Some(running) = &state.running
                && is_stop
                && running.heeds_stop
                && state.waiting == 0
            {
                state.stop_line = Some(StopLine { line: line.to_owned(), is_logged: false });
                (running.stop)();
            }
            state.waiting += 1;
        });
    }

    /// Logs a line that the main loop is about to execute, unless [`Self::log_stop`] has logged it.
    pub(crate) fn log_received(&self, line: &str) {
        let stop_line = self.update(|state| {
            // Lines that are not read from a stream, such as arguments, have not been counted.
            state.waiting = state.waiting.saturating_sub(1);
            state.stop_line.take_if(|stop| stop.line == line)
        });
        // Without the lock, which the reader needs even if nobody reads the log.
        if !stop_line.is_some_and(|stop| stop.is_logged) {
            logging::received(line);
        }
    }

    /// Logs the stop line that has stopped a command, so that it precedes the answer in the log.
    pub(crate) fn log_stop(&self) {
        let line = self.update(|state| {
            let stop = state.stop_line.as_mut().filter(|stop| !stop.is_logged)?;
            stop.is_logged = true;
            Some(stop.line.clone())
        });
        if let Some(line) = line {
            logging::received(&line);
        }
    }

    /// Stops a command that has run for longer than `timeout` since the end of the input at `ended`. Has no effect on one that has
    /// ended.
    pub(crate) fn stop_overdue(&self, ended: Instant, timeout: Duration) {
        self.update(|state| {
            if let Some(running) = &state.running
                && ended.max(running.start).elapsed() >= timeout
            {
                (running.stop)();
            }
        });
    }

    fn update<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        // A panic leaves the state valid.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Registers a command and returns the flag that is set when it is stopped.
    fn command(early_stop: &EarlyStop) -> Arc<AtomicBool> {
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stopped);
        early_stop.register(true, move || flag.store(true, Ordering::Relaxed));
        stopped
    }

    fn is_set(flag: &AtomicBool) -> bool {
        flag.load(Ordering::Relaxed)
    }

    #[test]
    fn stop_line_stops_what_is_running_and_heeds_it() {
        let early_stop = EarlyStop::default();
        let read_stop = || {
            early_stop.read("stop", true);
            early_stop.log_received("stop");
        };
        read_stop();
        let flag = command(&early_stop);
        assert!(!is_set(&flag), "a stop line does not affect later commands");
        early_stop.read("isready", false);
        early_stop.log_received("isready");
        assert!(!is_set(&flag));
        read_stop();
        assert!(is_set(&flag));
        let stopped = Arc::new(AtomicBool::new(false));
        let pondering = Arc::clone(&stopped);
        early_stop.register(false, move || pondering.store(true, Ordering::Relaxed));
        read_stop();
        assert!(!is_set(&stopped));
    }

    #[test]
    fn stop_line_after_a_waiting_line_is_left_to_the_main_loop() {
        let early_stop = EarlyStop::default();
        let flag = command(&early_stop);
        early_stop.read("go infinite", false);
        early_stop.read("stop", true);
        assert!(!is_set(&flag));
        early_stop.log_received("go infinite");
        early_stop.read("stop", true);
        assert!(!is_set(&flag), "the first stop line is still waiting");
        early_stop.log_received("stop");
        early_stop.log_received("stop");
        early_stop.read("stop", true);
        assert!(is_set(&flag));
    }

    #[test]
    fn a_stop_line_is_logged_once_even_if_another_line_overtakes_it() {
        let early_stop = EarlyStop::default();
        command(&early_stop);
        early_stop.read("stop", true);
        early_stop.read("isready", false);
        let is_logged = || early_stop.update(|state| state.stop_line.as_ref().map(|stop| stop.is_logged));
        early_stop.log_received("isready");
        assert_eq!(is_logged(), Some(false));
        early_stop.log_stop();
        assert_eq!(is_logged(), Some(true));
        early_stop.log_received("stop");
        assert_eq!(is_logged(), None);
    }

    #[test]
    fn stops_overdue_commands() {
        let early_stop = EarlyStop::default();
        let first = command(&early_stop);
        let ended = Instant::now();
        early_stop.stop_overdue(ended, Duration::MAX);
        let second = command(&early_stop);
        early_stop.stop_overdue(ended, Duration::ZERO);
        assert_eq!([is_set(&first), is_set(&second)], [false, true]);
    }
}
