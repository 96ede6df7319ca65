//! The xboard front end: the Chess Engine Communication Protocol, version 2.
//!
//! Unlike in UCI, the engine keeps the game: it tracks whose move it is and starts searching without a command. [`Session`] holds that state; [`command`] parses, [`clock`] keeps the time, [`search`] runs
//! searches and `format` formats output. The main loop selects over input lines and events of the search,
//! so `?`, `force` and `quit` are handled during a search.
//!
//! Commands during a search:
//! - Commands that change the game (`new`, `force`, `undo`, `setboard`, `result`, ...) end a search first.
//! - `ping` during the engine's move is answered after it, as the protocol requires; otherwise at once.
//! - At the end of the input the engine still finishes its move, within [`COMMAND_TIMEOUT`](crate::early_stop::COMMAND_TIMEOUT) unless the input is a file.
//! - Options take effect after the engine's move. Analysis is restarted; pondering ends.
//! - A time control takes effect with the next search. Pondering ends, because its search has the former one.

mod clock;
pub(crate) mod command;
mod editor;
mod format;
mod search;

use crate::controller::Controller;
use crate::early_stop::EarlyStop;
use crate::message::{error_text, quote};
use crate::options;
use crate::output::Output;
use crate::position::{self, SetUp};
use crate::rate_limiter::RateLimiter;
use crate::reader::Input;
use anyhow::Result;
use clock::EngineClock;
use command::{Command, sanitize};
use crossbeam_channel::{Receiver, at, never, select};
use editor::Editor;
use format::{ErrorLine, ResultLine};
use std::fmt;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, Outcome, Position};
use tabiya_player::{PlayerSearch, accepts_draw};
use tabiya_search::{Info, Options, Score};

/// Nodes to search for a hint. Few, because the main loop waits for the end of the search.
const HINT_NODES: u64 = 20_000;

/// Runs the front end until `quit` or the end of the input.
///
/// # Errors
/// If the engine cannot be set up, or output fails.
pub(crate) fn run(input: Receiver<Input>, early_stop: &EarlyStop, output: impl Write) -> Result<()> {
    // Never dropped, because that would wait for every search thread, and the process is about to end.
    let output = Output::new(output, early_stop.clone());
    let mut session = ManuallyDrop::new(Session::new(output, early_stop.clone())?);
    loop {
        let input = if session.is_ending { never() } else { input.clone() };
        let task = session.task.as_ref();
        let events = task.map_or_else(never, |task| task.search.events().clone());
        let thinking_due = task.and_then(|task| task.rate_limiter.due()).map_or_else(never, at);
        select! {
            recv(input) -> message => {
                if session.receive(message.unwrap_or(Input::End))?.is_break() {
                    return Ok(());
                }
            }
            recv(events) -> event => match event {
                Ok(event) => session.handle_event(event)?,
                Err(_) => session.search_failed()?,
            },
            recv(thinking_due) -> _ => session.print_delayed()?,
        }
        if session.is_ending && !session.is_searching_move() {
            return Ok(());
        }
    }
}

/// The role of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// The engine only records the moves (`force`).
    Observe,
    /// The engine plays this side.
    Play(Color),
    Analyse,
}

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Move,
    /// Pondering on the expected move.
    Ponder(Move),
    Analysis,
}

/// A running search.
struct Task {
    search: PlayerSearch,
    purpose: Purpose,
    root: Position,
    start: Instant,
    /// The engine's remaining time at the start.
    remaining: Duration,
    /// The latest principal variation.
    last: Option<Info>,
    rate_limiter: RateLimiter,
    /// The root move being searched, and its number.
    current: Option<(Move, u32)>,
}

impl Task {
    /// Keeps the latest principal variation.
    fn note(&mut self, info: &Info) {
        if info.multipv == 1 {
            self.last = Some(info.clone());
        }
    }
}

/// The state of an xboard session, which includes the game.
struct Session<W> {
    output: Output<W>,
    early_stop: EarlyStop,
    controller: Controller,
    game: Game,
    /// True after an illegal `setboard` or `edit`. Until a valid position is set, no move is accepted or made.
    invalid: bool,
    /// True in the variant `fischerandom`.
    chess960: bool,
    role: Role,
    clock: EngineClock,
    /// Length of the game, in plies, when the time control was set: its number of moves counts from there.
    control_start: usize,
    /// True to show thinking output (`post`).
    post: bool,
    /// True to ponder (`hard`).
    ponder: bool,
    task: Option<Task>,
    /// Numbers of pings to answer after the engine's move.
    pings: Vec<String>,
    /// Options to set after the engine's move.
    deferred: Vec<options::Change>,
    /// The score of the engine's last move, and the length of the game with that move, for draw offers.
    score: Option<(Score, usize)>,
    /// True if the opponent has offered a draw during the search for the engine's move, whose score decides.
    draw_offered: bool,
    /// The expected move of the opponent.
    hint: Option<Move>,
    /// The position that is being edited, in edit mode.
    editor: Option<Editor>,
    /// True if the input has ended during the engine's move, after which the program ends.
    is_ending: bool,
}

impl<W: Write> Session<W> {
    fn new(output: Output<W>, early_stop: EarlyStop) -> Result<Session<W>> {
        Ok(Session {
            output,
            early_stop,
            controller: Controller::new(Options::default())?,
            game: Game::new(),
            invalid: false,
            chess960: false,
            role: Role::Play(Color::Black),
            clock: EngineClock::new(),
            control_start: 0,
            post: false,
            ponder: false,
            task: None,
            pings: Vec::new(),
            deferred: Vec::new(),
            score: None,
            draw_offered: false,
            hint: None,
            editor: None,
            is_ending: false,
        })
    }

    fn receive(&mut self, message: Input) -> io::Result<ControlFlow<()>> {
        let line = match message {
            Input::Line(line) | Input::InvalidUtf8 { line, .. } => line,
            Input::TooLong => {
                self.output.line("Error (line too long): ignored")?;
                return Ok(ControlFlow::Continue(()));
            }
            Input::End => {
                self.is_ending = true;
                return Ok(ControlFlow::Continue(()));
            }
        };
        self.early_stop.log_received(&line);
        let parsed = command::parse(&line);
        if parsed != Ok(Command::Quit)
            && let Some(editor) = self.editor.take()
        {
            self.edit(editor, line.trim())?;
            return Ok(ControlFlow::Continue(()));
        }
        match parsed {
            Ok(Command::Quit) => return Ok(ControlFlow::Break(())),
            Ok(command) => self.execute(command, line.trim())?,
            Err(problem) => self.print_error(problem)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Executes the command of a line.
    fn execute(&mut self, command: Command<'_>, line: &str) -> io::Result<()> {
        match command {
            Command::Nothing | Command::Quit => Ok(()),
            Command::Protover => self.output.line(format::features()),
            Command::New => self.new_game(),
            Command::Variant(name) => self.set_variant(name, line),
            Command::Force => self.change(Role::Observe),
            Command::Result => self.change(Role::Observe),
            Command::Go => self.change(Role::Play(self.game.position().side_to_move())),
            Command::PlayOther => self.change(Role::Play(!self.game.position().side_to_move())),
            Command::Analyze => self.change(Role::Analyse),
            Command::ExitAnalysis if self.role == Role::Analyse => self.change(Role::Observe),
            Command::ExitAnalysis => Ok(()),
            Command::AnalysisStatus => self.print_status(),
            Command::Level(control) => {
                self.stop_pondering();
                self.clock.set_control(control);
                self.control_start = self.game.moves().len();
                Ok(())
            }
            Command::MoveTime(time) => {
                self.stop_pondering();
                self.clock.set_move_time(time);
                Ok(())
            }
            Command::Depth(depth) => {
                self.stop_pondering();
                self.clock.set_depth(depth);
                Ok(())
            }
            Command::Time(remaining) => {
                self.clock.set_remaining(remaining);
                Ok(())
            }
            Command::Move(text) => self.user_move(text, line),
            Command::MoveNow => {
                if self.is_searching_move() {
                    self.early_stop.stop();
                }
                Ok(())
            }
            Command::Ping(number) if self.is_searching_move() => {
                self.pings.push(number.to_owned());
                Ok(())
            }
            Command::Ping(number) => self.output.line(format_args!("pong {}", sanitize(number))),
            Command::Draw => self.consider_draw(),
            Command::SetBoard(fen) => self.set_board(fen),
            Command::Edit => {
                self.editor = Some(Editor::new(self.game.position()));
                Ok(())
            }
            Command::Hint => self.print_hint(),
            Command::Book => self.print_book(),
            Command::Undo => self.take_back(1, line),
            Command::Remove => self.take_back(2, line),
            Command::Ponder(on) => {
                self.ponder = on;
                if !on {
                    self.stop_pondering();
                }
                Ok(())
            }
            Command::Post(on) => {
                self.post = on;
                Ok(())
            }
            Command::SetOption(name, value) => self.set_option(name, value, line),
            Command::Opponent(name) => {
                tracing::info!("opponent: {name}");
                Ok(())
            }
        }
    }

    // The game

    fn new_game(&mut self) -> io::Result<()> {
        self.abort_search()?;
        self.game = Game::new();
        self.invalid = false;
        self.chess960 = false;
        self.clock.reset();
        self.control_start = 0;
        self.controller.player.new_game();
        (self.score, self.hint) = (None, None);
        if self.role != Role::Analyse {
            self.role = Role::Play(Color::Black);
        }
        self.start_search_if_due()
    }

    fn set_variant(&mut self, name: &str, line: &str) -> io::Result<()> {
        match name {
            "normal" => self.chess960 = false,
            "fischerandom" => self.chess960 = true,
            _ => return self.refuse("unknown variant", line),
        }
        Ok(())
    }

    /// Changes the role and starts a search if it is due.
    fn change(&mut self, role: Role) -> io::Result<()> {
        self.abort_search()?;
        self.role = role;
        if let Role::Play(_) = role
            && !self.invalid
            && let Some(outcome) = self.game.outcome()
        {
            return self.output.line(ResultLine(outcome));
        }
        self.start_search_if_due()
    }

    fn set_board(&mut self, fen: &str) -> io::Result<()> {
        match position::set_up(Some(fen), "", self.chess960) {
            Ok(SetUp { game, .. }) => self.start_from(game),
            Err(error) => self.invalidate_position(&position::reason(&error)),
        }
    }

    /// Reports an illegal position. The former one is no longer that of the GUI.
    fn invalidate_position(&mut self, reason: &str) -> io::Result<()> {
        self.abort_search()?;
        self.invalid = true;
        (self.score, self.hint) = (None, None);
        self.print_error(format_args!("tellusererror Illegal position: {reason}"))
    }

    /// Executes a line in edit mode.
    fn edit(&mut self, mut editor: Editor, line: &str) -> io::Result<()> {
        if line == "." {
            return match editor.finish() {
                Ok(position) => self.start_from(Game::from_position(position)),
                Err(error) => self.invalidate_position(&position::reason(&error)),
            };
        }
        let is_valid = line.is_empty() || editor.apply(line);
        self.editor = Some(editor);
        if is_valid {
            return Ok(());
        }
        self.refuse("expected a piece and a square", line)
    }

    /// Continues with another game.
    fn start_from(&mut self, game: Game) -> io::Result<()> {
        self.abort_search()?;
        self.game = game;
        self.control_start = 0;
        self.invalid = false;
        (self.score, self.hint) = (None, None);
        if self.role == Role::Analyse { self.start_search_if_due() } else { Ok(()) }
    }

    fn user_move(&mut self, text: &str, line: &str) -> io::Result<()> {
        if self.is_searching_move() {
            return self.refuse("command not legal now", line);
        }
        let parsed = if self.invalid {
            Err("the position is illegal".to_owned())
        } else {
            parse_move(self.game.position(), text)
        };
        let mv = match parsed {
            Ok(mv) => mv,
            Err(reason) => {
                return self.print_error(format_args!("Illegal move ({reason}): {}", sanitize(text)));
            }
        };
        let expected = self.task.as_ref().is_some_and(|task| task.purpose == Purpose::Ponder(mv));
        if !expected {
            self.abort_search()?;
        }
        self.play(mv);
        self.hint = None;
        if self.role == Role::Observe || self.role == Role::Analyse {
            return self.start_search_if_due();
        }
        if self.print_result()? {
            return self.abort_search();
        }
        match &mut self.task {
            // If much less time is left than when pondering started, start a new search with the current clock
            // instead.
            Some(task) if expected && self.clock.remaining() >= task.remaining / 4 * 3 => {
                task.purpose = Purpose::Move;
                task.start = Instant::now();
                task.search.ponderhit();
                // From now on `?` ends it.
                let handle = task.search.stop_handle();
                let found = task.last.clone();
                self.early_stop.register(true, move || handle.stop());
                self.print_thinking(found)
            }
            _ => self.start_search_if_due(),
        }
    }

    fn play(&mut self, mv: Move) {
        if let Err(error) = self.game.play(mv) {
            // Unreachable: the callers have checked that the move is legal.
            tracing::error!("{error}");
        }
    }

    fn take_back(&mut self, moves: usize, line: &str) -> io::Result<()> {
        if self.invalid || self.game.moves().len() < moves {
            return self.refuse("no move to take back", line);
        }
        self.abort_search()?;
        (0..moves).for_each(|_| {
            self.game.undo();
        });
        (self.score, self.hint) = (None, None);
        if self.role == Role::Analyse { self.start_search_if_due() } else { Ok(()) }
    }

    /// Prints the result if the game is over, and returns whether it is. The engine claims every draw.
    fn print_result(&mut self) -> io::Result<bool> {
        let claim = || self.game.claimable_draw().map(|reason| Outcome::Draw { reason });
        let Some(outcome) = self.game.outcome().or_else(claim) else { return Ok(false) };
        self.output.line(ResultLine(outcome))?;
        Ok(true)
    }

    fn consider_draw(&mut self) -> io::Result<()> {
        if self.is_searching_move() {
            self.draw_offered = true;
            return Ok(());
        }
        // The opponent may have moved since.
        let score = self.score.filter(|&(_, length)| length == self.game.moves().len());
        self.answer_draw_offer(score.map(|(score, _)| score))
    }

    fn answer_draw_offer(&mut self, score: Option<Score>) -> io::Result<()> {
        if !self.invalid && accepts_draw(&self.game, score) { self.output.line("offer draw") } else { Ok(()) }
    }

    // Settings

    fn set_option(&mut self, name: &str, value: Option<&str>, line: &str) -> io::Result<()> {
        match options::parse(name, value) {
            Ok(change) if self.is_searching_move() => {
                self.deferred.push(change);
                Ok(())
            }
            Ok(change) => {
                let is_analysing = self.role == Role::Analyse;
                self.task = None;
                self.apply(change)?;
                if is_analysing { self.start_search_if_due() } else { Ok(()) }
            }
            Err(error) => self.refuse(error, line),
        }
    }

    /// Prints the error of a command, given as the whole line.
    fn refuse(&mut self, reason: impl fmt::Display, line: &str) -> io::Result<()> {
        self.print_error(format_args!("Error ({reason}): {}", sanitize(line)))
    }

    /// Prints an error.
    fn print_error(&mut self, text: impl fmt::Display) -> io::Result<()> {
        self.output.line(ErrorLine(text))
    }

    fn apply(&mut self, change: options::Change) -> io::Result<()> {
        // XBoard sends a tablebase directory to every engine, even one that does not exist, and shows each
        // `tellusererror` in a window. So this failure is printed as a comment.
        let is_comment = change.name() == "SyzygyPath";
        match change.apply(&mut self.controller) {
            Ok(()) => {
                let notices = self.controller.take_notices();
                notices.iter().try_for_each(|notice| self.print_error(format_args!("# {notice}")))
            }
            Err(error) if is_comment => self.print_error(format_args!("# {}", error_text(&error))),
            Err(error) => self.print_error(format_args!("tellusererror {}", error_text(&error))),
        }
    }
}

/// Parses a move in coordinates or SAN.
fn parse_move(position: &Position, text: &str) -> Result<Move, String> {
    let coordinates = match position.parse_uci(text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    match text.parse::<tabiya_core::notation::UciMove>() {
        Ok(_) => Err(coordinates.to_string()),
        Err(_) => position.parse_san(text).map_err(|error| match error {
            tabiya_movegen::ResolveSanError::Syntax(_) => format!("{} is not a move", quote(text)),
            // The library's message contains the word `name`, and XBoard ignores `Illegal move` lines that
            // contain it.
            tabiya_movegen::ResolveSanError::Ambiguous => "more than one legal move fits".to_owned(),
            error => error.to_string(),
        }),
    }
}
