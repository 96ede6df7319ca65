//! Driver for UCI engines, with every engine treated as untrusted.
//!
//! [`UciEngine`] starts the program, speaks the protocol and keeps the last lines of the session for
//! error messages. Every wait has a deadline; writing never blocks, even if the engine stops reading;
//! lines are cut after 64 KiB; dropping the value kills the process and those that it has started, and so
//! does, on Unix, the death of the driver.
//!
//! The driver does not know the rules of chess; moves are text.
//!
//! | Task | Item |
//! | --- | --- |
//! | Name a program with its arguments, find it in `PATH` | [`EngineCommand`] |
//! | Start an engine, set options, search | [`UciEngine`] |
//! | Read its `option`, `info` and `bestmove` lines | [`EngineOption`], [`Info`], [`BestMove`] |
//! | Drive an engine of another protocol line by line | [`Session`] |
//! | Read the features and the thinking output of an xboard engine | [`xboard`] |
//! | Keep engines on processors of their own | [`ProcessorSet`] |
//!
//! ```no_run
//! use std::time::Duration;
//! use tabiya_uci_engine::{EngineCommand, Info, UciEngine};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let timeout = Duration::from_secs(10);
//! let mut engine = UciEngine::start(&EngineCommand::new("stockfish"), timeout)?;
//! engine.set_option("Hash", "64")?;
//! engine.is_ready(timeout)?;
//! let best = engine.search("position startpos moves e2e4\ngo nodes 100000", timeout, |line| {
//!     if let Some(info) = Info::parse(&line.text) {
//!         println!("depth {:?}, score {:?}", info.depth, info.score);
//!     }
//! })?;
//! println!("{} after {:?}", best.mv().unwrap_or("no move"), best.elapsed);
//! # Ok(())
//! # }
//! ```
//!
//! The README has examples of several lines ([`Info::multipv`]), of pondering ([`UciEngine::start_search`]) and of an engine that
//! crashes ([`EngineErrorKind::Exited`]).

#![deny(missing_debug_implementations, missing_docs)]

mod command;
mod error;
#[cfg(unix)]
mod guardian;
mod info;
mod input_writer;
mod line_queue;
mod option;
mod process;
mod processor_set;
mod session;
mod transcript;
pub mod xboard;

pub use command::{EngineCommand, EngineCommandError};
pub use error::{EngineError, EngineErrorKind};
pub use info::{Bound, Info, InfoScore, InfoWdl};
pub use line_queue::Line;
pub use option::{EngineOption, OptionType};
pub use processor_set::{ProcessorSet, ProcessorSetError};
pub use session::Session;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Interval at which a wait checks for cancellation and for deferred `info` lines.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Time between `quit` and the kill.
const QUIT_GRACE: Duration = Duration::from_millis(500);

/// Number of lines that [`UciEngine::confirm_options`] returns at most.
pub const MAX_NOTES: usize = 20;

/// Words of lines by which engines say that an option had no effect.
const FAILURE_WORDS: [&str; 4] = ["cannot", "error", "failed", "invalid"];

/// Returns true if a line has one of [`FAILURE_WORDS`].
fn says_failure(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| FAILURE_WORDS.iter().any(|failure| word.eq_ignore_ascii_case(failure)))
}

/// The end of a wait. A timeout beyond the range of the clock, such as `Duration::MAX`, counts as 34 years.
fn deadline(start: Instant, timeout: Duration) -> Instant {
    start.checked_add(timeout).unwrap_or_else(|| start + Duration::from_secs(1 << 30))
}

/// Returns true for a `go` that the engine answers with `bestmove`.
fn starts_search(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    words.next() == Some("go") && words.next() != Some("perft")
}

/// The engine's `id` and `option` lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Identity {
    /// `id name`.
    pub name: Option<String>,
    /// `id author`.
    pub author: Option<String>,
    /// Supported options, in the engine's order, except those whose line cannot be parsed.
    pub options: Vec<EngineOption>,
}

impl Identity {
    /// Returns the option with this name, ignoring case as UCI does.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}

/// A parsed `bestmove` line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BestMove {
    /// The move as the engine writes it; [`mv`](BestMove::mv) knows the spellings of "no move".
    pub best: String,
    /// The ponder move.
    pub ponder: Option<String>,
    /// Time from `go` to the arrival of the line; 0 where it is not known.
    pub elapsed: Duration,
}

impl BestMove {
    /// Parses a line; `None` if it does not start with `bestmove`. `elapsed` is 0.
    pub fn parse(line: &str) -> Option<BestMove> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("bestmove") {
            return None;
        }
        let best = words.next().unwrap_or_default().to_owned();
        let ponder = words.skip_while(|&word| word != "ponder").nth(1).map(str::to_owned);
        Some(BestMove { best, ponder, elapsed: Duration::ZERO })
    }

    /// Returns the move; `None` if there is none, as after checkmate, which engines write as `(none)`, `0000`, `NULL` or not at all.
    ///
    /// ```
    /// use tabiya_uci_engine::BestMove;
    ///
    /// assert_eq!(BestMove::parse("bestmove e2e4 ponder e7e5").unwrap().mv(), Some("e2e4"));
    /// assert_eq!(BestMove::parse("bestmove (none)").unwrap().mv(), None);
    /// ```
    pub fn mv(&self) -> Option<&str> {
        Some(self.best.as_str()).filter(|best| !matches!(*best, "" | "(none)" | "0000" | "NULL"))
    }
}

/// A running UCI engine. Dropping it sends `quit`, and kills the process if that does not end it.
///
/// A timeout of `Duration::MAX` waits without a limit.
#[derive(Debug)]
pub struct UciEngine {
    session: Session,
    identity: Identity,
    /// Number of searches whose `bestmove` has not been read.
    unanswered: u32,
}

impl UciEngine {
    /// Starts the program without sending anything.
    ///
    /// # Errors
    /// If the program does not exist or cannot be started.
    pub fn spawn(command: &EngineCommand) -> Result<UciEngine, EngineError> {
        UciEngine::spawn_on(command, None)
    }

    /// [`UciEngine::spawn`], on these processors only.
    ///
    /// # Errors
    /// As `spawn`, or if the affinity cannot be set.
    pub fn spawn_on(
        command: &EngineCommand,
        processors: Option<&ProcessorSet>,
    ) -> Result<UciEngine, EngineError> {
        let session = Session::spawn(command, processors)?;
        Ok(UciEngine { session, identity: Identity::default(), unanswered: 0 })
    }

    /// Starts the program and completes `uci` and `isready`.
    ///
    /// # Errors
    /// If it cannot be started, or does not answer either command within `timeout`.
    pub fn start(command: &EngineCommand, timeout: Duration) -> Result<UciEngine, EngineError> {
        let mut engine = UciEngine::spawn(command)?;
        engine.handshake(timeout)?;
        engine.is_ready(timeout)?;
        Ok(engine)
    }

    /// Makes every wait fail with [`EngineErrorKind::Cancelled`] soon after `flag` becomes true.
    pub fn cancel_with(&mut self, flag: Arc<AtomicBool>) {
        self.session.cancel_with(flag);
    }

    /// The name used in messages.
    pub fn name(&self) -> &str {
        self.session.name()
    }

    /// The engine's `id` and `option` lines; empty before [`UciEngine::handshake`].
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Sends `uci` and waits for `uciok`.
    ///
    /// Other lines are ignored: many engines print a banner. An `option` line that [`EngineOption::parse`] cannot read is ignored,
    /// too, so that it does not make the engine unusable.
    ///
    /// # Errors
    /// If `uciok` does not arrive within `timeout`.
    pub fn handshake(&mut self, timeout: Duration) -> Result<&Identity, EngineError> {
        self.send("uci");
        let deadline = deadline(Instant::now(), timeout);
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
                identity.options.extend(EngineOption::parse(text));
            }
        }
        self.identity = identity;
        Ok(&self.identity)
    }

    /// Sends `setoption`, after checking the value against the engine's `option` line. An empty string is sent as `<empty>`.
    ///
    /// # Errors
    /// If the engine has no such option, or the value is out of range.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let checked = match self.identity.option(name) {
            None => {
                let available = self.identity.options.iter().map(|option| option.name.clone()).collect();
                Err(EngineErrorKind::NoSuchOption { name: name.to_owned(), available })
            }
            Some(option) => {
                option.check(value).map(|()| (option.name.clone(), option.kind.clone())).map_err(|expected| {
                    EngineErrorKind::BadOptionValue {
                        name: option.name.clone(),
                        value: value.to_owned(),
                        expected,
                    }
                })
            }
        };
        let (name, kind) = checked.map_err(|kind| self.session.error(kind))?;
        match kind {
            OptionType::Button => self.send(&format!("setoption name {name}")),
            OptionType::String { .. } if value.is_empty() => {
                self.send(&format!("setoption name {name} value {}", option::EMPTY));
            }
            _ => self.send(&format!("setoption name {name} value {value}")),
        }
        Ok(())
    }

    /// Sends `isready` and waits for `readyok`, dropping other lines.
    ///
    /// # Errors
    /// If `readyok` does not arrive within `timeout`.
    pub fn is_ready(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.wait_until_ready(timeout, drop)
    }

    /// Waits for `readyok` after options were set and returns what the engine printed meanwhile, at most [`MAX_NOTES`] lines,
    /// without `info string`. UCI has no answer to `setoption`: engines print such lines, and play on with other values.
    ///
    /// # Errors
    /// If a line says that something failed, and as [`is_ready`](UciEngine::is_ready).
    pub fn confirm_options(&mut self, timeout: Duration) -> Result<Vec<String>, EngineError> {
        let mut notes = Vec::new();
        let mut failure = None;
        self.wait_until_ready(timeout, |line| {
            let text = line.text.trim();
            let text = text.strip_prefix("info string").unwrap_or(text).trim();
            if failure.is_none() && says_failure(text) {
                failure = Some(text.to_owned());
            }
            if !text.is_empty() && notes.len() < MAX_NOTES {
                notes.push(text.to_owned());
            }
        })?;
        match failure {
            Some(line) => Err(self.session.error(EngineErrorKind::Complaint { line })),
            None => Ok(notes),
        }
    }

    fn wait_until_ready(
        &mut self,
        timeout: Duration,
        mut on_line: impl FnMut(Line),
    ) -> Result<(), EngineError> {
        self.send("isready");
        let deadline = deadline(Instant::now(), timeout);
        loop {
            let line = self.next_line(deadline, timeout, "\"readyok\" after \"isready\"")?;
            if line.text.trim() == "readyok" {
                return Ok(());
            }
            on_line(line);
        }
    }

    /// Sends `go` and passes every line to `on_line` until `bestmove` arrives. To save wake-ups, `info` lines are passed up to 50 ms
    /// late.
    ///
    /// `go` is the full command, such as `go nodes 5000`. It may be preceded by a `position` line: both
    /// are then written at once, which saves the engine a wake-up.
    ///
    /// If the wait for an earlier search failed, that search is ended by `stop` first, and its `bestmove` is discarded. This wait
    /// counts towards `timeout`.
    ///
    /// # Errors
    /// If `bestmove` does not arrive within `timeout`; [`UciEngine::stop`] then ends the search. Also if the text has no `go`.
    pub fn search(
        &mut self,
        go: &str,
        timeout: Duration,
        on_line: impl FnMut(Line),
    ) -> Result<BestMove, EngineError> {
        let deadline = deadline(Instant::now(), timeout);
        self.discard_lines();
        if self.unanswered > 0 {
            self.send("stop");
            while self.unanswered > 0 {
                self.line(deadline, timeout, "\"bestmove\" of an earlier search", true)?;
            }
        }
        self.send(go);
        self.best_move(Instant::now(), deadline, timeout, on_line)
    }

    /// Sends `stop` and waits for the `bestmove` of the running search.
    ///
    /// # Errors
    /// If it does not arrive within `timeout`, or, at once, if no search is running: if the `bestmove` of every `go` has been read.
    pub fn stop(&mut self, timeout: Duration) -> Result<BestMove, EngineError> {
        self.check_searching()?;
        self.send("stop");
        self.await_best_move(Instant::now(), timeout, drop)
    }

    /// Waits for the `bestmove` of the last search; `start` is the time at which it started.
    ///
    /// # Errors
    /// If it does not arrive within `timeout` of `start`, or, at once, if no search is running, as for [`stop`](UciEngine::stop).
    pub fn await_best_move(
        &mut self,
        start: Instant,
        timeout: Duration,
        on_line: impl FnMut(Line),
    ) -> Result<BestMove, EngineError> {
        self.best_move(start, deadline(start, timeout), timeout, on_line)
    }

    fn check_searching(&self) -> Result<(), EngineError> {
        if self.unanswered > 0 { Ok(()) } else { Err(self.session.error(EngineErrorKind::NotSearching)) }
    }

    fn best_move(
        &mut self,
        start: Instant,
        deadline: Instant,
        timeout: Duration,
        mut on_line: impl FnMut(Line),
    ) -> Result<BestMove, EngineError> {
        self.check_searching()?;
        self.session.set_overwriting(false);
        loop {
            // With more than one answer missing, the line belongs to an earlier search.
            let is_earlier = self.unanswered > 1;
            let line = self.line(deadline, timeout, "\"bestmove\"", true)?;
            if is_earlier {
                continue;
            }
            if let Some(best) = BestMove::parse(&line.text) {
                return Ok(BestMove { elapsed: line.at.saturating_duration_since(start), ..best });
            }
            on_line(line);
        }
    }

    /// Starts a search whose `bestmove` is awaited only much later, as for `go ponder`. Until then, the oldest `info` lines are dropped if
    /// they are too many. An earlier search that has not been answered is ended by `stop`, as by [`search`](UciEngine::search).
    ///
    /// ```no_run
    /// use std::time::{Duration, Instant};
    /// use tabiya_uci_engine::{EngineCommand, UciEngine};
    ///
    /// let timeout = Duration::from_secs(10);
    /// let mut engine = UciEngine::start(&EngineCommand::new("stockfish"), timeout)?;
    /// engine.start_search("position startpos moves e2e4 e7e5\ngo ponder wtime 60000 btime 60000");
    /// // The opponent plays e7e5.
    /// engine.send("ponderhit");
    /// let best = engine.await_best_move(Instant::now(), timeout, drop)?;
    /// # Ok::<(), tabiya_uci_engine::EngineError>(())
    /// ```
    pub fn start_search(&mut self, go: &str) {
        self.discard_lines();
        if self.unanswered > 0 {
            self.send("stop");
        }
        self.session.set_overwriting(true);
        self.send(go);
    }

    /// Discards the lines that have arrived.
    fn discard_lines(&mut self) {
        let now = Instant::now();
        while let Some(line) = self.session.arrived_before(now) {
            self.count(&line);
        }
    }

    fn line(
        &mut self,
        deadline: Instant,
        timeout: Duration,
        waiting_for: &str,
        defer_info: bool,
    ) -> Result<Line, EngineError> {
        let line = self.session.line(deadline, timeout, waiting_for, defer_info)?;
        self.count(&line);
        Ok(line)
    }

    /// Counts the answers to searches among the lines.
    fn count(&mut self, line: &Line) {
        if line.text.split_ascii_whitespace().next() == Some("bestmove") {
            self.unanswered = self.unanswered.saturating_sub(1);
        }
    }

    /// Sends a line. Never blocks and never fails: if the engine has exited, the next wait reports it.
    ///
    /// A `go` starts a search, whose `bestmove` [`stop`](UciEngine::stop) and [`await_best_move`](UciEngine::await_best_move) return;
    /// `go perft`, an extension of UCI, does not.
    pub fn send(&mut self, line: &str) {
        self.session.send(line.as_bytes());
        self.unanswered += line.lines().filter(|line| starts_search(line)).count() as u32;
    }

    /// Closes the engine's standard input after everything sent before has been written.
    pub fn close_input(&mut self) {
        self.session.close_input();
    }

    /// Returns the engine's next line. `waiting_for` and `timeout` (the total wait) are for the error
    /// message.
    ///
    /// # Errors
    /// If no line arrives before `deadline`, the engine has exited, or the wait is cancelled.
    pub fn next_line(
        &mut self,
        deadline: Instant,
        timeout: Duration,
        waiting_for: &str,
    ) -> Result<Line, EngineError> {
        self.line(deadline, timeout, waiting_for, false)
    }

    /// Returns the last lines of the session, oldest first: `<` from the engine, `>` to the engine, `!`
    /// from its standard error.
    pub fn transcript(&self) -> Vec<String> {
        self.session.transcript()
    }

    /// Waits up to `timeout` for the process to exit and returns its status.
    pub fn exit_status(&mut self, timeout: Duration) -> Option<std::process::ExitStatus> {
        self.session.exit_status(timeout)
    }
}

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

#[cfg(all(test, unix))]
mod tests;
