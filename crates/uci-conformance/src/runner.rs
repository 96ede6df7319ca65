//! Runs checks against an engine.

use crate::expectations::{check_best_move, check_expectation};
use crate::script::{Action, Check, Pattern};
use crate::session_log::SessionLog;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use tabiya_uci_engine::{EngineCommand, EngineError, EngineErrorKind, EngineOption, UciEngine};

/// Start-up timeout; some engines load large files.
const START: Duration = Duration::from_secs(20);

/// Maximum number of lines an engine may print during one check.
const MAX_LINES: usize = 200_000;

/// Number and length of session lines kept for the report.
const KEPT_LINES: usize = 60;
const KEPT_CHARACTERS: usize = 300;

/// Result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Passed,
    /// The failure, with the line of the script.
    Failed(String),
    /// The reason for skipping.
    Skipped(String),
}

/// Result of a check with its duration and session.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) time: Duration,
    /// The end of the session.
    pub(crate) session_lines: Vec<String>,
    /// False if the engine could not be started, or did not answer `uci` and `isready`.
    pub(crate) started: bool,
}

impl Outcome {
    /// A check that was not run.
    pub(crate) fn skipped(reason: &str) -> Outcome {
        let verdict = Verdict::Skipped(reason.to_owned());
        Outcome { verdict, time: Duration::ZERO, session_lines: Vec::new(), started: true }
    }
}

/// An engine under test.
pub(crate) struct TestedEngine {
    pub(crate) command: EngineCommand,
    /// `id name`, or the command's name.
    pub(crate) name: String,
    options: Vec<EngineOption>,
    /// `setoption` commands sent before every script.
    settings: Vec<String>,
    /// Factor for all time limits.
    patience: f64,
}

impl TestedEngine {
    /// Starts the engine once to read its options.
    ///
    /// # Errors
    /// If it cannot be started or does not answer `uci`.
    pub(crate) fn new(
        command: EngineCommand,
        settings: &[(String, String)],
        patience: f64,
    ) -> Result<TestedEngine, EngineError> {
        let mut engine = UciEngine::start(&command, START.mul_f64(patience))?;
        for (name, value) in settings {
            engine.set_option(name, value)?;
        }
        let settings =
            settings.iter().map(|(name, value)| format!("setoption name {name} value {value}")).collect();
        let identity = engine.identity();
        let name = identity.name.clone().unwrap_or_else(|| command.name.clone());
        Ok(TestedEngine { name, options: identity.options.clone(), settings, patience, command })
    }

    /// Runs one check in a new process.
    pub(crate) fn run_check(&self, check: &Check) -> Outcome {
        let started = Instant::now();
        let missing = check.needs.iter().find(|name| !self.has_option(name));
        if let Some(name) = missing {
            return Outcome::skipped(&format!("has no option {name}"));
        }
        let engine = match UciEngine::spawn(&self.command) {
            Ok(engine) => engine,
            Err(error) => {
                let verdict = Verdict::Failed(error.kind.to_string());
                let (time, session_lines) = (started.elapsed(), error.transcript);
                return Outcome { verdict, time, session_lines, started: false };
            }
        };
        let mut session = Session {
            engine,
            log: SessionLog::new(),
            lines: Vec::new(),
            received: 0,
            pending: VecDeque::new(),
            patience: self.patience,
        };
        let ready = self.prepare(check, &mut session);
        let is_ready = ready.is_ok();
        let result = ready.and_then(|()| execute(check, &mut session));
        let verdict = result.map_or_else(Verdict::Failed, |()| Verdict::Passed);
        Outcome { verdict, time: started.elapsed(), session_lines: session.lines, started: is_ready }
    }

    fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Starts the protocol, unless the check does so itself.
    fn prepare(&self, check: &Check, session: &mut Session) -> Result<(), String> {
        if !check.raw {
            let words = |text: &str| Pattern::Words(vec![text.to_owned()]);
            session.send(b"uci");
            session.wait(&words("uciok"), START)?;
            self.settings.iter().for_each(|line| session.send(line.as_bytes()));
            session.send(b"isready");
            session.wait(&words("readyok"), START)?;
        }
        Ok(())
    }
}

fn execute(check: &Check, session: &mut Session) -> Result<(), String> {
    for step in &check.steps {
        session.execute_step(&step.action).map_err(|error| format!("line {}: {error}", step.line))?;
    }
    Ok(())
}

/// A running engine with its session log.
struct Session {
    engine: UciEngine,
    log: SessionLog,
    lines: Vec<String>,
    received: usize,
    /// Lines received during a pause; the next step starts with them.
    pending: VecDeque<String>,
    patience: f64,
}

impl Session {
    fn execute_step(&mut self, action: &Action) -> Result<(), String> {
        match action {
            Action::Send(line) => {
                self.send(line);
                Ok(())
            }
            Action::Await { pattern, within } => self.wait(pattern, *within),
            Action::Never { pattern, during } => self.never(pattern, *during),
            Action::Pause(time) => self.pause(*time),
            Action::Close => {
                self.note('>', "(end of file)");
                self.engine.close_input();
                Ok(())
            }
            Action::Exit { within } => self.exit(*within),
            Action::Expect(expectation) => check_expectation(expectation, &self.log),
        }
    }

    fn send(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        self.note('>', &text);
        self.log.sent(&text);
        self.engine.send_bytes(line);
    }

    fn wait(&mut self, pattern: &Pattern, within: Duration) -> Result<(), String> {
        let limit = within.mul_f64(self.patience);
        if !self.wait_for_line(limit, |line| matches(pattern, line))? {
            return Err(format!("no {:?} within {} ms", describe(pattern), limit.as_millis()));
        }
        match pattern {
            Pattern::BestMove(wanted) => check_best_move(wanted, &self.log),
            Pattern::Words(_) => Ok(()),
        }
    }

    fn never(&mut self, pattern: &Pattern, during: Duration) -> Result<(), String> {
        if self.wait_for_line(during, |line| matches(pattern, line))? {
            return Err(format!("unexpected {:?}", describe(pattern)));
        }
        Ok(())
    }

    fn exit(&mut self, within: Duration) -> Result<(), String> {
        let limit = within.mul_f64(self.patience);
        let deadline = Instant::now() + limit;
        let still_runs = || format!("still running after {} ms", limit.as_millis());
        loop {
            match self.engine.next_line(deadline, limit, "the end of the output") {
                Ok(line) => self.record(&line.text, line.at)?,
                Err(EngineError { kind: EngineErrorKind::Exited { status, .. }, .. }) => {
                    return if status.success() { Ok(()) } else { Err(format!("exited with {status}")) };
                }
                Err(EngineError { kind: EngineErrorKind::Disconnected { .. }, .. }) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    return match self.engine.exit_status(left) {
                        Some(status) if status.success() => Ok(()),
                        Some(status) => Err(format!("exited with {status}")),
                        None => Err(still_runs()),
                    };
                }
                Err(_) => return Err(still_runs()),
            }
        }
    }

    fn pause(&mut self, time: Duration) -> Result<(), String> {
        let deadline = Instant::now() + time;
        loop {
            match self.engine.next_line(deadline, time, "an answer") {
                Ok(line) => {
                    self.record(&line.text, line.at)?;
                    self.pending.push_back(line.text);
                }
                Err(EngineError { kind: EngineErrorKind::TimedOut { .. }, .. }) => return Ok(()),
                Err(error) => return Err(error.kind.to_string()),
            }
        }
    }

    /// Reads lines until `matches` accepts one (returns true) or the time is up (false).
    fn wait_for_line(&mut self, time: Duration, matches: impl Fn(&str) -> bool) -> Result<bool, String> {
        while let Some(line) = self.pending.pop_front() {
            if matches(&line) {
                return Ok(true);
            }
        }
        let deadline = Instant::now() + time;
        loop {
            match self.engine.next_line(deadline, time, "an answer") {
                Ok(line) => {
                    self.record(&line.text, line.at)?;
                    if matches(&line.text) {
                        return Ok(true);
                    }
                }
                Err(EngineError { kind: EngineErrorKind::TimedOut { .. }, .. }) => return Ok(false),
                Err(error) => return Err(error.kind.to_string()),
            }
        }
    }

    fn record(&mut self, line: &str, at: Instant) -> Result<(), String> {
        self.note('<', line);
        self.log.received(line, at);
        self.received += 1;
        if self.received > MAX_LINES {
            return Err(format!("printed more than {MAX_LINES} lines"));
        }
        Ok(())
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

fn matches(pattern: &Pattern, line: &str) -> bool {
    let mut found = line.split_whitespace();
    match pattern {
        Pattern::BestMove(_) => found.next() == Some("bestmove"),
        Pattern::Words(words) => words.iter().all(|word| found.next() == Some(word)),
    }
}

fn describe(pattern: &Pattern) -> String {
    match pattern {
        Pattern::BestMove(_) => "bestmove".to_owned(),
        Pattern::Words(words) => words.join(" "),
    }
}
