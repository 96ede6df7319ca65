//! `tabiya play`: a game against the engine in the terminal.
//!
//! [`session`] holds the state of the game and knows neither terminal nor engine; this module connects them.

mod record;
mod request;
mod session;

use crate::args::{EngineArgs, LimitArgs};
use crate::controller::Controller;
use crate::diagram::DiagramStyle;
use crate::{position, style, variation};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use session::{Action, Session};
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, Position};
use tabiya_play::{MAX_ELO, MIN_ELO};
use tabiya_search::Limits;

/// Time for a move if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Play a game against the engine.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya play
  tabiya play --side black --movetime 500ms
  tabiya play --elo 1500
  tabiya play --fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
  tabiya play --chess960 518

Enter moves as Nf3 or g1f3; enter help for a list of commands. Without a limit the engine takes a second
per move.")]
pub(crate) struct PlayArgs {
    /// Side to play.
    #[arg(long, value_enum, default_value_t)]
    side: Side,
    /// Position to start from.
    #[arg(long, value_name = "FEN", num_args = 1.., conflicts_with = "chess960")]
    fen: Vec<String>,
    /// Play Chess960 from the start position of this number.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(0..960))]
    chess960: Option<u16>,
    /// Elo rating of the engine [default: full strength].
    #[arg(long, value_parser = clap::value_parser!(u16).range(i64::from(MIN_ELO)..=i64::from(MAX_ELO)))]
    elo: Option<u16>,
    /// Opening book of the engine: a Polyglot (.bin) or text file [default: built-in main lines].
    #[arg(long, value_name = "FILE", conflicts_with = "no_book")]
    book: Option<PathBuf>,
    /// Play without an opening book.
    #[arg(long)]
    no_book: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// Draw the board with chess symbols instead of letters.
    #[arg(long)]
    symbols: bool,
}

/// The user's side.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Side {
    #[default]
    White,
    Black,
}

/// The user's opponent, scripted in tests.
trait Opponent {
    /// The move to play in the current position, which has a legal move.
    fn choose(&mut self, game: &Game) -> Option<Move>;

    /// Prepares for a new game.
    fn new_game(&mut self);
}

struct EngineOpponent {
    controller: Controller,
    limits: Limits,
}

impl Opponent for EngineOpponent {
    fn choose(&mut self, game: &Game) -> Option<Move> {
        self.controller.search(game, self.limits.clone()).wait().best
    }

    fn new_game(&mut self) {
        self.controller.new_game();
    }
}

/// Runs `tabiya play`.
///
/// # Errors
/// If the FEN or the book is invalid, the engine cannot be set up, or input or output fails.
pub(crate) fn run(args: &PlayArgs, input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
    let start = match args.chess960 {
        Some(number) => {
            Position::chess960(number).context("Chess960 start positions are numbered 0 to 959")?
        }
        None => position::from_args(&args.fen)?,
    };
    let user = match args.side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    let mut controller = args.engine.controller()?;
    if let Some(elo) = args.elo {
        controller.settings.limit_strength = true;
        controller.settings.elo = elo;
    }
    controller.settings.own_book = !args.no_book;
    if let Some(file) = &args.book {
        controller.resources.open_book(&file.display().to_string())?;
    }
    let limits = args.limits.limits_or(Limits::movetime(DEFAULT_TIME));
    let mut opponent = EngineOpponent { controller, limits };
    let style = DiagramStyle { symbols: args.symbols, colors: style::use_colors() };
    let mut session = Session::new(start, user, style);
    run_session(&mut session, &mut opponent, input, out)
}

/// Alternates between user and opponent until the user quits.
fn run_session(
    session: &mut Session,
    opponent: &mut dyn Opponent,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<()> {
    writeln!(out, "{}", session.greeting())?;
    let mut line = Vec::new();
    loop {
        if session.is_opponents_turn() {
            writeln!(out, "Tabiya is thinking ...")?;
            out.flush()?;
            let mv = opponent.choose(session.game()).context("the search found no move")?;
            writeln!(out, "{}", session.opponent_plays(mv)?)?;
            continue;
        }
        write!(out, "{}", session.prompt())?;
        out.flush()?;
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            writeln!(out)?;
            return Ok(());
        }
        let reply = session.handle(&String::from_utf8_lossy(&line));
        if !reply.text.is_empty() {
            writeln!(out, "{}", reply.text)?;
        }
        match reply.action {
            Action::None => {}
            Action::Quit => return Ok(()),
            Action::NewGame => opponent.new_game(),
            Action::Hint => match opponent.choose(session.game()) {
                Some(mv) => {
                    writeln!(out, "I would play {}.", variation::numbered(session.game().position(), &[mv]))?;
                }
                None => writeln!(out, "There is no legal move.")?,
            },
            Action::Save(path) => match record::save(session, &path) {
                Ok(()) => writeln!(out, "Saved to {}.", path.display())?,
                Err(error) => writeln!(out, "Not saved: {error:#}")?,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the given moves in order.
    struct Script(Vec<&'static str>);

    impl Opponent for Script {
        fn choose(&mut self, game: &Game) -> Option<Move> {
            Some(game.position().parse_san(self.0.remove(0)).unwrap())
        }

        fn new_game(&mut self) {}
    }

    fn play(user: Color, opponent: &[&'static str], input: &[u8]) -> String {
        let mut session = Session::new(Position::startpos(), user, DiagramStyle::default());
        let mut out = Vec::new();
        run_session(&mut session, &mut Script(opponent.to_vec()), &mut { input }, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn plays_a_game_to_mate() {
        let text = play(Color::White, &["e5", "Qh4#"], b"f3\ng2g4\nmoves\nquit\nnever read\n");
        assert!(text.contains("Tabiya plays 1... e5"), "{text}");
        assert!(text.contains("Tabiya plays 2... Qh4#"), "{text}");
        assert!(text.contains("The game is over: 0-1 (checkmate)"), "{text}");
        assert!(!text.contains("neither a move"), "{text}");
    }

    #[test]
    fn ends_at_the_end_of_input() {
        let text = play(Color::Black, &["e4"], b"");
        assert!(text.contains("Tabiya plays 1. e4"), "{text}");
        assert!(text.ends_with("1... > \n"), "{text}");
    }

    #[test]
    fn answers_invalid_input() {
        let text = play(Color::White, &["e4"], b"\xff\xfe\n\n   \nsave\nhint\n");
        assert!(text.contains("neither a move"), "{text}");
        assert!(text.contains("save FILE"), "{text}");
        assert!(text.contains("I would play"), "{text}");
    }
}
