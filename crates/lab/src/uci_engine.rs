//! A UCI engine as a child process that is not to be trusted.
//!
//! [`UciEngine`] starts the program, speaks the protocol and keeps the last lines of the conversation
//! for error messages. Every wait has a deadline, every write goes through a thread of its own (an
//! engine that stops reading its input must not block us), lines are cut after 64 KiB, and the
//! process is killed when the value is dropped: whatever the engine does, the caller goes on.
//!
//! Nothing here knows the rules of chess; moves are text.

mod error;
mod info;
mod input_writer;
mod line_queue;
mod option;
mod process;
mod transcript;

pub(crate) use error::{EngineError, EngineErrorKind};
pub(crate) use info::{Bound, Info, InfoScore};
pub(crate) use line_queue::Line;
pub(crate) use option::{EngineOption, OptionType};

use line_queue::Received;
use process::Process;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a wait looks whether it has been called off.
const CANCEL_INTERVAL: Duration = Duration::from_millis(50);

/// How long an engine that was told to quit may take before it is killed.
const QUIT_GRACE: Duration = Duration::from_millis(500);

/// What to run and what to call it.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct EngineCommand {
    /// The name used in messages and results.
    pub(crate) name: String,
    /// The program: a path, or a name to look up in `PATH`.
    pub(crate) program: PathBuf,
    /// Its arguments.
    pub(crate) arguments: Vec<String>,
    /// The folder it runs in; ours where `None`.
    pub(crate) folder: Option<PathBuf>,
}

impl EngineCommand {
    /// A program without arguments, named after its file.
    pub(crate) fn new(program: impl AsRef<Path>) -> EngineCommand {
        let program = program.as_ref();
        let name =
            program.file_stem().map_or_else(|| program.to_string_lossy(), |stem| stem.to_string_lossy());
        EngineCommand { name: name.into_owned(), program: program.to_owned(), ..EngineCommand::default() }
    }
}

/// What an engine said about itself between `uci` and `uciok`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Identity {
    /// `id name`.
    pub(crate) name: Option<String>,
    /// `id author`.
    pub(crate) author: Option<String>,
    /// The options it offers, in its order.
    pub(crate) options: Vec<EngineOption>,
}

impl Identity {
    /// The option of this name; UCI ignores case here.
    pub(crate) fn option(&self, name: &str) -> Option<&EngineOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BestMove {
    /// The text behind `bestmove`; empty where there is none.
    pub(crate) best: String,
    /// The text behind `ponder`.
    pub(crate) ponder: Option<String>,
    /// From the `go` to the arrival of the line.
    pub(crate) elapsed: Duration,
}

/// A running engine.
pub(crate) struct UciEngine {
    name: String,
    process: Process,
    identity: Identity,
    cancel: Option<Arc<AtomicBool>>,
    /// A line that came after the deadline of the wait that saw it: the next wait's first.
    late: Option<Line>,
}

impl UciEngine {
    /// Starts the program; says nothing to it yet.
    ///
    /// # Errors
    /// When the program does not exist or cannot be started.
    pub(crate) fn spawn(command: &EngineCommand) -> Result<UciEngine, EngineError> {
        let process = Process::spawn(command).map_err(|source| EngineError {
            engine: command.name.clone(),
            kind: EngineErrorKind::Spawn { program: command.program.clone(), source },
            transcript: Vec::new(),
        })?;
        Ok(UciEngine {
            name: command.name.clone(),
            process,
            identity: Identity::default(),
            cancel: None,
            late: None,
        })
    }

    /// Starts the program and takes it through `uci` and `isready`.
    ///
    /// # Errors
    /// When it cannot be started, or does not answer either command within `timeout`.
    pub(crate) fn start(command: &EngineCommand, timeout: Duration) -> Result<UciEngine, EngineError> {
        let mut engine = UciEngine::spawn(command)?;
        engine.handshake(timeout)?;
        engine.is_ready(timeout)?;
        Ok(engine)
    }

    /// Makes every wait end with [`EngineErrorKind::Cancelled`] soon after `flag` becomes true.
    pub(crate) fn cancel_with(&mut self, flag: Arc<AtomicBool>) {
        self.cancel = Some(flag);
    }

    /// What it is called in messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What it said about itself; empty before [`UciEngine::handshake`].
    pub(crate) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// `uci`, up to `uciok`.
    ///
    /// Lines that are neither `id` nor `option` are ignored: banners are common.
    ///
    /// # Errors
    /// When `uciok` does not come within `timeout`.
    pub(crate) fn handshake(&mut self, timeout: Duration) -> Result<&Identity, EngineError> {
        self.send("uci");
        let deadline = Instant::now() + timeout;
        let mut identity = Identity::default();
        loop {
            let line = self.next_line(deadline, timeout, "\"uciok\" after \"uci\"")?;
            let text = line.text.trim();
            if text == "uciok" {
                break;
            } else if let Some(name) = text.strip_prefix("id name ") {
                identity.name = Some(name.trim().to_owned());
            } else if let Some(author) = text.strip_prefix("id author ") {
                identity.author = Some(author.trim().to_owned());
            } else if text.starts_with("option ") {
                match EngineOption::parse(text) {
                    Ok(option) => identity.options.push(option),
                    Err(error) => {
                        return Err(
                            self.error(EngineErrorKind::BadOptionLine { line: text.to_owned(), error })
                        );
                    }
                }
            }
        }
        self.identity = identity;
        Ok(&self.identity)
    }

    /// `setoption`, after checking the value against what the engine offers.
    ///
    /// # Errors
    /// When the engine has no such option, or does not accept such a value.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let checked = match self.identity.option(name) {
            None => {
                let offered = self.identity.options.iter().map(|option| option.name.clone()).collect();
                Err(EngineErrorKind::NoSuchOption { name: name.to_owned(), offered })
            }
            Some(option) => {
                option.check(value).map(|()| (option.name.clone(), option.kind.clone())).map_err(|wanted| {
                    EngineErrorKind::BadOptionValue {
                        name: option.name.clone(),
                        value: value.to_owned(),
                        wanted,
                    }
                })
            }
        };
        let (name, kind) = checked.map_err(|kind| self.error(kind))?;
        match kind {
            OptionType::Button => self.send(&format!("setoption name {name}")),
            _ => self.send(&format!("setoption name {name} value {value}")),
        }
        Ok(())
    }

    /// `isready`, up to `readyok`. Other lines in between are dropped.
    ///
    /// # Errors
    /// When `readyok` does not come within `timeout`.
    pub(crate) fn is_ready(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.send("isready");
        let deadline = Instant::now() + timeout;
        loop {
            let line = self.next_line(deadline, timeout, "\"readyok\" after \"isready\"")?;
            if line.text.trim() == "readyok" {
                return Ok(());
            }
        }
    }

    /// Sends `go` (a whole line, such as `go nodes 5000`; a line with the position before it arrives
    /// together with it, which saves the engine from waking up twice) and hands every line to `on_line` until
    /// `bestmove` comes.
    ///
    /// # Errors
    /// When no `bestmove` has come after `timeout`; see [`UciEngine::stop`] for what to do then.
    pub(crate) fn search(
        &mut self,
        go: &str,
        timeout: Duration,
        on_line: impl FnMut(Line),
    ) -> Result<BestMove, EngineError> {
        // What an engine has said between searches belongs to none. One that never stops talking is
        // for the deadline of the search.
        let now = Instant::now();
        self.late = None;
        while self.process.try_receive().is_some_and(|line| line.at < now) {}
        self.send(go);
        self.await_best_move(Instant::now(), timeout, on_line)
    }

    /// Sends `stop` and waits for the `bestmove` of the search that is still running.
    ///
    /// # Errors
    /// When it does not come within `timeout`.
    pub(crate) fn stop(&mut self, timeout: Duration) -> Result<BestMove, EngineError> {
        self.send("stop");
        self.await_best_move(Instant::now(), timeout, drop)
    }

    /// Waits for a `bestmove`; `start` is when its search began.
    ///
    /// # Errors
    /// When it does not come until `timeout` after `start`.
    pub(crate) fn await_best_move(
        &mut self,
        start: Instant,
        timeout: Duration,
        mut on_line: impl FnMut(Line),
    ) -> Result<BestMove, EngineError> {
        loop {
            let line = self.line(start + timeout, timeout, "\"bestmove\"", true)?;
            let mut words = line.text.split_ascii_whitespace();
            if words.next() == Some("bestmove") {
                let best = words.next().unwrap_or_default().to_owned();
                let ponder = words.skip_while(|&word| word != "ponder").nth(1).map(str::to_owned);
                return Ok(BestMove { best, ponder, elapsed: line.at.saturating_duration_since(start) });
            }
            on_line(line);
        }
    }

    /// Sends a line; never blocks and never fails. Where the engine is gone, the next wait says so.
    pub(crate) fn send(&self, line: &str) {
        self.process.send(line.as_bytes());
    }

    /// The same for a line that need not be text.
    pub(crate) fn send_bytes(&self, line: &[u8]) {
        self.process.send(line);
    }

    /// Closes the engine's input, once all that was sent before has been written.
    pub(crate) fn close_input(&mut self) {
        self.process.close_input();
    }

    /// The next line the engine prints. `waiting_for` says in a message what was wanted, and `timeout`
    /// how long in all the caller has been willing to wait for it.
    ///
    /// # Errors
    /// When none arrives before `deadline`, the engine is gone, or the wait was called off.
    pub(crate) fn next_line(
        &mut self,
        deadline: Instant,
        timeout: Duration,
        waiting_for: &str,
    ) -> Result<Line, EngineError> {
        self.line(deadline, timeout, waiting_for, false)
    }

    /// [`UciEngine::next_line`]; where `defer_info`, `info` lines may be handed out later than they come.
    fn line(
        &mut self,
        deadline: Instant,
        timeout: Duration,
        waiting_for: &str,
        defer_info: bool,
    ) -> Result<Line, EngineError> {
        loop {
            if self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(self.error(EngineErrorKind::Cancelled));
            }
            let until = match &self.cancel {
                Some(_) => deadline.min(Instant::now() + CANCEL_INTERVAL),
                None => deadline,
            };
            let received =
                self.late.take().map_or_else(|| self.process.receive(until, defer_info), Received::Line);
            match received {
                // The time a line came is what counts, not the time this thread got round to it. It
                // also ends the wait for an engine that never stops talking.
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
                    let kind = match self.process.exit_status(QUIT_GRACE) {
                        Some(status) => EngineErrorKind::Exited { waiting_for, status },
                        None => EngineErrorKind::Disconnected { waiting_for },
                    };
                    return Err(self.error(kind));
                }
            }
        }
    }

    /// The last lines of the conversation, oldest first: `<` from the engine, `>` to it, `!` its
    /// standard error.
    pub(crate) fn transcript(&self) -> Vec<String> {
        self.process.transcript()
    }

    /// Has the process ended? Waits for it up to `patience`.
    pub(crate) fn exit_status(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        self.process.exit_status(patience)
    }

    fn error(&self, kind: EngineErrorKind) -> EngineError {
        EngineError { engine: self.name.clone(), kind, transcript: self.transcript() }
    }
}

/// Tells the engine to quit and makes sure that it does.
impl Drop for UciEngine {
    fn drop(&mut self) {
        self.send("quit");
        self.close_input();
        self.process.end(QUIT_GRACE);
    }
}

#[cfg(all(test, unix))]
mod tests;
