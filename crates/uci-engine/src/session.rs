//! The lines of an engine's process, with deadlines and cancellation, whatever its protocol is.

use super::error::{EngineError, EngineErrorKind};
use super::line_queue::{Line, Received};
use super::process::Process;
use super::{CHECK_INTERVAL, EngineCommand, QUIT_GRACE};
use crate::processor_set::ProcessorSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A running engine whose lines have no meaning yet: the part of the driver that all protocols share. Dropping it sends `quit`, which
/// all protocols have, and kills the process if that does not end it.
pub struct Session {
    name: String,
    process: Process,
    cancel: Option<Arc<AtomicBool>>,
    /// A line that arrived too late for those who read it; the next wait starts with it.
    late: Option<Line>,
}

impl Session {
    /// Starts the program, on the given processors or all, without sending anything.
    ///
    /// # Errors
    /// If the program does not exist or cannot be started.
    pub fn spawn(command: &EngineCommand, processors: Option<&ProcessorSet>) -> Result<Session, EngineError> {
        let process = Process::spawn(command, processors).map_err(|source| EngineError {
            engine: command.name.clone(),
            kind: EngineErrorKind::Spawn { program: command.program.clone(), source },
            transcript: Vec::new(),
        })?;
        Ok(Session { name: command.name.clone(), process, cancel: None, late: None })
    }

    /// Makes every wait fail with [`EngineErrorKind::Cancelled`] soon after `flag` becomes true.
    pub fn cancel_with(&mut self, flag: Arc<AtomicBool>) {
        self.cancel = Some(flag);
    }

    /// The name used in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sends a line, which need not be UTF-8. Never blocks and never fails: if the engine has exited, the next wait reports it.
    pub fn send(&self, line: &[u8]) {
        self.process.send(line);
    }

    /// Closes the engine's standard input after everything sent before has been written.
    pub fn close_input(&mut self) {
        self.process.close_input();
    }

    /// Sets whether a program that prints much while nobody waits for its lines loses the oldest of them, as while it ponders,
    /// or is blocked.
    pub fn set_overwriting(&self, overwriting: bool) {
        self.process.set_overwriting(overwriting);
    }

    /// Discards the lines that have arrived. Newer ones stay, so that an engine that never stops printing cannot keep this loop
    /// busy.
    pub fn discard_lines(&mut self) {
        let now = Instant::now();
        while self.arrived_before(now).is_some() {}
    }

    /// Returns the next line if it arrived before `time`, and leaves a newer one to the next wait.
    pub(crate) fn arrived_before(&mut self, time: Instant) -> Option<Line> {
        let line = self.late.take().or_else(|| self.process.try_receive())?;
        if line.at < time {
            return Some(line);
        }
        self.late = Some(line);
        None
    }

    /// Returns the engine's next line. `waiting_for` and `timeout` (the total wait) are for the error message. With `defer_info`,
    /// `info` lines are delivered up to 50 ms late, but before `deadline`.
    ///
    /// # Errors
    /// If no line arrives before `deadline`, the engine has exited, or the wait is cancelled.
    pub fn line(
        &mut self,
        deadline: Instant,
        timeout: Duration,
        waiting_for: &str,
        defer_info: bool,
    ) -> Result<Line, EngineError> {
        loop {
            if self.is_cancelled() {
                return Err(self.error(EngineErrorKind::Cancelled));
            }
            let until = if defer_info || self.cancel.is_some() {
                deadline.min(Instant::now() + CHECK_INTERVAL)
            } else {
                deadline
            };
            let received =
                self.late.take().map_or_else(|| self.process.receive(until, defer_info), Received::Line);
            match received {
                // The arrival time of the line counts, not the time at which this thread runs. This also
                // ends the wait for an engine that never stops printing.
                Received::Line(line) if line.at <= deadline => return Ok(line),
                Received::TimedOut if Instant::now() < deadline => continue,
                Received::Line(_) | Received::TimedOut => {
                    if let Received::Line(line) = received {
                        self.late = Some(line);
                    }
                    let waiting_for = waiting_for.to_owned();
                    return Err(self.error(EngineErrorKind::TimedOut { waiting_for, after: timeout }));
                }
                Received::Closed => {
                    let waiting_for = waiting_for.to_owned();
                    self.process.drain_stderr(QUIT_GRACE);
                    let status = self.process.exit_status(QUIT_GRACE);
                    let kind = match status {
                        // The same Ctrl-C may have cancelled the wait and ended the engine.
                        _ if self.is_cancelled() => EngineErrorKind::Cancelled,
                        Some(status) => EngineErrorKind::Exited { waiting_for, status },
                        None => EngineErrorKind::Disconnected { waiting_for },
                    };
                    return Err(self.error(kind));
                }
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Returns the last lines of the session, oldest first: `<` from the engine, `>` to the engine, `!`
    /// from its standard error.
    pub fn transcript(&self) -> Vec<String> {
        self.process.transcript()
    }

    /// Waits up to `timeout` for the process to exit and returns its status.
    pub fn exit_status(&mut self, timeout: Duration) -> Option<std::process::ExitStatus> {
        self.process.exit_status(timeout)
    }

    /// Returns an error with the name and the transcript of this session.
    pub fn error(&self, kind: EngineErrorKind) -> EngineError {
        EngineError { engine: self.name.clone(), kind, transcript: self.transcript() }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.send(b"quit");
        self.close_input();
        self.process.end(QUIT_GRACE);
    }
}
