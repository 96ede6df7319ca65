//! `tabiya play`: a game in the terminal, a person against the engine.
//!
//! The rules of the conversation are in [`session`], which knows no terminal and no engine; here the
//! two are joined to it.

mod record;
mod request;
mod session;

use crate::cli::{PlayArgs, Side};
use crate::diagram::Look;
use crate::options::Setting;
use crate::player::Player;
use crate::resources::Resource;
use crate::{line, position, style};
use anyhow::{Context, Result};
use session::{Action, Session};
use std::io::{BufRead, Write};
use std::time::Duration;
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, Position};
use tabiya_search::Limits;

/// How long the engine thinks about a move if nothing else is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Whom the person plays against.
trait Opponent {
    /// The move to play in the current position, which has at least one.
    fn choose(&mut self, game: &Game) -> Option<Move>;

    /// A new game begins.
    fn forget(&mut self);
}

struct EnginePlayer {
    player: Player,
    limits: Limits,
}

impl Opponent for EnginePlayer {
    fn choose(&mut self, game: &Game) -> Option<Move> {
        self.player.think(game, self.limits.clone()).wait().best
    }

    fn forget(&mut self) {
        self.player.new_game();
    }
}

/// Runs the subcommand.
///
/// # Errors
/// If the FEN cannot be read, the engine cannot be set up, or reading or writing fails.
pub(crate) fn run(args: &PlayArgs, input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
    let start = match args.chess960 {
        Some(number) => {
            Position::chess960(number).context("Chess960 start positions have numbers 0 to 959")?
        }
        None => position::from_words(&args.fen)?,
    };
    let person = match args.side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    let mut player = args.engine.player()?;
    if let Some(elo) = args.elo {
        player.apply(Setting::LimitStrength(true))?;
        player.apply(Setting::Elo(elo))?;
    }
    player.apply(Setting::Resource(Resource::OwnBook(!args.no_book)))?;
    if let Some(file) = &args.book {
        player.apply(Setting::Resource(Resource::BookFile(file.display().to_string())))?;
    }
    let mut opponent = EnginePlayer { player, limits: args.limits.limits(DEFAULT_TIME) };
    let look = Look { symbols: args.symbols, colors: style::wanted() };
    let mut session = Session::new(start, person, look);
    converse(&mut session, &mut opponent, input, out)
}

/// Lets the two play until the person leaves.
fn converse(
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
            let mv = opponent.choose(session.game()).context("the search has found no move")?;
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
        let reply = session.hear(&String::from_utf8_lossy(&line));
        if !reply.text.is_empty() {
            writeln!(out, "{}", reply.text)?;
        }
        match reply.action {
            Action::None => {}
            Action::Quit => return Ok(()),
            Action::NewGame => opponent.forget(),
            Action::Hint => match opponent.choose(session.game()) {
                Some(mv) => {
                    writeln!(out, "I would play {}.", line::numbered(session.game().position(), &[mv]))?;
                }
                None => writeln!(out, "There is nothing to play here.")?,
            },
            Action::Save(path) => match record::save(session, &path) {
                Ok(()) => writeln!(out, "Saved to {}.", path.display())?,
                Err(error) => writeln!(out, "Not saved to {}: {error:#}", path.display())?,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays what it was told to, in that order.
    struct Script(Vec<&'static str>);

    impl Opponent for Script {
        fn choose(&mut self, game: &Game) -> Option<Move> {
            Some(game.position().parse_san(self.0.remove(0)).unwrap())
        }

        fn forget(&mut self) {}
    }

    fn talk(person: Color, opponent: &[&'static str], input: &[u8]) -> String {
        let mut session = Session::new(Position::startpos(), person, Look::default());
        let mut out = Vec::new();
        converse(&mut session, &mut Script(opponent.to_vec()), &mut { input }, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_game_to_mate() {
        let text = talk(Color::White, &["e5", "Qh4#"], b"f3\ng2g4\nmoves\nquit\nnever read\n");
        assert!(text.contains("Tabiya plays 1... e5"), "{text}");
        assert!(text.contains("Tabiya plays 2... Qh4#"), "{text}");
        assert!(text.contains("The game is over: 0-1 (checkmate)"), "{text}");
        assert!(!text.contains("neither a move"), "{text}");
    }

    #[test]
    fn the_end_of_the_input_ends_it() {
        let text = talk(Color::Black, &["e4"], b"");
        assert!(text.contains("Tabiya plays 1. e4"), "{text}");
        assert!(text.ends_with("1... > \n"), "{text}");
    }

    #[test]
    fn odd_input_is_answered() {
        let text = talk(Color::White, &["e4"], b"\xff\xfe\n\n   \nsave\nhint\n");
        assert!(text.contains("neither a move"), "{text}");
        assert!(text.contains("save FILE"), "{text}");
        assert!(text.contains("I would play"), "{text}");
    }
}
