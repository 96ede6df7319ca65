use super::{NodeId, PgnGame};
use crate::notation::pgn_reader::comment_text;
use crate::notation::{
    CommentToken, GameResult, Nag, Next, PgnError, PgnErrorKind, PgnReader, PgnVisitor, San, SanToken,
    TagToken,
};
use core::fmt;
use core::str::FromStr;
use std::io::{self, Read};

/// A game with something wrong in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenGame {
    /// The first thing that is wrong.
    pub error: PgnError,
    /// What could be read. After a word that is no move nothing more is read of the line it stands
    /// in; other errors only lose what is wrong itself.
    pub game: PgnGame,
}

impl fmt::Display for BrokenGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

impl core::error::Error for BrokenGame {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Why there is no whole game.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadGameError {
    /// The input failed.
    Io(io::Error),
    /// Something is wrong with the game.
    Broken(BrokenGame),
    /// There is no game in the text.
    Empty,
}

impl fmt::Display for ReadGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadGameError::Io(error) => write!(f, "cannot read the games: {error}"),
            ReadGameError::Broken(error) => fmt::Display::fmt(error, f),
            ReadGameError::Empty => f.write_str("there is no game in the text"),
        }
    }
}

impl core::error::Error for ReadGameError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ReadGameError::Io(error) => Some(error),
            ReadGameError::Broken(error) => Some(error),
            ReadGameError::Empty => None,
        }
    }
}

/// The visitor that makes a [`PgnGame`] of each game.
///
/// [`PgnReader::games`] is the easy way to use it. By itself it serves who wants only some of the
/// games, as part of a visitor that decides which.
#[derive(Debug)]
pub struct PgnGameBuilder {
    game: PgnGame,
    /// The last move of the line that is being read.
    current: NodeId,
    /// The last moves of the lines that variations have interrupted.
    interrupted: Vec<NodeId>,
    /// Nothing has been read of this variation yet but comments.
    at_start: bool,
    comments_before: Vec<String>,
    /// The beginning of a comment that comes in pieces.
    comment: Vec<u8>,
    /// How many variations were open when a word turned out to be no move: what follows in that
    /// variation means nothing.
    lost: Option<usize>,
    error: Option<PgnError>,
}

impl PgnGameBuilder {
    /// A builder that waits for a game.
    pub fn new() -> PgnGameBuilder {
        PgnGameBuilder {
            game: PgnGame::empty(),
            current: NodeId::ROOT,
            interrupted: Vec::new(),
            at_start: false,
            comments_before: Vec::new(),
            comment: Vec::new(),
            lost: None,
            error: None,
        }
    }

    /// What has been read of the game.
    pub fn game(&self) -> &PgnGame {
        &self.game
    }

    /// Writes the last move in another way: see [`PgnGame::set_san`].
    pub fn set_san(&mut self, san: San) {
        self.game.set_san(self.current, san);
    }

    /// The last move of the line that is being read; where a line begins, the node it begins at.
    pub fn current(&self) -> NodeId {
        self.current
    }

    /// Takes back the move that [`san`](PgnVisitor::san) has just added, for someone who knows that
    /// it cannot be played, and leaves out the rest of its line. Returns what to tell the reader.
    ///
    /// # Panics
    /// If no move has been added, or something since.
    pub fn reject(&mut self) -> Next {
        let comments = core::mem::take(self.game.comments_before_mut(self.current));
        self.comments_before = comments;
        self.current = self.game.take_back(self.current);
        self.lost = Some(self.interrupted.len());
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
    type Output = Result<PgnGame, BrokenGame>;

    fn begin_game(&mut self) {
        *self = PgnGameBuilder::new();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        self.game.set_tag(&tag.name(), &tag.value());
        Next::Read
    }

    fn san(&mut self, san: SanToken<'_>) -> Next {
        if self.lost.is_some() {
            return Next::Read;
        }
        match san.parse() {
            Ok(san) => {
                self.current = self.game.add_move(self.current, san);
                self.game.nodes[self.current.index()].comments_before =
                    core::mem::take(&mut self.comments_before);
                self.at_start = false;
                Next::Read
            }
            Err(error) => {
                self.lost = Some(self.interrupted.len());
                self.error(error)
            }
        }
    }

    fn nag(&mut self, nag: Nag) {
        if self.lost.is_some() {
            return;
        }
        // A glyph alone in a variation, as the draw offer `(=)`, is about the move before it.
        let node = if self.at_start { self.interrupted.last().copied() } else { Some(self.current) };
        self.game.add_nag(node.unwrap_or(self.current), nag);
    }

    fn comment(&mut self, comment: CommentToken<'_>) {
        if self.lost.is_some() {
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
        // The root has no move that could be varied; the reader does not let it come to that.
        let (None, Some(parent)) = (self.lost, parent) else { return Next::Skip };
        self.interrupted.push(self.current);
        self.current = parent;
        self.at_start = true;
        Next::Read
    }

    fn end_variation(&mut self) {
        if self.lost == Some(self.interrupted.len()) {
            self.lost = None;
        }
        if let Some(interrupted) = self.interrupted.pop() {
            self.current = interrupted;
        }
        self.at_start = false;
        // Of a variation without a move only its comments are left.
        for comment in core::mem::take(&mut self.comments_before) {
            self.game.add_comment(self.current, comment);
        }
    }

    fn result(&mut self, result: GameResult) {
        self.game.result = Some(result);
    }

    fn error(&mut self, error: PgnError) -> Next {
        self.error.get_or_insert(error);
        match error.kind {
            PgnErrorKind::InvalidMove(_) if self.interrupted.is_empty() => Next::Skip,
            _ => Next::Read,
        }
    }

    fn end_game(&mut self) -> Result<PgnGame, BrokenGame> {
        let game = core::mem::replace(&mut self.game, PgnGame::empty());
        match self.error {
            Some(error) => Err(BrokenGame { error, game }),
            None => Ok(game),
        }
    }
}

/// An iterator over the games of a text. See [`PgnReader::games`].
#[derive(Debug)]
pub struct PgnGames<'a, R> {
    reader: &'a mut PgnReader<R>,
    builder: PgnGameBuilder,
    failed: bool,
}

impl<R: Read> PgnReader<R> {
    /// The games that are left, each as a whole with its variations and comments.
    ///
    /// A game takes memory in proportion to its length in the text.
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
    ///             assert!(broken.to_string().starts_with("bad PGN, line 4, column 7: not a move"));
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

    /// The next game, or why there is none. After an error of the input nothing follows.
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

/// Reads the first game of a text.
impl FromStr for PgnGame {
    type Err = ReadGameError;

    fn from_str(text: &str) -> Result<PgnGame, ReadGameError> {
        PgnReader::new(text.as_bytes()).games().next().unwrap_or(Err(ReadGameError::Empty))
    }
}
