//! The UCI front end: takes commands, runs searches, prints what they report.
//!
//! The loop waits for whatever comes first: a line from outside, an event of the running search, a
//! line of the running job. It never waits for one of them alone, and so answers `isready` at once,
//! whatever goes on. What is not in the protocol is answered in [`beyond`].
//!
//! What arrives at the wrong time is treated like this:
//! - `go`, `go perft` and `bench` during a search stop it first; its `bestmove` comes before the
//!   new one's output. Each `go` has exactly one `bestmove`.
//! - `setoption` and `ucinewgame` during a search take effect when it has ended. `position` only
//!   ever concerns the next `go`.
//! - During a perft or a benchmark everything but `isready` and `stop` waits until it has ended, so
//!   that a file of commands can be piped in.
//! - `stop` and `ponderhit` without a search are ignored, as the protocol wants it.

mod beyond;

use crate::command::{self, Command, Go};
use crate::error_text::error_text;
use crate::flood::Flood;
use crate::job::Job;
use crate::options::{self, Setting};
use crate::output::{AUTHORS, BestMoveLine, CurrentMoveLine, InfoLine, NAME, Notation, Output};
use crate::player::{Heard, Player, Thinking};
use crate::reader::{Input, LONGEST_LINE};
use crate::{limits, log, position};
use anyhow::Result;
use crossbeam_channel::{Receiver, after, at, never, select};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tabiya_movegen::Game;
use tabiya_search::{BENCH_DEPTH, BestMove, Info, Options, SearchEvent};

/// How long a search that was told to stop may take to say its last word when the program ends.
const LAST_WORD: Duration = Duration::from_secs(1);

/// How long a perft may go on when the program is to end, so that a file of commands can be piped in.
const JOB_GRACE: Duration = Duration::from_secs(60);

/// Runs the front end, from a first message on, until `quit`, the end of the input, or an error in writing.
///
/// # Errors
/// If the engine cannot be set up, or a line cannot be written.
pub(crate) fn run(first: Input, input: Receiver<Input>, output: impl Write) -> Result<()> {
    let mut output = Output::new(output);
    let introduced = introduce_at_once(&first, &mut output)?;
    let mut session = Session::new(output)?;
    if !introduced && session.take(first)?.is_break() {
        return Ok(());
    }
    let mut input = Some(input);
    loop {
        match session.wait(input.as_ref()) {
            Event::Input(message) => {
                if message == Input::End {
                    input = None;
                }
                if session.take(message)?.is_break() {
                    return Ok(());
                }
            }
            Event::Search(Some(event)) => session.report(event)?,
            Event::Search(None) => session.search_is_gone()?,
            Event::Held => session.release()?,
            Event::Job(Some(line)) => session.output.line(line)?,
            Event::Job(None) => {
                if session.job_is_done()?.is_break() {
                    return Ok(());
                }
            }
            Event::Overdue => {
                session.output.info("not waiting any longer for what is still running")?;
                return Ok(());
            }
        }
    }
}

/// Answers a first line `uci`: before the engine is set up, since whoever starts it waits for the answer.
fn introduce_at_once(first: &Input, output: &mut Output<impl Write>) -> io::Result<bool> {
    let Input::Line(line) = first else { return Ok(false) };
    let line = line.trim_start_matches('\u{feff}');
    let is_uci = line.trim() == "uci";
    if is_uci {
        log::came(line);
        introduce(output)?;
    }
    Ok(is_uci)
}

fn introduce(output: &mut Output<impl Write>) -> io::Result<()> {
    let options = options::announcement();
    output.line(format_args!("id name {NAME}\nid author {AUTHORS}\n{options}uciok"))
}

/// What the loop waits for.
enum Event {
    Input(Input),
    /// `None`: the search is gone without a word.
    Search(Option<SearchEvent>),
    /// Reports that were held back may be said now.
    Held,
    /// `None`: the job is done.
    Job(Option<String>),
    /// The program was to end a while ago, and a job is still running.
    Overdue,
}

/// A search, and how castling was written when it began.
struct Running {
    thinking: Thinking,
    notation: Notation,
    flood: Flood,
}

/// What has to wait until the search is over.
enum Deferred {
    Setting(Setting),
    NewGame,
}

struct Session<W> {
    output: Output<W>,
    player: Player,
    /// What the next `go` searches; `None` after a `position` that could not be read.
    game: Option<Game>,
    debug: bool,
    running: Option<Running>,
    deferred: Vec<Deferred>,
    job: Option<Job>,
    /// What came in while a job was running.
    waiting: Vec<Input>,
    /// When to end at the latest, job or no job.
    deadline: Option<Instant>,
}

impl<W: Write> Session<W> {
    fn new(output: Output<W>) -> Result<Session<W>> {
        Ok(Session {
            output,
            player: Player::new(Options::default())?,
            game: Some(Game::new()),
            debug: false,
            running: None,
            deferred: Vec::new(),
            job: None,
            waiting: Vec::new(),
            deadline: None,
        })
    }

    fn wait(&self, input: Option<&Receiver<Input>>) -> Event {
        let input = input.cloned().unwrap_or_else(never);
        let running = self.running.as_ref();
        let search = running.map_or_else(never, |running| running.thinking.events().clone());
        let held = running.and_then(|running| running.flood.due()).map_or_else(never, at);
        let job = self.job.as_ref().map_or_else(never, |job| job.lines().clone());
        let overdue = self.deadline.map_or_else(never, at);
        select! {
            recv(input) -> message => Event::Input(message.unwrap_or(Input::End)),
            recv(search) -> event => Event::Search(event.ok()),
            recv(held) -> _ => Event::Held,
            recv(job) -> line => Event::Job(line.ok()),
            recv(overdue) -> _ => Event::Overdue,
        }
    }

    /// Takes a message from outside: deals with it now, or keeps it until the job is done.
    fn take(&mut self, message: Input) -> io::Result<ControlFlow<()>> {
        let Some(job) = &self.job else { return self.obey(message) };
        let Input::Line(line) = &message else {
            if message == Input::End {
                self.leave_soon();
            }
            self.waiting.push(message);
            return Ok(ControlFlow::Continue(()));
        };
        match command::parse(line).map(|parsed| parsed.command) {
            Ok(Command::IsReady) => return self.obey(message),
            // It may be meant for a search that waits for its turn.
            Ok(Command::Stop) => {
                job.stop();
                self.waiting.push(message);
            }
            // A benchmark is of no use to anybody who leaves; a perft has been asked for its result.
            Ok(Command::Quit) => {
                if job.is_benchmark() {
                    job.stop();
                }
                self.leave_soon();
                self.waiting.push(message);
            }
            _ => self.waiting.push(message),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The program is to end, and a job has some time left to do so.
    fn leave_soon(&mut self) {
        self.deadline.get_or_insert_with(|| Instant::now() + JOB_GRACE);
    }

    fn job_is_done(&mut self) -> io::Result<ControlFlow<()>> {
        self.job = None;
        // Whatever begins the next job, what stands behind it is looked at again: a `stop` or a `quit` concerns
        // all that was asked for before it.
        for message in std::mem::take(&mut self.waiting) {
            if self.take(message)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn obey(&mut self, message: Input) -> io::Result<ControlFlow<()>> {
        let line = match message {
            Input::Line(line) => line,
            Input::Garbled { line, at } => {
                let message =
                    format_args!("the line is not UTF-8 from byte {at} on; what can be read of it is");
                self.output.info(message)?;
                line
            }
            Input::TooLong => {
                self.output.info(format_args!("a line of more than {LONGEST_LINE} bytes was ignored"))?;
                return Ok(ControlFlow::Continue(()));
            }
            Input::End => return self.quit(),
        };
        // Some shells on Windows put a byte order mark before the first line.
        let line = line.trim_start_matches('\u{feff}');
        log::came(line);
        if self.debug {
            self.output.info(format_args!("received: {}", command::quote(line)))?;
        }
        match command::parse(line) {
            Ok(parsed) => {
                for notice in parsed.notices {
                    self.output.info(notice)?;
                }
                self.execute(parsed.command)
            }
            Err(problem) => {
                self.output.info(&problem)?;
                if problem.spoils_position() {
                    self.lose_position()?;
                }
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    fn execute(&mut self, command: Command<'_>) -> io::Result<ControlFlow<()>> {
        match command {
            Command::Nothing | Command::Register => {}
            Command::Uci => introduce(&mut self.output)?,
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.output.line("readyok")?,
            Command::SetOption(option) => match options::parse(option.name, option.value) {
                Ok(setting) => self.change(Deferred::Setting(setting))?,
                Err(error) => self.output.info(error)?,
            },
            Command::NewGame => self.change(Deferred::NewGame)?,
            Command::Position(spec) => match position::set_up(&spec) {
                Ok(game) => self.game = Some(game),
                Err(error) => {
                    self.output.info(error)?;
                    self.lose_position()?;
                }
            },
            Command::Go(go) => self.go(&go)?,
            Command::Perft(depth) => self.perft(depth)?,
            Command::Bench(depth) => {
                self.finish_search(Duration::MAX)?;
                let job = Job::bench(depth.unwrap_or(BENCH_DEPTH));
                self.start_job(job)?;
            }
            Command::GenFens(request) => {
                self.finish_search(Duration::MAX)?;
                self.start_job(Job::genfens(request.into()))?;
            }
            Command::Stop => {
                if let Some(running) = &self.running {
                    running.thinking.stop();
                }
            }
            Command::PonderHit => {
                if let Some(running) = &self.running {
                    running.thinking.ponderhit();
                }
            }
            Command::Quit => return self.quit(),
            Command::Display => self.display()?,
            Command::Fen => match &self.game {
                Some(game) => self.output.line(game.position())?,
                None => self.no_position()?,
            },
            Command::Eval => self.evaluation()?,
            Command::Flip => self.flip()?,
            Command::Moves(moves) => self.moves(moves)?,
            Command::Version => self.output.line(crate::version::report())?,
            Command::Help => self.output.line(beyond::help())?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn quit(&mut self) -> io::Result<ControlFlow<()>> {
        self.finish_search(LAST_WORD)?;
        Ok(ControlFlow::Break(()))
    }

    /// Forgets the position, because what it should be is not known.
    fn lose_position(&mut self) -> io::Result<()> {
        self.game = None;
        self.output.info("no position is set: go answers bestmove 0000 until a valid position arrives")
    }

    fn no_position(&mut self) -> io::Result<()> {
        self.output.info("no position is set, because the last one could not be read")
    }

    // Searches and jobs

    fn go(&mut self, go: &Go) -> io::Result<()> {
        self.finish_search(Duration::MAX)?;
        let Some(game) = &self.game else {
            self.no_position()?;
            return self.output.line(BestMoveLine::NONE);
        };
        let request = limits::request(go, game.position());
        for notice in request.notices {
            self.output.info(notice)?;
        }
        let Some(limits) = request.limits else { return self.output.line(BestMoveLine::NONE) };
        let notices = self.player.resources.notices();
        notices.iter().try_for_each(|notice| self.output.info(notice))?;
        let notation = self.notation(game);
        let flood = Flood::new(self.player.settings.minimal, Instant::now());
        self.running = Some(Running { thinking: self.player.think(game, limits), notation, flood });
        Ok(())
    }

    fn perft(&mut self, depth: u32) -> io::Result<()> {
        self.finish_search(Duration::MAX)?;
        match &self.game {
            None => self.no_position(),
            Some(game) => {
                let job = Job::perft(game.position().clone(), depth, self.notation(game));
                self.start_job(job)
            }
        }
    }

    fn start_job(&mut self, job: io::Result<Job>) -> io::Result<()> {
        match job {
            Ok(job) => self.job = Some(job),
            Err(error) => self.output.info(format_args!("no thread could be started: {error}"))?,
        }
        Ok(())
    }

    /// Castling as king takes rook where the GUI wants it, or where nothing else is unambiguous.
    fn notation(&self, game: &Game) -> Notation {
        Notation { chess960: self.player.settings.chess960 || !game.position().has_standard_castling() }
    }

    fn report(&mut self, event: SearchEvent) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let now = Instant::now();
        match running.thinking.hear(event) {
            Heard::Nothing => Ok(()),
            Heard::Event(SearchEvent::Info(info)) => match running.flood.hear(info, now) {
                Some(info) => self.tell(&info),
                None => Ok(()),
            },
            Heard::Event(SearchEvent::CurrentMove { depth, mv, number }) => {
                if !running.flood.hear_move(now) {
                    return Ok(());
                }
                let notation = running.notation;
                self.output.line(CurrentMoveLine { depth, mv, number, notation })
            }
            Heard::Event(SearchEvent::BestMove(answer)) => self.answer(None, answer),
            Heard::Answer(line, answer) => self.answer(line, answer),
        }
    }

    fn tell(&mut self, info: &Info) -> io::Result<()> {
        let Some(running) = &self.running else { return Ok(()) };
        let wdl = self.player.settings.show_wdl;
        self.output.line(InfoLine { info, notation: running.notation, wdl })
    }

    /// Says what was held back.
    fn release(&mut self) -> io::Result<()> {
        let held = self.running.as_mut().map(|running| running.flood.release()).unwrap_or_default();
        held.iter().try_for_each(|info| self.tell(info))
    }

    fn answer(&mut self, line: Option<Info>, answer: BestMove) -> io::Result<()> {
        self.release()?;
        if let Some(line) = line {
            self.tell(&line)?;
        }
        if let Some(running) = self.running.take() {
            self.output.line(BestMoveLine(answer, running.notation))?;
        }
        self.catch_up()
    }

    /// The search has closed its channel without a best move. That is a fault in the engine; the GUI
    /// gets its answer all the same.
    fn search_is_gone(&mut self) -> io::Result<()> {
        self.running = None;
        self.output.info("the search has failed")?;
        self.output.line(BestMoveLine::NONE)?;
        self.catch_up()
    }

    /// Stops the search, if there is one, and prints what it still has to say, for no longer than
    /// `patience`.
    fn finish_search(&mut self, patience: Duration) -> io::Result<()> {
        let Some(running) = &self.running else { return Ok(()) };
        running.thinking.stop();
        let timeout = if patience == Duration::MAX { never() } else { after(patience) };
        while let Some(running) = &self.running {
            select! {
                recv(running.thinking.events()) -> event => match event {
                    Ok(event) => self.report(event)?,
                    Err(_) => self.search_is_gone()?,
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
        self.output.info("a search is running; this takes effect when it has ended")
    }

    fn catch_up(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.deferred).into_iter().try_for_each(|change| self.apply(change))
    }

    fn apply(&mut self, change: Deferred) -> io::Result<()> {
        let applied = match change {
            Deferred::NewGame => {
                self.player.new_game();
                Ok(())
            }
            Deferred::Setting(setting) => self.player.apply(setting),
        };
        applied.or_else(|error| self.output.info(error_text(&error)))?;
        self.tell_of_files()
    }

    /// Says what has been loaded, and which files turned out to be damaged.
    fn tell_of_files(&mut self) -> io::Result<()> {
        let notices = self.player.resources.notices();
        notices.iter().try_for_each(|notice| self.output.info(notice))
    }
}
