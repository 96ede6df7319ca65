//! [`PgnVisitor`] and the tokens it receives.

use super::source::Window;
use super::text::comment_text;
use super::{Excerpt, Location, PgnError, PgnErrorKind};
use crate::notation::{GameResult, Nag, San, decode};
use crate::quoting::unescape;
use alloc::borrow::Cow;
use core::fmt;

/// The return value of a [`PgnVisitor`] method: continue reading, or skip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Next {
    /// Continue reading.
    Read,
    /// Skip the variation or the rest of the game, depending on the method that returns it.
    Skip,
}

/// A receiver of the elements of a PGN text, in the order of the text.
///
/// For each game, the reader calls [`begin_game`](PgnVisitor::begin_game), then [`tag`](PgnVisitor::tag) for
/// each tag, then [`end_tags`](PgnVisitor::end_tags), then the methods for the elements of the movetext, and
/// finally [`end_game`](PgnVisitor::end_game), whose value
/// [`PgnReader::read_game`](super::PgnReader::read_game) returns. Comments may also precede the tags.
///
/// All methods except [`error`](PgnVisitor::error) and [`end_game`](PgnVisitor::end_game) have defaults
/// that do nothing. The default for variations skips them, so that a visitor that ignores variations sees
/// only the main line.
///
/// ```
/// use tabiya_core::notation::{Next, PgnError, PgnReader, PgnVisitor, SanToken};
///
/// /// Counts the moves of the games that Black won.
/// struct BlackWins(usize);
///
/// impl PgnVisitor for BlackWins {
///     type Output = usize;
///
///     fn begin_game(&mut self) {
///         self.0 = 0;
///     }
///
///     fn tag(&mut self, tag: tabiya_core::notation::TagToken<'_>) -> Next {
///         if tag.name() == "Result" && tag.value() != "0-1" { Next::Skip } else { Next::Read }
///     }
///
///     fn san(&mut self, _: SanToken<'_>) -> Next {
///         self.0 += 1;
///         Next::Read
///     }
///
///     fn error(&mut self, error: PgnError) -> Next {
///         eprintln!("{error}");
///         Next::Skip
///     }
///
///     fn end_game(&mut self) -> usize {
///         self.0
///     }
/// }
///
/// let text = "[Result \"1-0\"]\n1. e4 1-0\n\n[Result \"0-1\"]\n1. f3 e5 2. g4 (2. e4) 2... Qh4# 0-1\n";
/// let mut reader = PgnReader::new(text.as_bytes());
/// let mut visitor = BlackWins(0);
/// assert_eq!(reader.read_game(&mut visitor)?, Some(0));
/// assert_eq!(reader.read_game(&mut visitor)?, Some(4));
/// assert_eq!(reader.read_game(&mut visitor)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait PgnVisitor {
    /// The value produced from each game.
    type Output;

    /// Called at the start of a game.
    fn begin_game(&mut self) {}

    /// Called for each tag. [`Next::Skip`] skips the rest of the game.
    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        let _ = tag;
        Next::Read
    }

    /// Called after the last tag. [`Next::Skip`] skips the rest of the game.
    fn end_tags(&mut self) -> Next {
        Next::Read
    }

    /// Called for each word where a move is expected. [`Next::Skip`] skips the rest of the game.
    fn san(&mut self, san: SanToken<'_>) -> Next {
        let _ = san;
        Next::Read
    }

    /// Called for each glyph or annotation mark such as `!?`, which refers to the last move.
    fn nag(&mut self, nag: Nag) {
        let _ = nag;
    }

    /// Called for each comment, in braces or from a semicolon to the end of the line.
    fn comment(&mut self, comment: CommentToken<'_>) {
        let _ = comment;
    }

    /// Called at the start of a variation, which is an alternative to the last move. [`Next::Skip`] skips it,
    /// and [`end_variation`](PgnVisitor::end_variation) is not called for it.
    fn begin_variation(&mut self) -> Next {
        Next::Skip
    }

    /// Called at the end of a variation: once for every [`begin_variation`](PgnVisitor::begin_variation) that
    /// returned [`Next::Read`], unless the rest of the game was skipped.
    fn end_variation(&mut self) {}

    /// Called for the result at the end of the movetext, if there is one. If more results follow, the last one counts.
    fn result(&mut self, result: GameResult) {
        let _ = result;
    }

    /// Called for each error. [`Next::Skip`] skips the rest of the game; [`PgnErrorKind`] describes the
    /// effect of [`Next::Read`].
    fn error(&mut self, error: PgnError) -> Next;

    /// Called at the end of a game, even if the rest of it was skipped.
    fn end_game(&mut self) -> Self::Output;
}

/// A visitor that ignores everything, used to skip parts of the text.
pub(super) struct NullVisitor;

impl PgnVisitor for NullVisitor {
    type Output = ();

    #[inline]
    fn begin_variation(&mut self) -> Next {
        Next::Read
    }

    #[inline]
    fn error(&mut self, _: PgnError) -> Next {
        Next::Read
    }

    #[inline]
    fn end_game(&mut self) {}
}

/// The position of a token, from which its location is computed on demand.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a> {
    pub(super) window: &'a Window<'a>,
    pub(super) at: usize,
}

impl Origin<'_> {
    fn location(self) -> Location {
        self.window.location(self.at)
    }
}

/// A word where a move is expected: a move in any form that [`San`] parses, or another word that contains a square.
#[derive(Clone, Copy)]
pub struct SanToken<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) origin: Origin<'a>,
}

impl<'a> SanToken<'a> {
    /// The bytes of the word, at most 255, without the annotation marks after it.
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Parses the move.
    ///
    /// # Errors
    /// Returns [`PgnErrorKind::InvalidMove`] with its location.
    #[inline]
    pub fn parse(&self) -> Result<San, PgnError> {
        San::from_bytes(self.bytes).map_err(|error| self.error(PgnErrorKind::InvalidMove(error)))
    }

    /// An error about this word.
    #[cold]
    pub fn error(&self, kind: PgnErrorKind) -> PgnError {
        PgnError { location: self.location(), token: Excerpt::of(self.bytes), kind }
    }

    /// The location of the word. Slow, because it counts lines: intended for error messages.
    #[cold]
    pub fn location(&self) -> Location {
        self.origin.location()
    }
}

/// Writes the word.
impl fmt::Display for SanToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&decode(self.bytes))
    }
}

impl fmt::Debug for SanToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SanToken({:?})", decode(self.bytes))
    }
}

/// A tag: `[Name "value"]`.
#[derive(Clone, Copy)]
pub struct TagToken<'a> {
    pub(super) name: &'a [u8],
    pub(super) value: &'a [u8],
    pub(super) origin: Origin<'a>,
}

impl<'a> TagToken<'a> {
    /// The name of the tag.
    pub fn name(&self) -> Cow<'a, str> {
        decode(self.name)
    }

    /// The value of the tag, unescaped. A value that is not valid UTF-8 is decoded as Windows-1252.
    pub fn value(&self) -> Cow<'a, str> {
        unescape(decode(self.value))
    }

    /// The bytes of the name.
    #[inline]
    pub fn name_bytes(&self) -> &'a [u8] {
        self.name
    }

    /// The bytes of the value as they are in the text, with its escapes. For texts in a character set that the reader does
    /// not know.
    #[inline]
    pub fn value_bytes(&self) -> &'a [u8] {
        self.value
    }

    /// The location of the tag. Slow, because it counts lines: intended for error messages.
    #[cold]
    pub fn location(&self) -> Location {
        self.origin.location()
    }
}

impl fmt::Debug for TagToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TagToken({} {:?})", self.name(), self.value())
    }
}

/// A comment, or a part of a very long one.
#[derive(Clone, Copy)]
pub struct CommentToken<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) continues: bool,
    pub(super) origin: Origin<'a>,
}

impl<'a> CommentToken<'a> {
    /// The text: the ends are trimmed, and a line break and the white space around it become one space. An empty line
    /// becomes a line break. Text that is not valid UTF-8 is decoded as Windows-1252.
    pub fn text(&self) -> Cow<'a, str> {
        comment_text(self.bytes)
    }

    /// The bytes of the comment, without its braces or semicolon.
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// True if the comment continues in the next call. Only comments of more than 32 KiB are split.
    #[inline]
    pub fn continues(&self) -> bool {
        self.continues
    }

    /// The location of the comment or of this part. Slow, because it counts lines: intended for error messages.
    #[cold]
    pub fn location(&self) -> Location {
        self.origin.location()
    }
}

impl fmt::Debug for CommentToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CommentToken({:?})", decode(self.bytes))
    }
}
