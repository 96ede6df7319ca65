//! One session with an engine: its process, the log, and the steps of a check.

use crate::expectations::{check_best_move, check_expectation};
use crate::protocol::Protocol;
use crate::script::{Action, Pattern};
use crate::session_log::{Output, SessionLog};
use crate::uci::UciReader;
use crate::xboard::XboardReader;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use tabiya_uci_engine::{EngineCommand, EngineError, EngineErrorKind, Session as Process};

/// Maximum number of lines an engine may print during one check.
const MAX_LINES: usize = 200_000;

/// Number and length of session lines kept for the report.
const KEPT_LINES: usize = 60;
const KEPT_CHARACTERS: usize = 300;

/// Waiting times of the tester.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// Factor for all time limits.
    pub(crate) patience: f64,
    /// Pause before each line that is sent.
    pub(crate) line_pause: Duration,
}

/// A line from the engine, with its meaning.
pub(crate) struct Received {
    pub(crate) text: String,
    output: Output,
}

/// A running engine with its session log.
pub(crate) struct Session {
    process: Process,
    pub(crate) log: SessionLog,
    /// The end of the session, for reports.
    pub(crate) lines: Vec<String>,
    received: usize,
    /// Lines received while no step waited for them; the next step starts with them.
    pending: VecDeque<Received>,
    timing: Timing,
}

impl Session {
    /// Starts the engine without sending anything.
    pub(crate) fn spawn(
        command: &EngineCommand,
        protocol: Protocol,
        timing: Timing,
    ) -> Result<Session, EngineError> {
        Ok(Session {
            process: Process::spawn(command, None)?,
            log: SessionLog::new(match protocol {
                Protocol::Uci => Box::new(UciReader::default()),
                Protocol::Xboard => Box::new(XboardReader::default()),
            }),
            lines: Vec::new(),
            received: 0,
            pending: VecDeque::new(),
            timing,
        })
    }

    /// Executes a step of a check.
    ///
    /// # Errors
    /// A description of what the engine did wrong.
    pub(crate) fn execute(&mut self, action: &Action) -> Result<(), String> {
        match action {
            Action::Send(line) => {
                self.send(line);
                Ok(())
            }
            Action::Play(moves) => moves.iter().try_for_each(|mv| self.play(mv)),
            Action::Await { pattern, within } => self.wait(pattern, *within),
            Action::Never { pattern, during } => self.never(pattern, *during),
            Action::Pause(time) => self.pause(*time),
            Action::Close => {
                self.note('>', "(end of file)");
                self.process.close_input();
                Ok(())
            }
            Action::Exit { within } => self.exit(*within),
            Action::Expect(expectation) => check_expectation(expectation, &self.log),
        }
    }

    /// Sends a line, which need not be UTF-8.
    pub(crate) fn send(&mut self, line: &[u8]) {
        std::thread::sleep(self.timing.line_pause);
        let text = String::from_utf8_lossy(line);
        self.note('>', &text);
        self.log.sent(&text);
        self.process.send(line);
    }

    fn play(&mut self, mv: &str) -> Result<(), String> {
        let line = self.log.move_command(mv)?;
        self.send(line.as_bytes());
        Ok(())
    }

    /// Waits for a line and checks the move in it.
    fn wait(&mut self, pattern: &Pattern, within: Duration) -> Result<(), String> {
        let limit = within.mul_f64(self.timing.patience);
        let found =
            self.find(limit, |line| pattern.matches(&line.text, &line.output).then_some(line.output))?;
        match (pattern, found) {
            (_, None) => Err(format!("no {:?} within {} ms", pattern.to_string(), limit.as_millis())),
            (Pattern::BestMove(wanted), Some(Output::BestMove(best))) => {
                check_best_move(wanted, &best, self.log.searches.last())
            }
            (_, Some(_)) => Ok(()),
        }
    }

    /// Waits for a line that `read` accepts, for at most `time`, and returns its result; `None` after that time.
    pub(crate) fn find<T>(
        &mut self,
        time: Duration,
        mut read: impl FnMut(Received) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let deadline = Instant::now() + time;
        while let Some(line) = self.next_line(deadline, time)? {
            if let Some(found) = read(line) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn never(&mut self, pattern: &Pattern, during: Duration) -> Result<(), String> {
        self.pause(during)?;
        match self.pending.iter().find(|line| pattern.matches(&line.text, &line.output)) {
            Some(line) => Err(format!("unexpected {:?}", line.text)),
            None => Ok(()),
        }
    }

    fn exit(&mut self, within: Duration) -> Result<(), String> {
        let limit = within.mul_f64(self.timing.patience);
        let deadline = Instant::now() + limit;
        let still_runs = || format!("still running after {} ms", limit.as_millis());
        loop {
            match self.process.line(deadline, limit, "the end of the output", false) {
                Ok(line) => drop(self.record(&line.text, line.at)?),
                Err(EngineError { kind: EngineErrorKind::Exited { status, .. }, .. }) => {
                    return if status.success() { Ok(()) } else { Err(format!("exited with {status}")) };
                }
                Err(EngineError { kind: EngineErrorKind::Disconnected { .. }, .. }) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    return match self.process.exit_status(left) {
                        Some(status) if status.success() => Ok(()),
                        Some(status) => Err(format!("exited with {status}")),
                        None => Err(still_runs()),
                    };
                }
                Err(_) => return Err(still_runs()),
            }
        }
    }

    /// Keeps what arrives within this time for the next step.
    fn pause(&mut self, time: Duration) -> Result<(), String> {
        let deadline = Instant::now() + time;
        while let Some(line) = self.receive(deadline, time)? {
            self.pending.push_back(line);
        }
        Ok(())
    }

    /// Returns the next line of those that no step has read, or `None` at the deadline.
    fn next_line(&mut self, deadline: Instant, time: Duration) -> Result<Option<Received>, String> {
        match self.pending.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.receive(deadline, time),
        }
    }

    /// Receives and records a line; `None` at the deadline.
    fn receive(&mut self, deadline: Instant, time: Duration) -> Result<Option<Received>, String> {
        match self.process.line(deadline, time, "an answer", false) {
            Ok(line) => {
                let output = self.record(&line.text, line.at)?;
                Ok(Some(Received { text: line.text, output }))
            }
            Err(EngineError { kind: EngineErrorKind::TimedOut { .. }, .. }) => Ok(None),
            Err(error) => Err(error.kind.to_string()),
        }
    }

    fn record(&mut self, line: &str, at: Instant) -> Result<Output, String> {
        self.note('<', line);
        self.received += 1;
        if self.received > MAX_LINES {
            return Err(format!("printed more than {MAX_LINES} lines"));
        }
        Ok(self.log.received(line, at))
    }

    fn note(&mut self, mark: char, line: &str) {
        if self.lines.len() >= KEPT_LINES {
            self.lines.remove(0);
        }
        let cut = line.char_indices().nth(KEPT_CHARACTERS).map_or(line.len(), |(at, _)| at);
        let rest = if cut < line.len() { " [...]" } else { "" };
        self.lines.push(format!("{mark} {}{rest}", &line[..cut]));
    }
}
