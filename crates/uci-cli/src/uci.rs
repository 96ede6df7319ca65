//! The UCI front end: executes commands, runs searches and prints their reports.
//!
//! The main loop selects over input lines, events of the running search and output of the running job, so
//! `isready` is answered at once whatever else is running. Commands beyond the protocol are in
//! [`extensions`].
//!
//! Commands while something else is running:
//! - `go`, `go perft`, `bench` and `genfens` during a search stop it first, and its `bestmove` precedes any new output.
//!   Every `go` is answered by exactly one `bestmove`.
//! - `setoption` and `ucinewgame` during a search take effect after it. `position` affects only the next
//!   `go`.
//! - During a perft, a benchmark or `genfens`, commands except `isready` are queued, so that a file of commands can be
//!   piped in. A queued `stop` ends everything requested before it.
//! - `quit` ends everything. Jobs get [`JOB_TIMEOUT`] for their results, so that a short perft can be piped in.
//! - At the end of the input, searches and jobs are finished first, each within
//!   [`COMMAND_TIMEOUT`](crate::early_stop::COMMAND_TIMEOUT) unless the input is a file. Lines given as arguments
//!   have no such limit.
//! - `stop` and `ponderhit` without a search are ignored, as the protocol requires.

pub(crate) mod command;
mod extensions;
mod format;
mod genfens;
mod job;
mod limits;
mod queue;

use crate::controller::Controller;
use crate::early_stop::EarlyStop;
use crate::message::{error_text, quote};
use crate::options;
use crate::output::Output;
use crate::position::{self, SetUp};
use crate::rate_limiter::RateLimiter;
use crate::reader::{Input, MAX_LINE_LENGTH};
use crate::version::{AUTHORS, NAME};
use anyhow::Result;
use command::{Command, Go};
use crossbeam_channel::{Receiver, after, at, never, select};
use format::{BestMoveLine, CurrentMoveLine, InfoLine};
use job::Job;
use queue::Queue;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tabiya_movegen::Game;
use tabiya_player::{PlayerEvent, PlayerSearch};
use tabiya_search::{BestMove, Info, Options, SearchEvent, bench};

/// Maximum time to wait for the `bestmove` of a stopped search before the program ends.
const BESTMOVE_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum time for running and queued jobs after `quit`.
const JOB_TIMEOUT: Duration = Duration::from_secs(1);

/// The time at which a line of the input is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pace {
    /// At once: a line may end the running search.
    Live,
    /// After the running search, if that ends by itself.
    Sequential,
}

/// Runs the front end on `first` and the following input at this pace, until `quit` or the end of the input.
///
/// # Errors
/// If the engine cannot be set up, or output fails.
pub(crate) fn run(
    first: Input,
    input: Receiver<Input>,
    pace: Pace,
    early_stop: &EarlyStop,
    output: impl Write,
) -> Result<()> {
    let mut output = Output::new(output, early_stop.clone());
    let identified = identify_before_setup(&first, early_stop, &mut output)?;
    // Never dropped, because that would wait for every search thread, and the process is about to end.
    let mut session = ManuallyDrop::new(Session::new(output, early_stop.clone())?);
    if !identified && session.execute_input(first)?.is_break() {
        return Ok(());
    }
    let mut input = Some(input);
    loop {
        let is_busy = pace == Pace::Sequential && session.has_finite_search();
        match session.wait(input.as_ref().filter(|_| !is_busy)) {
            Event::Input(message) => {
                if message == Input::End {
                    input = None;
                }
                if session.job.is_some() {
                    session.receive_during_job(message)?;
                } else if session.execute_input(message)?.is_break() {
                    return Ok(());
                }
            }
            Event::Search(Some(event)) => session.report(event)?,
            Event::Search(None) => session.search_failed()?,
            Event::InfoDue => session.print_delayed()?,
            Event::Job(Some(line)) => session.output.line(line)?,
            Event::Job(None) => {
                if session.job_ended()?.is_break() {
                    return Ok(());
                }
            }
            Event::Timeout => {
                session.job = None;
                session.output.info("stopped a command that was still running")?;
                return Ok(());
            }
        }
        if session.is_ending && session.running.is_none() {
            return Ok(());
        }
    }
}

/// Answers `uci` as the first line before the engine is set up, because the GUI waits for the answer.
fn identify_before_setup(
    first: &Input,
    early_stop: &EarlyStop,
    output: &mut Output<impl Write>,
) -> io::Result<bool> {
    let Input::Line(line) = first else { return Ok(false) };
    let is_uci = line.trim() == "uci";
    if is_uci {
        early_stop.log_received(line);
        identify(output)?;
    }
    Ok(is_uci)
}

fn identify(output: &mut Output<impl Write>) -> io::Result<()> {
    let options = options::uci_lines();
    output.line(format_args!("id name {NAME}\nid author {AUTHORS}\n{options}uciok"))
}

/// An event of the main loop.
enum Event {
    Input(Input),
    /// `None` if the search has ended without a best move.
    Search(Option<SearchEvent>),
    /// Delayed info lines may be printed now.
    InfoDue,
    /// `None` if the job has ended.
    Job(Option<String>),
    /// A job is still running at the deadline.
    Timeout,
}

/// The running search.
struct Running {
    search: PlayerSearch,
    /// The castling notation when it started.
    chess960: bool,
    rate_limiter: RateLimiter,
    /// True if the search ends by itself.
    is_finite: bool,
    is_finite_after_ponderhit: bool,
}

/// A change that takes effect after the search.
enum Deferred {
    Option(options::Change),
    NewGame,
}

/// The state of a UCI session.
struct Session<W> {
    output: Output<W>,
    controller: Controller,
    /// The game for the next `go`. `None` after an invalid `position`.
    game: Option<Game>,
    debug: bool,
    running: Option<Running>,
    /// Changes to apply after the search, in order.
    deferred: Vec<Deferred>,
    job: Option<Job>,
    /// Input that waits for the end of the job.
    queue: Queue,
    early_stop: EarlyStop,
    /// True if the program ends when the search has ended.
    is_ending: bool,
    /// The time by which the program ends, even during a job.
    deadline: Option<Instant>,
}

impl<W: Write> Session<W> {
    fn new(output: Output<W>, early_stop: EarlyStop) -> Result<Session<W>> {
        Ok(Session {
            output,
            controller: Controller::new(Options::default())?,
            game: Some(Game::new()),
            debug: false,
            running: None,
            deferred: Vec::new(),
            job: None,
            queue: Queue::default(),
            early_stop,
            is_ending: false,
            deadline: None,
        })
    }

    fn wait(&self, input: Option<&Receiver<Input>>) -> Event {
        let input = input.cloned().unwrap_or_else(never);
        let running = self.running.as_ref();
        let search = running.map_or_else(never, |running| running.search.events().clone());
        let info_due = running.and_then(|running| running.rate_limiter.due()).map_or_else(never, at);
        let job = self.job.as_ref().map_or_else(never, |job| job.lines().clone());
        let timeout = self.deadline.map_or_else(never, at);
        select! {
            recv(input) -> message => Event::Input(message.unwrap_or(Input::End)),
            recv(search) -> event => Event::Search(event.ok()),
            recv(info_due) -> _ => Event::InfoDue,
            recv(job) -> line => Event::Job(line.ok()),
            recv(timeout) -> _ => Event::Timeout,
        }
    }

    /// Queues an input line until the job has ended, unless it is about the job.
    fn receive_during_job(&mut self, message: Input) -> io::Result<()> {
        let parsed = message.line().and_then(|line| command::parse(line).ok());
        let command = parsed.map(|parsed| parsed.command);
        if command == Some(Command::IsReady) {
            return self.execute_input(message).map(drop);
        }
        // Urgent requests are queued as well, because a `stop` may be meant for a queued search.
        let urgent = command.and_then(|command| command.urgent());
        self.queue.push(message, urgent);
        self.stop_job_if_requested();
        Ok(())
    }

    /// Applies a queued `stop` or `quit` to the running job. `quit` stops a benchmark, whose result nobody waits for; a perft may finish
    /// within [`JOB_TIMEOUT`] and print its result.
    fn stop_job_if_requested(&mut self) {
        let Some(job) = &self.job else { return };
        if self.queue.has_stop() || (self.queue.has_quit() && job.is_benchmark()) {
            self.early_stop.stop();
        }
        if self.queue.has_quit() && self.deadline.is_none() {
            let timeout = if job.elapsed() >= JOB_TIMEOUT { Duration::ZERO } else { JOB_TIMEOUT };
            self.deadline = Some(Instant::now() + timeout);
        }
    }

    fn job_ended(&mut self) -> io::Result<ControlFlow<()>> {
        self.job = None;
        while self.job.is_none()
            && let Some(message) = self.queue.pop()
        {
            if self.execute_input(message)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        // A queued `stop` or `quit` applies to everything requested before it.
        self.stop_job_if_requested();
        Ok(ControlFlow::Continue(()))
    }

    fn execute_input(&mut self, message: Input) -> io::Result<ControlFlow<()>> {
        let line = match message {
            Input::Line(line) => line,
            Input::InvalidUtf8 { line, at } => {
                self.output.info(format_args!("invalid UTF-8 at byte {at}; using what can be decoded"))?;
                line
            }
            Input::TooLong => {
                self.output.info(format_args!("ignored a line of more than {MAX_LINE_LENGTH} bytes"))?;
                return Ok(ControlFlow::Continue(()));
            }
            Input::End => return self.end_input(),
        };
        self.early_stop.log_received(&line);
        if self.debug {
            self.output.info(format_args!("received: {}", quote(&line)))?;
        }
        match command::parse(&line) {
            Ok(parsed) => {
                for notice in parsed.notices {
                    self.output.info(notice)?;
                }
                self.execute(parsed.command)
            }
            Err(problem) => {
                self.output.info(&problem)?;
                if problem.invalidates_position() {
                    self.invalidate_position()?;
                }
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    fn execute(&mut self, command: Command<'_>) -> io::Result<ControlFlow<()>> {
        match command {
            Command::Nothing | Command::Register => {}
            Command::Uci => identify(&mut self.output)?,
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.output.line("readyok")?,
            Command::SetOption(option) => match options::parse(option.name, option.value) {
                Ok(change) => self.change(Deferred::Option(change))?,
                Err(error) => self.output.info(error)?,
            },
            Command::NewGame => self.change(Deferred::NewGame)?,
            Command::Position(spec) => match position::set_up(spec.fen, spec.moves, self.next_chess960()) {
                Ok(SetUp { game, notes }) => {
                    for note in notes {
                        self.output.info(note)?;
                    }
                    self.game = Some(game);
                }
                Err(error) => {
                    self.output.info(error)?;
                    self.invalidate_position()?;
                }
            },
            Command::Go(go) => self.go(&go)?,
            Command::Perft(depth) => self.perft(depth)?,
            Command::Bench(depth) => {
                self.finish_search(Duration::MAX)?;
                let job = Job::bench(depth.unwrap_or(bench::DEPTH));
                self.start_job(job)?;
            }
            Command::GenFens(request) => {
                self.finish_search(Duration::MAX)?;
                self.start_job(Job::genfens(request.into()))?;
            }
            Command::Stop => self.early_stop.stop(),
            Command::PonderHit => self.ponderhit(),
            Command::Quit => return self.quit(),
            Command::Display => self.display()?,
            Command::Fen => match &self.game {
                Some(game) => self.output.line(game.position())?,
                None => self.report_no_position()?,
            },
            Command::Eval => self.evaluation()?,
            Command::Flip => self.flip()?,
            Command::Moves(moves) => self.moves(moves)?,
            Command::Version => self.output.line(crate::version::report())?,
            Command::Help => self.output.line(extensions::help())?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn quit(&mut self) -> io::Result<ControlFlow<()>> {
        self.finish_search(BESTMOVE_TIMEOUT)?;
        Ok(ControlFlow::Break(()))
    }

    fn has_finite_search(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.is_finite)
    }

    /// Ends the program, after the search if that ends by itself.
    fn end_input(&mut self) -> io::Result<ControlFlow<()>> {
        if self.has_finite_search() {
            self.is_ending = true;
            return Ok(ControlFlow::Continue(()));
        }
        self.quit()
    }

    /// Clears the position after an invalid `position` command.
    fn invalidate_position(&mut self) -> io::Result<()> {
        self.game = None;
        self.output.info("no position is set: go will answer bestmove 0000 until a valid position command")
    }

    fn report_no_position(&mut self) -> io::Result<()> {
        self.output.info("no position is set, because the last position command was invalid")
    }

    // Searches and jobs

    fn go(&mut self, go: &Go) -> io::Result<()> {
        self.finish_search(Duration::MAX)?;
        let Some(game) = &self.game else {
            self.report_no_position()?;
            return self.output.line(BestMoveLine::NONE);
        };
        let request = limits::request(go, game.position());
        for notice in request.notices {
            self.output.info(notice)?;
        }
        let notices = self.controller.take_notices();
        notices.iter().try_for_each(|notice| self.output.info(notice))?;
        let chess960 = self.uses_chess960_notation(game);
        let rate_limiter = RateLimiter::new(self.controller.settings.minimal, Instant::now());
        let prepared = self.controller.prepare(game, request.limits);
        let is_finite = prepared.limits.is_finite();
        let is_finite_after_ponderhit = prepared.limits.clone().with_ponder(false).is_finite();
        let search = prepared.start(game);
        let handle = search.stop_handle();
        self.early_stop.register(true, move || handle.stop());
        self.running = Some(Running { search, chess960, rate_limiter, is_finite, is_finite_after_ponderhit });
        Ok(())
    }

    /// The opponent has played the expected move.
    fn ponderhit(&mut self) {
        let Some(running) = &mut self.running else { return };
        running.search.ponderhit();
        running.is_finite = running.is_finite_after_ponderhit;
    }

    fn perft(&mut self, depth: u32) -> io::Result<()> {
        self.finish_search(Duration::MAX)?;
        match &self.game {
            None => self.report_no_position(),
            Some(game) => {
                let job = Job::perft(game.position().clone(), depth, self.uses_chess960_notation(game));
                self.start_job(job)
            }
        }
    }

    fn start_job(&mut self, job: io::Result<Job>) -> io::Result<()> {
        match job {
            Ok(job) => {
                self.early_stop.register(true, job.stopper());
                self.job = Some(job);
            }
            Err(error) => self.output.info(format_args!("cannot start a thread: {error}"))?,
        }
        Ok(())
    }

    /// Returns true if castling is written as king takes rook: if the GUI has set `UCI_Chess960`, or the game
    /// needs it.
    fn uses_chess960_notation(&self, game: &Game) -> bool {
        position::uses_chess960_notation(game.position(), self.controller.settings.chess960)
    }

    fn report(&mut self, event: SearchEvent) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let now = Instant::now();
        match running.search.event(event) {
            Some(PlayerEvent::Info(info)) => match running.rate_limiter.admit(info, now) {
                Some(info) => self.print_info(&info),
                None => Ok(()),
            },
            Some(PlayerEvent::CurrentMove { depth, mv, number }) => {
                if !running.rate_limiter.admit_current_move(now) {
                    return Ok(());
                }
                let chess960 = running.chess960;
                self.output.line(CurrentMoveLine { depth, mv, number, chess960 })
            }
            Some(PlayerEvent::BestMove { answer, line }) => self.print_best_move(answer, line),
            _ => Ok(()),
        }
    }

    fn print_info(&mut self, info: &Info) -> io::Result<()> {
        let Some(running) = &self.running else { return Ok(()) };
        let show_wdl = self.controller.settings.show_wdl;
        self.output.line(InfoLine { info, chess960: running.chess960, show_wdl })
    }

    /// Prints the info lines that the rate limiter holds.
    fn print_delayed(&mut self) -> io::Result<()> {
        let delayed = self.running.as_mut().map(|running| running.rate_limiter.take()).unwrap_or_default();
        delayed.iter().try_for_each(|info| self.print_info(info))
    }

    /// Ends the search with its best move.
    fn print_best_move(&mut self, answer: BestMove, line: Option<Info>) -> io::Result<()> {
        let running = self.running.as_mut();
        let lines = running.map(|running| running.rate_limiter.finish(line)).unwrap_or_default();
        lines.iter().try_for_each(|info| self.print_info(info))?;
        if let Some(running) = self.running.take() {
            self.output.line(BestMoveLine { answer, chess960: running.chess960 })?;
        }
        self.apply_deferred()
    }

    /// Handles a search that has closed its channel without a best move. This is a bug in the engine, but the
    /// GUI still gets its `bestmove`.
    fn search_failed(&mut self) -> io::Result<()> {
        self.running = None;
        self.output.info("the search has failed")?;
        self.output.line(BestMoveLine::NONE)?;
        self.apply_deferred()
    }

    /// Stops the search, if any, and prints its remaining output, waiting at most `timeout`.
    fn finish_search(&mut self, timeout: Duration) -> io::Result<()> {
        if self.running.is_some() {
            self.early_stop.stop();
        }
        let timeout = if timeout == Duration::MAX { never() } else { after(timeout) };
        while let Some(running) = &self.running {
            select! {
                recv(running.search.events()) -> event => match event {
                    Ok(event) => self.report(event)?,
                    Err(_) => self.search_failed()?,
                },
                recv(timeout) -> _ => self.running = None,
            }
        }
        Ok(())
    }

    // Settings

    fn change(&mut self, change: Deferred) -> io::Result<()> {
        if self.running.is_none() {
            return self.apply(change);
        }
        self.deferred.push(change);
        self.output.info("a search is running; the change takes effect after it")
    }

    /// The value of `UCI_Chess960` that the next `go` will have: that of a change that waits for the end of the search, if there is one.
    fn next_chess960(&self) -> bool {
        let waiting = self.deferred.iter().rev().find_map(|change| match change {
            Deferred::Option(change) if change.name() == "UCI_Chess960" => Some(change.value() == "true"),
            _ => None,
        });
        waiting.unwrap_or(self.controller.settings.chess960)
    }

    fn apply_deferred(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.deferred).into_iter().try_for_each(|change| self.apply(change))
    }

    fn apply(&mut self, change: Deferred) -> io::Result<()> {
        let applied = match change {
            Deferred::NewGame => {
                self.controller.player.new_game();
                Ok(())
            }
            Deferred::Option(change) => change.apply(&mut self.controller),
        };
        applied.or_else(|error| self.output.info(error_text(&error)))?;
        let notices = self.controller.take_notices();
        notices.iter().try_for_each(|notice| self.output.info(notice))
    }
}
