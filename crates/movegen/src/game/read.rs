//! Parsing games from PGN text.

use crate::game::Game;
use crate::position::Position;
use crate::replay::{GameVisitor, Replay};
use crate::replay_error::{ReplayError, ReplayErrorKind};
use alloc::string::String;
use core::str::FromStr;
use tabiya_core::Move;
use tabiya_core::notation::{GameResult, Next, PgnReader, TagToken};

/// A visitor that builds a [`Game`] from the main line of each game of a PGN text.
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
/// let error = reader.read_game(&mut builder)?.unwrap().unwrap_err();
/// assert!(error.to_string().starts_with("invalid game, line 3, column 13: 2. e5 cannot be played"));
/// assert!(reader.read_game(&mut builder)?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct GameBuilder {
    game: Game,
    result: GameResult,
    termination: Option<String>,
    error: Option<ReplayError>,
}

impl GameBuilder {
    /// Creates a builder.
    pub fn new() -> GameBuilder {
        GameBuilder::default()
    }
}

impl GameVisitor for GameBuilder {
    type Output = Result<Game, ReplayError>;

    fn begin_game(&mut self) {
        *self = GameBuilder::new();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
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
        self.game.play_legal(mv);
        Next::Read
    }

    fn result(&mut self, result: GameResult) {
        self.result = result;
    }

    fn error(&mut self, error: ReplayError) -> Next {
        self.error.get_or_insert(error);
        Next::Skip
    }

    fn end_game(&mut self, _: &Position) -> Self::Output {
        let GameBuilder { mut game, result, termination, error } = core::mem::take(self);
        game.declare_pgn_result(result, termination.as_deref());
        error.map_or(Ok(game), Err)
    }
}

/// Parses the main line of the first game of a PGN text, as [`Game::from_pgn`] does.
///
/// ```
/// let game: tabiya_movegen::Game = "1. e4 e5 2. Nf3 *".parse()?;
/// assert_eq!(game.position().to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
/// # Ok::<(), tabiya_movegen::ReplayError>(())
/// ```
impl FromStr for Game {
    type Err = ReplayError;

    fn from_str(text: &str) -> Result<Game, ReplayError> {
        let mut builder = Replay::new(GameBuilder::new());
        // Reading from memory does not fail.
        let game = PgnReader::new(text.as_bytes()).read_game(&mut builder).ok().flatten();
        game.unwrap_or(Err(ReplayError { location: None, kind: ReplayErrorKind::NoGame }))
    }
}
