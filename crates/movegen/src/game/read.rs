//! Parsing games from PGN text.

use crate::game::Game;
use crate::position::Position;
use crate::replay::{GameVisitor, Replay};
use crate::replay_error::{ReplayError, ReplayErrorKind, ReplayErrors};
use alloc::string::String;
use core::str::FromStr;
use tabiya_core::Move;
use tabiya_core::notation::{Broken, Excerpt, GameResult, Next, PgnErrorKind, PgnReader, TagToken};

/// The errors of a PGN game, with its main line up to the first move that cannot be played.
pub type BrokenGame = Broken<Game, ReplayError>;

/// The maximum number of moves of a game.
const MAX_MOVES: usize = 1_000_000;

/// A visitor that builds a [`Game`] from the main line of each game of a PGN text.
///
/// If a text has errors but neither a tag nor a move, the first error is [`ReplayErrorKind::NoGame`].
///
/// ```
/// use tabiya_core::notation::PgnReader;
/// use tabiya_movegen::{GameBuilder, Replay};
///
/// let text = "1. e4 e5 2. Nf3 (2. f4) 1-0\n\n1. d4 d5 2. e5 *\n";
/// let mut reader = PgnReader::new(text.as_bytes());
/// let mut builder = Replay::new(GameBuilder::new());
///
/// let first = reader.read_game(&mut builder)?.unwrap().unwrap();
/// assert_eq!(first.moves().len(), 3);
/// assert_eq!(first.outcome().unwrap().to_string(), "1-0 (resignation)");
///
/// let broken = reader.read_game(&mut builder)?.unwrap().unwrap_err();
/// assert!(broken.to_string().starts_with("invalid game, line 3, column 13: 2. e5 cannot be played"));
/// assert_eq!(broken.game.moves().len(), 2);
/// assert!(reader.read_game(&mut builder)?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct GameBuilder {
    game: Game,
    result: GameResult,
    termination: Option<String>,
    /// True if the game has a tag.
    has_tags: bool,
    errors: ReplayErrors,
}

impl GameBuilder {
    /// Creates a builder.
    pub fn new() -> GameBuilder {
        GameBuilder::default()
    }
}

impl GameVisitor for GameBuilder {
    type Output = Result<Game, BrokenGame>;

    fn begin_game(&mut self) {
        *self = GameBuilder::new();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        self.has_tags = true;
        match tag.name_bytes() {
            b"Result" => self.result = tag.value().parse().unwrap_or_default(),
            b"Termination" => self.termination = Some(tag.value().into_owned()),
            _ => {}
        }
        Next::Read
    }

    fn start(&mut self, position: &Position) -> Next {
        self.game = Game::from_position(position.clone());
        Next::Read
    }

    fn play(&mut self, _: &Position, mv: Move) -> Next {
        if self.game.moves().len() == MAX_MOVES {
            self.errors.push(ReplayErrorKind::Pgn(PgnErrorKind::TooManyMoves, Excerpt::default()).into());
            return Next::Skip;
        }
        self.game.play_legal(mv);
        Next::Read
    }

    fn result(&mut self, result: GameResult) {
        self.result = result;
    }

    fn error(&mut self, error: ReplayError) -> Next {
        self.errors.push(error);
        Next::Read
    }

    fn end_game(&mut self, _: &Position) -> Self::Output {
        let GameBuilder { mut game, result, termination, has_tags, mut errors } = core::mem::take(self);
        if !has_tags && game.moves().is_empty() {
            errors.report_no_game();
        }
        game.declare_result(result, termination.as_deref());
        Broken::check(game, errors.0)
    }
}

/// Parses the main line of the first game of a PGN text, as [`Game::from_pgn`] does. A text that is a FEN is a game without
/// moves from that position, as in [`Game::from_fen`].
///
/// ```
/// let game: tabiya_movegen::Game = "1. e4 e5 2. Nf3 *".parse()?;
/// assert_eq!(game.position().to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
/// # Ok::<(), tabiya_movegen::BrokenGame>(())
/// ```
///
/// ```
/// let game: tabiya_movegen::Game = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
/// assert_eq!(game.start().to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
/// # Ok::<(), tabiya_movegen::BrokenGame>(())
/// ```
///
/// The error has all moves before the first one that cannot be played:
///
/// ```
/// use tabiya_movegen::Game;
///
/// let broken = "1. e4 $999 e5 } 2. Nf3 (2. f4 *".parse::<Game>().unwrap_err();
/// assert_eq!(broken.errors().count(), 3);
/// assert_eq!(broken.game.moves().len(), 3);
/// ```
impl FromStr for Game {
    type Err = BrokenGame;

    fn from_str(text: &str) -> Result<Game, BrokenGame> {
        if let Some(start) = ReplayError::start_from_fen(text) {
            return start.map(Game::from_position).or_else(|error| Broken::check(Game::new(), [error]));
        }
        let mut builder = Replay::new(GameBuilder::new());
        // Reading from memory does not fail.
        let game = PgnReader::new(text.as_bytes()).read_game(&mut builder).ok().flatten();
        game.unwrap_or_else(|| Broken::check(Game::new(), [ReplayErrorKind::NoGame.into()]))
    }
}
