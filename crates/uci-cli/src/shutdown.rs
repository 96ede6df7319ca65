//! The end of the input and its effect on the running command.
//!
//! At the end of the input everything that was requested before is still carried out, so that a file of commands can
//! be piped in and the output be piped on: nothing is lost however slowly it is read. What would not end by itself is
//! stopped, by the thread that reads the input, because the main loop may be waiting for somebody to read its output.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum time of a command after the end of the input, unless the input is a file.
pub(crate) const COMMAND_TIMEOUT: Duration = Duration::from_secs(5);

/// The state that the reader of the input and the main loop share.
#[derive(Clone, Default)]
pub(crate) struct Shutdown(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    input_ended: Option<Instant>,
    running: Option<Running>,
}

/// The command that was started last.
struct Running {
    start: Instant,
    /// True if the command ends by itself.
    is_finite: bool,
    stop: Box<dyn Fn() + Send>,
}

impl Shutdown {
    /// Registers a command that has been started. One that does not end by itself is stopped at the end of the input.
    pub(crate) fn register(&self, is_finite: bool, stop: impl Fn() + Send + 'static) {
        let running = Running { start: Instant::now(), is_finite, stop: Box::new(stop) };
        self.update(|state| {
            state.running = Some(running);
            state.stop_endless();
        });
    }

    /// Notes the end of the input.
    pub(crate) fn end_input(&self) {
        self.update(|state| {
            state.input_ended.get_or_insert_with(Instant::now);
            state.stop_endless();
        });
    }

    /// Stops a command that has run for longer than `timeout` since the end of the input. Has no effect on one that
    /// has ended.
    pub(crate) fn stop_overdue(&self, timeout: Duration) {
        self.update(|state| {
            if let (Some(ended), Some(running)) = (state.input_ended, &state.running)
                && ended.max(running.start).elapsed() >= timeout
            {
                (running.stop)();
            }
        });
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        // A panic leaves the state valid.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl State {
    /// Stops the running command if the input has ended and the command does not end by itself.
    fn stop_endless(&self) {
        if let (Some(_), Some(running)) = (self.input_ended, &self.running)
            && !running.is_finite
        {
            (running.stop)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Registers a command and returns the flag that is set when it is stopped.
    fn command(shutdown: &Shutdown, is_finite: bool) -> Arc<AtomicBool> {
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stopped);
        shutdown.register(is_finite, move || flag.store(true, Ordering::Relaxed));
        stopped
    }

    fn is_set(flag: &AtomicBool) -> bool {
        flag.load(Ordering::Relaxed)
    }

    #[test]
    fn stops_endless_commands_at_the_end_of_input() {
        let shutdown = Shutdown::default();
        let before = command(&shutdown, false);
        shutdown.stop_overdue(Duration::ZERO);
        assert!(!is_set(&before));
        shutdown.end_input();
        assert!(is_set(&before));
        assert!(is_set(&command(&shutdown, false)));
    }

    #[test]
    fn gives_finite_commands_time() {
        let shutdown = Shutdown::default();
        let first = command(&shutdown, true);
        shutdown.end_input();
        shutdown.stop_overdue(Duration::MAX);
        let second = command(&shutdown, true);
        shutdown.stop_overdue(Duration::ZERO);
        assert_eq!([is_set(&first), is_set(&second)], [false, true]);
    }
}
