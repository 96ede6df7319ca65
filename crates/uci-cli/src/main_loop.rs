//! The UCI front end: takes commands, runs searches, prints what they report.
//!
//! The loop waits for whatever comes first: a line from outside, an event of the running search, a
//! line of the running job. It never waits for one of them alone, and so answers `isready` at once,
//! whatever goes on.
//!
//! What arrives at the wrong time is treated like this:
//! - `go`, `go perft` and `bench` during a search stop it first; its `bestmove` comes before the
//!   new one's output. Each `go` has exactly one `bestmove`.
//! - `setoption` and `ucinewgame` during a search take effect when it has ended. `position` only
//!   ever concerns the next `go`.
//! - During a perft or a benchmark everything but `isready` and `stop` waits until it has ended, so
//!   that a file of commands can be piped in.
//! - `stop` and `ponderhit` without a search are ignored, as the protocol wants it.

use crate::command::{self, Command, Go};
use crate::diagram::Diagram;
use crate::eval;
use crate::job::Job;
use crate::limits;
use crate::options::{self, Setting};
use crate::output::{AUTHORS, BestMoveLine, InfoLine, NAME, Notation, Output};
use crate::position;
use crate::reader::{Input, LONGEST_LINE};
use anyhow::Result;
use crossbeam_channel::{Receiver, after, at, never, select};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tabiya_movegen::Game;
use tabiya_search::{BENCH_DEPTH, Engine, Options, Search, SearchEvent};

/// How long a search that was told to stop may take to say its last word when the program ends.
const LAST_WORD: Duration = Duration::from_secs(1);

/// How long a perft or a benchmark may go on when the program is to end.
const JOB_GRACE: Duration = Duration::from_secs(60);

const HELP: &str = "\
Commands of the UCI protocol:
  uci                      who the engine is, and its options
  isready                  answered with readyok at once
  setoption name N value V
  ucinewgame               forget the last game
  position startpos|fen FEN [moves M...]
  go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves M...]
     [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
  stop, ponderhit, debug on|off, quit
And beyond it:
  go perft N               count the leaves N plies below each move
  d                        draw the board
  fen                      the position in one line
  eval                     the evaluation, term by term
  bench [DEPTH]            the speed of the search
  genfens N seed S book None|FILE
                           random openings
  help                     this text
`tabiya --help`, from a shell, lists what else the program can do.";

/// Runs the front end until `quit`, the end of the input, or an error in writing.
///
/// # Errors
/// If the engine cannot be set up, or a line cannot be written.
pub(crate) fn run(input: Receiver<Input>, output: impl Write) -> Result<()> {
    let mut session = Session::new(Output::new(output))?;
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

/// What the loop waits for.
enum Event {
    Input(Input),
    /// `None`: the search is gone without a word.
    Search(Option<SearchEvent>),
    /// `None`: the job is done.
    Job(Option<String>),
    /// The program was to end a while ago, and a job is still running.
    Overdue,
}

/// A search, and how castling was written when it began.
struct Running {
    search: Search,
    notation: Notation,
}

/// What has to wait until the search is over.
enum Deferred {
    Setting(Setting),
    NewGame,
}

struct Session<W> {
    output: Output<W>,
    engine: Engine,
    /// What the next `go` searches; `None` after a `position` that could not be read.
    game: Option<Game>,
    chess960: bool,
    debug: bool,
    running: Option<Running>,
    deferred: Vec<Deferred>,
    job: Option<Job>,
    /// What came in while a job was running.
    waiting: VecDeque<Input>,
    /// When to end at the latest, job or no job.
    deadline: Option<Instant>,
}

impl<W: Write> Session<W> {
    fn new(output: Output<W>) -> Result<Session<W>> {
        Ok(Session {
            output,
            engine: Engine::new(Options::default())?,
            game: Some(Game::new()),
            chess960: false,
            debug: false,
            running: None,
            deferred: Vec::new(),
            job: None,
            waiting: VecDeque::new(),
            deadline: None,
        })
    }

    fn wait(&self, input: Option<&Receiver<Input>>) -> Event {
        let input = input.cloned().unwrap_or_else(never);
        let search = self.running.as_ref().map_or_else(never, |running| running.search.events().clone());
        let job = self.job.as_ref().map_or_else(never, |job| job.lines().clone());
        let overdue = self.deadline.map_or_else(never, at);
        select! {
            recv(input) -> message => Event::Input(message.unwrap_or(Input::End)),
            recv(search) -> event => Event::Search(event.ok()),
            recv(job) -> line => Event::Job(line.ok()),
            recv(overdue) -> _ => Event::Overdue,
        }
    }

    /// Takes a message from outside: deals with it now, or keeps it until the job is done.
    fn take(&mut self, message: Input) -> io::Result<ControlFlow<()>> {
        let Some(job) = &self.job else { return self.obey(message) };
        let Input::Line(line) = &message else {
            if message == Input::End {
                self.deadline = Some(Instant::now() + JOB_GRACE);
            }
            self.waiting.push_back(message);
            return Ok(ControlFlow::Continue(()));
        };
        match command::parse(line).map(|parsed| parsed.command) {
            Ok(Command::IsReady) => return self.obey(message),
            Ok(Command::Stop) => job.stop(),
            Ok(Command::Quit) => {
                self.deadline = Some(Instant::now() + JOB_GRACE);
                self.waiting.push_back(message);
            }
            _ => self.waiting.push_back(message),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn job_is_done(&mut self) -> io::Result<ControlFlow<()>> {
        self.job = None;
        while self.job.is_none() {
            let Some(message) = self.waiting.pop_front() else { break };
            if self.obey(message)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn obey(&mut self, message: Input) -> io::Result<ControlFlow<()>> {
        let line = match message {
            Input::Line(line) => line,
            Input::TooLong => {
                self.output.info(format_args!("a line of more than {LONGEST_LINE} bytes was ignored"))?;
                return Ok(ControlFlow::Continue(()));
            }
            Input::End => return self.quit(),
        };
        // Some shells on Windows put a byte order mark before the first line.
        let line = line.trim_start_matches('\u{feff}');
        tracing::debug!(target: "tabiya::uci", "> {line}");
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
            Command::Uci => self.output.line(format_args!(
                "id name {NAME}\nid author {AUTHORS}\n{}uciok",
                options::announcement()
            ))?,
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
                    running.search.stop();
                }
            }
            Command::PonderHit => {
                if let Some(running) = &self.running {
                    running.search.ponderhit();
                }
            }
            Command::Quit => return self.quit(),
            Command::Display => self.display()?,
            Command::Fen => match &self.game {
                Some(game) => self.output.line(game.position())?,
                None => self.no_position()?,
            },
            Command::Eval => self.evaluation()?,
            Command::Help => self.output.line(HELP)?,
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
        let notation = self.notation(game);
        self.running = Some(Running { search: self.engine.go(game, limits), notation });
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
        Notation { chess960: self.chess960 || !game.position().has_standard_castling() }
    }

    fn report(&mut self, event: SearchEvent) -> io::Result<()> {
        let Some(running) = &self.running else { return Ok(()) };
        match event {
            SearchEvent::Info(info) => self.output.line(InfoLine(&info, running.notation)),
            SearchEvent::CurrentMove { .. } => Ok(()),
            SearchEvent::BestMove(answer) => {
                self.output.line(BestMoveLine(answer, running.notation))?;
                self.running = None;
                self.catch_up()
            }
        }
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
        running.search.stop();
        let timeout = if patience == Duration::MAX { never() } else { after(patience) };
        while let Some(running) = &self.running {
            select! {
                recv(running.search.events()) -> event => match event {
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
        match change {
            Deferred::NewGame | Deferred::Setting(Setting::ClearHash) => self.engine.clear(),
            Deferred::Setting(Setting::HashMb(mb)) => {
                if let Err(error) = self.engine.set_hash(mb) {
                    return self.output.info(error);
                }
            }
            Deferred::Setting(Setting::Threads(threads)) => {
                if let Err(error) = self.engine.set_threads(threads) {
                    return self.output.info(error);
                }
            }
            Deferred::Setting(Setting::Ponder(_)) => {}
            Deferred::Setting(Setting::MoveOverhead(overhead)) => self.engine.set_move_overhead(overhead),
            Deferred::Setting(Setting::Chess960(on)) => self.chess960 = on,
            Deferred::Setting(Setting::Evaluation(evaluation)) => self.engine.set_evaluation(evaluation),
        }
        Ok(())
    }

    // What is not in the protocol

    fn display(&mut self) -> io::Result<()> {
        let Some(game) = &self.game else { return self.no_position() };
        let position = game.position();
        let checkers: Vec<String> =
            position.checkers().into_iter().map(|square| square.to_string()).collect();
        self.output.line(format_args!(
            "\n{}\nFen: {position}\nKey: {:016X}\nCheckers: {}",
            Diagram::new(position.board()),
            position.key(),
            checkers.join(" ")
        ))
    }

    fn evaluation(&mut self) -> io::Result<()> {
        let Some(game) = &self.game else { return self.no_position() };
        self.output.line(eval::table(game.position(), self.engine.options().evaluation))
    }
}
