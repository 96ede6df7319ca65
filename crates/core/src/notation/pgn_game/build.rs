//! Reading of [`PgnGame`]s: the visitor that builds them, and the iterator over the games of a text.

use super::{NodeId, PgnGame};
use crate::notation::pgn_reader::comment_text;
use crate::notation::{
    Broken, CommentToken, GameResult, Nag, Next, PgnError, PgnErrorKind, PgnReader, PgnVisitor, San,
    SanToken, TagToken,
};
use core::fmt;
use core::str::FromStr;
use std::io::{self, Read};

/// The maximum number of moves of a game, variations included.
const MAX_MOVES: usize = 1_000_000;

/// The maximum number of errors of a game that are kept.
const MAX_ERRORS: usize = 1_000;

/// The errors of a [`PgnGame`].
pub type BrokenPgnGame = Broken<PgnGame, PgnError>;

/// The error of reading a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadGameError {
    /// The input returned an error.
    Io(io::Error),
    /// The game has PGN errors.
    Broken(BrokenPgnGame),
    /// The text contains no game.
    Empty,
}

impl fmt::Display for ReadGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadGameError::Io(error) => write!(f, "cannot read the games: {error}"),
            ReadGameError::Broken(error) => fmt::Display::fmt(error, f),
            ReadGameError::Empty => f.write_str("the text contains no game"),
        }
    }
}

impl core::error::Error for ReadGameError {}

/// A visitor that builds a [`PgnGame`] from each game.
///
/// [`PgnReader::games`] is the convenient way to use it. Use it directly inside another visitor, for example
/// one that selects games by their tags.
#[derive(Debug)]
pub struct PgnGameBuilder {
    game: PgnGame,
    /// The last move of the current line.
    current: NodeId,
    /// The last moves of the lines that the open variations interrupt.
    interrupted: Vec<NodeId>,
    /// True in a variation whose first move has not been read yet.
    at_start: bool,
    /// The comments before that first move.
    comments_before: Vec<String>,
    /// The beginning of a long comment, which arrives in parts.
    comment: Vec<u8>,
    /// The number of open variations at an invalid move. The rest of that variation is ignored, because it
    /// cannot be connected to the tree.
    broken_depth: Option<usize>,
    errors: Vec<PgnError>,
}

impl PgnGameBuilder {
    /// Creates a builder.
    pub fn new() -> PgnGameBuilder {
        PgnGameBuilder {
            game: PgnGame::empty(),
            current: NodeId::ROOT,
            interrupted: Vec::new(),
            at_start: false,
            comments_before: Vec::new(),
            comment: Vec::new(),
            broken_depth: None,
            errors: Vec::new(),
        }
    }

    /// The part of the game that has been read.
    pub fn game(&self) -> &PgnGame {
        &self.game
    }

    /// The errors so far, in the order of the text.
    pub fn errors(&self) -> &[PgnError] {
        &self.errors
    }

    /// Replaces the SAN of the last move; see [`PgnGame::set_san`].
    pub fn set_san(&mut self, san: San) {
        self.game.set_san(self.current, san);
    }

    /// The last move of the current line; at the start of a line, the node before its first move.
    pub fn current(&self) -> NodeId {
        self.current
    }

    /// Removes the move that [`san`](PgnVisitor::san) has just added, for callers that find it illegal, and
    /// ignores the rest of its line. Returns the value to return to the reader.
    ///
    /// # Panics
    /// Panics if the last call was not a [`san`](PgnVisitor::san) that added a move.
    pub fn reject(&mut self) -> Next {
        let comments = core::mem::take(self.game.comments_before_mut(self.current));
        self.comments_before = comments;
        self.current = self.game.undo_add_move(self.current);
        self.broken_depth = Some(self.interrupted.len());
        if self.interrupted.is_empty() { Next::Skip } else { Next::Read }
    }

    fn add_comment(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        if self.at_start {
            self.comments_before.push(text);
        } else {
            self.game.add_comment(self.current, text);
        }
    }
}

impl Default for PgnGameBuilder {
    fn default() -> PgnGameBuilder {
        PgnGameBuilder::new()
    }
}

impl PgnVisitor for PgnGameBuilder {
    type Output = Result<PgnGame, BrokenPgnGame>;

    fn begin_game(&mut self) {
        *self = PgnGameBuilder::new();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        self.game.tags.set(&tag.name(), &tag.value());
        Next::Read
    }

    fn san(&mut self, san: SanToken<'_>) -> Next {
        if self.broken_depth.is_some() {
            return Next::Read;
        }
        match san.parse() {
            Ok(_) if self.game.nodes.len() > MAX_MOVES => {
                let _ = self.error(san.error(PgnErrorKind::TooManyMoves));
                Next::Skip
            }
            Ok(san) => {
                self.current = self.game.add_move(self.current, san);
                self.game.nodes[self.current.index()].comments_before =
                    core::mem::take(&mut self.comments_before);
                self.at_start = false;
                Next::Read
            }
            Err(error) => {
                self.broken_depth = Some(self.interrupted.len());
                self.error(error)
            }
        }
    }

    fn nag(&mut self, nag: Nag) {
        if self.broken_depth.is_some() {
            return;
        }
        // A glyph alone in a variation, such as the draw offer `(=)`, belongs to the move before it.
        let node = if self.at_start { self.interrupted.last().copied() } else { Some(self.current) };
        self.game.add_nag(node.unwrap_or(self.current), nag);
    }

    fn comment(&mut self, comment: CommentToken<'_>) {
        if self.broken_depth.is_some() {
            return;
        }
        if !comment.continues() && self.comment.is_empty() {
            return self.add_comment(comment.text().into_owned());
        }
        self.comment.extend_from_slice(comment.as_bytes());
        if !comment.continues() {
            let bytes = core::mem::take(&mut self.comment);
            self.add_comment(comment_text(&bytes).into_owned());
        }
    }

    fn begin_variation(&mut self) -> Next {
        let parent = self.game.nodes[self.current.index()].parent;
        // At the root there is no move to replace; the reader reports that as an error itself.
        let (None, Some(parent)) = (self.broken_depth, parent) else { return Next::Skip };
        self.interrupted.push(self.current);
        self.current = parent;
        self.at_start = true;
        Next::Read
    }

    fn end_variation(&mut self) {
        if self.broken_depth == Some(self.interrupted.len()) {
            self.broken_depth = None;
        }
        if let Some(interrupted) = self.interrupted.pop() {
            self.current = interrupted;
        }
        self.at_start = false;
        // Keep the comments of a variation without moves.
        for comment in core::mem::take(&mut self.comments_before) {
            self.game.add_comment(self.current, comment);
        }
    }

    fn result(&mut self, result: GameResult) {
        self.game.result = Some(result);
    }

    fn error(&mut self, error: PgnError) -> Next {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
        match error.kind {
            PgnErrorKind::InvalidMove(_) if self.interrupted.is_empty() => Next::Skip,
            _ => Next::Read,
        }
    }

    fn end_game(&mut self) -> Result<PgnGame, BrokenPgnGame> {
        let game = core::mem::replace(&mut self.game, PgnGame::empty());
        Broken::check(game, core::mem::take(&mut self.errors))
    }
}

/// An iterator over the games of a text, created by [`PgnReader::games`].
#[derive(Debug)]
pub struct PgnGames<'a, R> {
    reader: &'a mut PgnReader<R>,
    builder: PgnGameBuilder,
    failed: bool,
}

impl<R: Read> PgnReader<R> {
    /// Iterates over the remaining games, each with its variations and comments.
    ///
    /// The memory use of a game is proportional to its length in the text, and limited: [`PgnReader`] describes the
    /// limits.
    ///
    /// ```
    /// use tabiya_core::notation::{PgnReader, ReadGameError};
    ///
    /// let text = "1. e4 e5 1-0\n\n[White \"Nobody\"]\n1. e4 Sc6 0-1\n\n[White \"Somebody\"]\n1. d4 *\n";
    /// let mut reader = PgnReader::new(text.as_bytes());
    /// let mut lengths = Vec::new();
    /// for game in reader.games() {
    ///     match game {
    ///         Ok(game) => lengths.push(game.mainline().count()),
    ///         Err(ReadGameError::Broken(broken)) => {
    ///             assert_eq!(broken.game.tag("White"), Some("Nobody"));
    ///             assert!(broken.to_string().starts_with("invalid PGN, line 4, column 7, at \"Sc6\": not a move"));
    ///         }
    ///         Err(error) => return Err(error),
    ///     }
    /// }
    /// assert_eq!(lengths, [2, 1]);
    /// # Ok::<(), ReadGameError>(())
    /// ```
    pub fn games(&mut self) -> PgnGames<'_, R> {
        PgnGames { reader: self, builder: PgnGameBuilder::new(), failed: false }
    }
}

impl<R: Read> Iterator for PgnGames<'_, R> {
    type Item = Result<PgnGame, ReadGameError>;

    /// The next game or its error. An I/O error ends the iteration.
    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        match self.reader.read_game(&mut self.builder) {
            Ok(game) => game.map(|game| game.map_err(ReadGameError::Broken)),
            Err(error) => {
                self.failed = true;
                Some(Err(ReadGameError::Io(error)))
            }
        }
    }
}

/// Parses the first game of the text.
impl FromStr for PgnGame {
    type Err = ReadGameError;

    fn from_str(text: &str) -> Result<PgnGame, ReadGameError> {
        PgnReader::new(text.as_bytes()).games().next().unwrap_or(Err(ReadGameError::Empty))
    }
}
