//! The xboard front end: the Chess Engine Communication Protocol, version 2.
//!
//! Unlike UCI, this protocol keeps the game in the engine, which also knows whose move it is and thinks
//! without being asked. [`Session`] holds that state; the commands are read in [`command`], the clock is
//! kept in [`clock`], [`thinking`] deals with searches, and [`words`] writes. The session waits for a line
//! or for what a search says, whichever comes first, and so hears `?`, `force` and `quit` while it thinks.
//!
//! What arrives at the wrong time is treated like this:
//! - What changes the game (`new`, `force`, `undo`, `setboard`, `result`, ...) ends any thinking first.
//! - `ping` during a move of the engine is answered after the move, as the protocol wants it; otherwise
//!   at once.
//! - Options take effect after the move that is being thought about; analysis and pondering are begun
//!   anew.

mod clock;
mod command;
mod thinking;
mod words;

use crate::command::quote;
use crate::error_text::error_text;
use crate::log;
use crate::options::{self, Setting};
use crate::output::Output;
use crate::player::{Player, Thinking};
use crate::reader::Input;
use crate::resources::Resource;
use anyhow::Result;
use clock::Watch;
use command::{Command, shown};
use crossbeam_channel::{Receiver, never, select};
use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, Outcome, Position};
use tabiya_search::{Info, Options, Score};
use words::{Complaint, Verdict};

/// How much is looked at for a hint that is not known yet.
const HINT_NODES: u64 = 100_000;

/// From this move on a draw is accepted in a position that is not better than equal.
const DRAWISH_MOVE: u32 = 20;

/// Runs the front end until `quit`, the end of the input, or an error in writing.
///
/// # Errors
/// If the engine cannot be set up, or a line cannot be written.
pub(crate) fn run(input: Receiver<Input>, output: impl Write) -> Result<()> {
    let mut session = Session::new(Output::new(output))?;
    loop {
        let events = session.task.as_ref().map_or_else(never, |task| task.thinking.events().clone());
        select! {
            recv(input) -> message => {
                if session.take(message.unwrap_or(Input::End))?.is_break() {
                    return Ok(());
                }
            }
            recv(events) -> event => match event {
                Ok(event) => session.hear(event)?,
                Err(_) => session.search_is_gone()?,
            },
        }
    }
}

/// What the engine does when it is its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// It keeps the game and does nothing else.
    Watches,
    Plays(Color),
    Analyses,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Move,
    /// In the opponent's time, on the answer that is expected.
    Ponder(Move),
    Analysis,
}

/// A search under way.
struct Task {
    thinking: Thinking,
    purpose: Purpose,
    root: Position,
    since: Instant,
    /// What the clock showed.
    left: Duration,
    /// What it has said last.
    last: Option<Info>,
    /// The move being looked at, and its number.
    current: Option<(Move, u32)>,
}

struct Session<W> {
    output: Output<W>,
    player: Player,
    game: Game,
    chess960: bool,
    role: Role,
    watch: Watch,
    posts: bool,
    ponders: bool,
    task: Option<Task>,
    /// Pings to answer after the move.
    pings: Vec<String>,
    /// Settings to change after the move.
    settings: Vec<Setting>,
    /// What the last move was worth, for offers of a draw.
    score: Option<Score>,
    /// What the opponent is expected to play now.
    hint: Option<Move>,
}

impl<W: Write> Session<W> {
    fn new(output: Output<W>) -> Result<Session<W>> {
        Ok(Session {
            output,
            player: Player::new(Options::default())?,
            game: Game::new(),
            chess960: false,
            role: Role::Plays(Color::Black),
            watch: Watch::new(),
            posts: false,
            ponders: false,
            task: None,
            pings: Vec::new(),
            settings: Vec::new(),
            score: None,
            hint: None,
        })
    }

    fn take(&mut self, message: Input) -> io::Result<ControlFlow<()>> {
        let line = match message {
            Input::Line(line) | Input::Garbled { line, .. } => line,
            Input::TooLong => {
                self.output.line("Error (line too long): passed over")?;
                return Ok(ControlFlow::Continue(()));
            }
            Input::End => return Ok(ControlFlow::Break(())),
        };
        log::came(&line);
        match command::parse(line.trim_start_matches('\u{feff}')) {
            Ok(Command::Quit) => return Ok(ControlFlow::Break(())),
            Ok(command) => self.execute(command)?,
            Err(problem) => self.complain(problem)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn execute(&mut self, command: Command<'_>) -> io::Result<()> {
        match command {
            Command::Nothing | Command::Quit => Ok(()),
            Command::Protover => self.output.line(words::features()),
            Command::New => self.new_game(),
            Command::Variant(name) => self.set_variant(name),
            Command::Force => self.change(Role::Watches),
            Command::Result => self.change(Role::Watches),
            Command::Go => self.change(Role::Plays(self.game.position().side_to_move())),
            Command::PlayOther => self.change(Role::Plays(!self.game.position().side_to_move())),
            Command::Analyze => self.change(Role::Analyses),
            Command::ExitAnalysis if self.role == Role::Analyses => self.change(Role::Watches),
            Command::ExitAnalysis => Ok(()),
            Command::AnalysisStatus => self.tell_status(),
            Command::Level(control) => {
                self.watch.set_control(control);
                Ok(())
            }
            Command::MoveTime(time) => {
                self.watch.set_move_time(time);
                Ok(())
            }
            Command::Depth(depth) => {
                self.watch.set_depth(depth);
                Ok(())
            }
            Command::Time(left) => {
                self.watch.set_left(left);
                Ok(())
            }
            Command::Move(text) => self.user_moves(text),
            Command::MoveNow => {
                if let Some(task) = self.task.as_ref().filter(|task| task.purpose == Purpose::Move) {
                    task.thinking.stop();
                }
                Ok(())
            }
            Command::Ping(number) if self.is_thinking() => {
                self.pings.push(number.to_owned());
                Ok(())
            }
            Command::Ping(number) => self.output.line(format_args!("pong {}", shown(number))),
            Command::Draw => self.consider_draw(),
            Command::SetBoard(fen) => self.set_board(fen),
            Command::Hint => self.give_hint(),
            Command::Book => self.show_book(),
            Command::Undo => self.take_back(1, "undo"),
            Command::Remove => self.take_back(2, "remove"),
            Command::Ponder(on) => {
                self.ponders = on;
                if !on {
                    self.stop_pondering();
                }
                Ok(())
            }
            Command::Post(on) => {
                self.posts = on;
                Ok(())
            }
            Command::SetOption(name, value) => self.set_option(name, value),
            Command::Opponent(name) => {
                tracing::info!("the opponent: {name}");
                Ok(())
            }
        }
    }

    // The game

    fn new_game(&mut self) -> io::Result<()> {
        self.abandon()?;
        self.game = Game::new();
        self.chess960 = false;
        self.watch.reset();
        self.player.new_game();
        (self.score, self.hint) = (None, None);
        if self.role != Role::Analyses {
            self.role = Role::Plays(Color::Black);
        }
        self.respond()
    }

    fn set_variant(&mut self, name: &str) -> io::Result<()> {
        match name {
            "normal" => self.chess960 = false,
            "fischerandom" => self.chess960 = true,
            _ => return self.complain(format_args!("Error (unknown variant): {}", shown(name))),
        }
        Ok(())
    }

    /// Takes another role, and gets on with it.
    fn change(&mut self, role: Role) -> io::Result<()> {
        self.abandon()?;
        self.role = role;
        if let Role::Plays(_) = role
            && let Some(outcome) = self.game.outcome()
        {
            return self.output.line(Verdict(outcome));
        }
        self.respond()
    }

    fn set_board(&mut self, fen: &str) -> io::Result<()> {
        match Position::from_fen(fen) {
            Ok(position) => {
                self.abandon()?;
                self.game = Game::from_position(position);
                (self.score, self.hint) = (None, None);
                if self.role == Role::Analyses { self.respond() } else { Ok(()) }
            }
            Err(error) => self.complain(format_args!("tellusererror Illegal position: {error}")),
        }
    }

    fn user_moves(&mut self, text: &str) -> io::Result<()> {
        if self.is_thinking() {
            return self.complain(format_args!("Error (command not legal now): {}", shown(text)));
        }
        let position = self.game.position();
        let mv = match read_move(position, text) {
            Ok(mv) => mv,
            Err(reason) => {
                return self.complain(format_args!("Illegal move ({reason}): {}", shown(text)));
            }
        };
        let expected = self.task.as_ref().is_some_and(|task| task.purpose == Purpose::Ponder(mv));
        if !expected {
            self.abandon()?;
        }
        self.play(mv);
        self.hint = None;
        if self.role == Role::Watches || self.role == Role::Analyses {
            return self.respond();
        }
        if self.announce_end()? {
            return self.abandon();
        }
        match &mut self.task {
            // The clock may show less than was thought when the pondering began: then it has to be read again.
            Some(task) if expected && self.watch.left() >= task.left * 3 / 4 => {
                task.purpose = Purpose::Move;
                task.since = Instant::now();
                task.thinking.ponderhit();
                Ok(())
            }
            _ => self.respond(),
        }
    }

    fn play(&mut self, mv: Move) {
        if let Err(error) = self.game.play(mv) {
            // Every move that comes here has been found legal.
            tracing::error!("{error}");
        }
    }

    fn take_back(&mut self, moves: usize, command: &str) -> io::Result<()> {
        if self.game.moves().len() < moves {
            return self.output.line(format_args!("Error (no move to take back): {command}"));
        }
        self.abandon()?;
        (0..moves).for_each(|_| {
            self.game.undo();
        });
        self.hint = None;
        if self.role == Role::Analyses { self.respond() } else { Ok(()) }
    }

    /// Says that the game is over, by rule or by a draw that anybody would claim, and how.
    fn announce_end(&mut self) -> io::Result<bool> {
        let claim = || self.game.claimable_draw().map(|reason| Outcome::Draw { reason });
        let Some(outcome) = self.game.outcome().or_else(claim) else { return Ok(false) };
        self.output.line(Verdict(outcome))?;
        Ok(true)
    }

    fn consider_draw(&mut self) -> io::Result<()> {
        let not_better = match self.score {
            Some(Score::Centipawns(value)) => value <= 0,
            Some(Score::Mate(moves)) => moves <= 0,
            None => false,
        };
        let late = u32::from(self.game.position().fullmove_number()) >= DRAWISH_MOVE;
        if self.game.claimable_draw().is_some() || (not_better && late) {
            return self.output.line("offer draw");
        }
        Ok(())
    }

    // Settings

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        match options::parse(name, value) {
            Ok(setting) if self.is_thinking() => {
                self.settings.push(setting);
                Ok(())
            }
            Ok(setting) => {
                let again = self.role == Role::Analyses;
                self.task = None;
                self.apply(setting)?;
                if again { self.respond() } else { Ok(()) }
            }
            Err(error) => self.complain(format_args!("Error ({error}): {}", shown(name))),
        }
    }

    /// Says what went wrong.
    fn complain(&mut self, text: impl fmt::Display) -> io::Result<()> {
        self.output.line(Complaint(text))
    }

    fn apply(&mut self, setting: Setting) -> io::Result<()> {
        // XBoard names a directory of tablebases to every engine, be it there or not, and shows each
        // `tellusererror` in a window.
        let is_hint = matches!(setting, Setting::Resource(Resource::SyzygyPath(_)));
        match self.player.apply(setting) {
            Ok(()) => {
                let notices = self.player.resources.notices();
                notices.iter().try_for_each(|notice| self.complain(format_args!("# {notice}")))
            }
            Err(error) if is_hint => self.complain(format_args!("# {}", error_text(&error))),
            Err(error) => self.complain(format_args!("tellusererror {}", error_text(&error))),
        }
    }
}

/// Reads a move as programs send it: coordinates, castling as `O-O`, or any SAN.
fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    let coordinates = match position.parse_uci(text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    match text.parse::<tabiya_core::notation::UciMove>() {
        Ok(_) => Err(coordinates.to_string()),
        Err(_) => position.parse_san(text).map_err(|error| match error {
            tabiya_movegen::ResolveSanError::Syntax(_) => format!("{} is no move", quote(text)),
            // Not in the words of the library: XBoard overlooks a refusal with `name` in it.
            tabiya_movegen::ResolveSanError::Ambiguous => "more than one legal move fits".to_owned(),
            error => error.to_string(),
        }),
    }
}
