//! Parsing game trees from PGN text, and writing them.

use super::{GameTree, Ply, resolve};
use crate::game::set_start_tags;
use crate::position::Position;
use crate::replay::StartTags;
use crate::replay_error::{ReplayError, ReplayErrorKind, ReplayErrors, begins_fen};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use tabiya_core::notation::{
    Broken, BrokenPgnGame, CommentToken, GameResult, Nag, Next, PgnError, PgnGameBuilder, PgnReader,
    PgnVisitor, SanToken, TagToken,
};

/// The errors of parsing a [`GameTree`], with all lines of the game, each up to its first illegal move.
pub type BrokenGameTree = Broken<GameTree, ReplayError>;

/// A visitor that builds a [`GameTree`] from each game of a PGN text.
///
/// If a text has errors but neither a tag nor a move, the first error is [`ReplayErrorKind::NoGame`].
///
/// ```
/// use tabiya_core::notation::PgnReader;
/// use tabiya_movegen::GameTreeBuilder;
///
/// let text = "[Round \"1\"]\n1. e4 e5 (1... d5 2. e5 Bb4) 2. Nf3 *\n\n[Round \"2\"]\n1. d4 d5 *\n";
/// let mut reader = PgnReader::new(text.as_bytes());
/// let mut builder = GameTreeBuilder::new();
/// let mut lengths = Vec::new();
/// while let Some(game) = reader.read_game(&mut builder)? {
///     match game {
///         Ok(tree) => lengths.push(tree.mainline().count()),
///         Err(broken) => {
///             assert!(broken.to_string().starts_with("invalid game, line 2, column 25: 2... Bb4 cannot be"));
///             lengths.push(broken.game.mainline().count());
///         }
///     }
/// }
/// assert_eq!(lengths, [3, 2]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct GameTreeBuilder {
    pgn: PgnGameBuilder,
    plies: Vec<Ply>,
    start: StartTags,
    errors: ReplayErrors,
}

impl GameTreeBuilder {
    /// Creates a builder.
    pub fn new() -> GameTreeBuilder {
        let root = Ply { mv: None, position: Position::startpos() };
        GameTreeBuilder {
            pgn: PgnGameBuilder::new(),
            plies: vec![root],
            start: StartTags::default(),
            errors: ReplayErrors::default(),
        }
    }

    /// Returns true if the game has neither a tag nor a move.
    fn is_empty(&self) -> bool {
        self.plies.len() == 1 && self.pgn.game().tags().next().is_none()
    }
}

impl Default for GameTreeBuilder {
    fn default() -> GameTreeBuilder {
        GameTreeBuilder::new()
    }
}

impl PgnVisitor for GameTreeBuilder {
    type Output = Result<GameTree, BrokenGameTree>;

    fn begin_game(&mut self) {
        *self = GameTreeBuilder::new();
        self.pgn.begin_game();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        self.start.read(tag);
        self.pgn.tag(tag)
    }

    fn end_tags(&mut self) -> Next {
        match core::mem::take(&mut self.start).finish() {
            Ok(None) => {}
            Ok(Some(start)) => {
                self.plies[0].position = start.position;
                start.dropped.into_iter().for_each(|error| self.errors.push(error));
            }
            Err(error) => {
                self.errors.push(error.followed_by(Next::Skip));
                return Next::Skip;
            }
        }
        self.pgn.end_tags()
    }

    fn san(&mut self, token: SanToken<'_>) -> Next {
        let (before, errors) = (self.pgn.current(), self.pgn.errors().len());
        let next = self.pgn.san(token);
        let added = self.pgn.current();
        if added == before {
            // The token is not a move, there are too many moves, or its line was rejected before.
            for &error in &self.pgn.errors()[errors..] {
                self.errors.push(ReplayError::from(error).followed_by(next));
            }
            return next;
        }
        let Some(san) = self.pgn.game().node(added).and_then(|node| node.san()) else { return next };
        let position = &self.plies[before.index()].position;
        match resolve(position, san) {
            Ok((ply, san)) => {
                self.pgn.set_san(san);
                self.plies.push(ply);
                next
            }
            Err(error) => {
                let error = ReplayError::illegal(position, san, error).at(token.location());
                let next = self.pgn.reject();
                self.errors.push(error.followed_by(next));
                next
            }
        }
    }

    fn nag(&mut self, nag: Nag) {
        self.pgn.nag(nag);
    }

    fn comment(&mut self, comment: CommentToken<'_>) {
        self.pgn.comment(comment);
    }

    fn begin_variation(&mut self) -> Next {
        self.pgn.begin_variation()
    }

    fn end_variation(&mut self) {
        self.pgn.end_variation();
    }

    fn result(&mut self, result: GameResult) {
        self.pgn.result(result);
    }

    fn error(&mut self, error: PgnError) -> Next {
        let is_fen = self.plies.len() == 1 && begins_fen(&error);
        let next = if is_fen { Next::Skip } else { self.pgn.error(error) };
        self.errors.push(ReplayError::from(error).followed_by(next));
        next
    }

    fn end_game(&mut self) -> Self::Output {
        let is_empty = self.is_empty();
        let GameTreeBuilder { mut pgn, plies, mut errors, .. } = core::mem::take(self);
        if is_empty {
            errors.report_no_game();
        }
        let mut pgn = pgn.end_game().unwrap_or_else(|BrokenPgnGame { game, .. }| *game);
        set_start_tags(&plies[0].position, &mut pgn);
        Broken::check(GameTree { pgn, plies }, errors.0)
    }
}

/// Parses the first game of a text. A text that is a FEN is a game without moves from that position.
impl FromStr for GameTree {
    type Err = BrokenGameTree;

    fn from_str(text: &str) -> Result<GameTree, BrokenGameTree> {
        if let Some(start) = ReplayError::start_from_fen(text) {
            return start
                .map(GameTree::from_position)
                .or_else(|error| Broken::check(GameTree::new(), [error]));
        }
        // Reading from memory does not fail.
        let game = PgnReader::new(text.as_bytes()).read_game(&mut GameTreeBuilder::new()).ok().flatten();
        game.unwrap_or_else(|| Broken::check(GameTree::new(), [ReplayErrorKind::NoGame.into()]))
    }
}

/// Writes the PGN export format; see [`PgnGame`](tabiya_core::notation::PgnGame).
impl fmt::Display for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.pgn, f)
    }
}
