use super::source::Window;
use super::text::{comment_text, decode};
use super::{PgnError, PgnErrorKind, Place};
use crate::notation::{GameResult, Nag, San};
use crate::quoting::unescape;
use alloc::borrow::Cow;
use core::fmt;

/// What a [`PgnVisitor`] wants of the thing that has just been announced to it, and of the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Next {
    /// Read on.
    Read,
    /// Leave it out.
    Skip,
}

/// Receives what stands in a PGN text, in the order in which it stands there.
///
/// For each game the reader calls [`begin_game`](PgnVisitor::begin_game), then
/// [`tag`](PgnVisitor::tag) for each tag, then [`end_tags`](PgnVisitor::end_tags), then the methods
/// for moves and what stands between them, and at last [`end_game`](PgnVisitor::end_game), whose
/// value [`PgnReader::read_game`](super::PgnReader::read_game) returns. A comment may come before
/// the tags.
///
/// All methods but two have a default that does nothing; the default for variations leaves them
/// out, so that a visitor that does not know of them sees the moves that were played.
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
    /// What is made of a game.
    type Output;

    /// A game begins.
    fn begin_game(&mut self) {}

    /// A tag. [`Next::Skip`] leaves the rest of the game out.
    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        let _ = tag;
        Next::Read
    }

    /// The tags are over. [`Next::Skip`] leaves the rest of the game out.
    fn end_tags(&mut self) -> Next {
        Next::Read
    }

    /// A word where a move should be. [`Next::Skip`] leaves the rest of the game out.
    fn san(&mut self, san: SanToken<'_>) -> Next {
        let _ = san;
        Next::Read
    }

    /// A glyph, or annotation marks such as `!?`, about the last move.
    fn nag(&mut self, nag: Nag) {
        let _ = nag;
    }

    /// A comment, in braces or from a semicolon to the end of the line.
    fn comment(&mut self, comment: CommentToken<'_>) {
        let _ = comment;
    }

    /// A variation begins: a line that replaces the last move. [`Next::Skip`] leaves it out, and
    /// then [`end_variation`](PgnVisitor::end_variation) is not called for it.
    fn begin_variation(&mut self) -> Next {
        Next::Skip
    }

    /// A variation ends. In each game this is called as often as
    /// [`begin_variation`](PgnVisitor::begin_variation) returned [`Next::Read`], unless the rest of
    /// the game was left out.
    fn end_variation(&mut self) {}

    /// The result at the end of the moves. It may be missing.
    fn result(&mut self, result: GameResult) {
        let _ = result;
    }

    /// Something is wrong. [`Next::Skip`] leaves the rest of the game out; [`PgnErrorKind`] says
    /// what [`Next::Read`] does.
    fn error(&mut self, error: PgnError) -> Next;

    /// The game is over, or what followed was left out.
    fn end_game(&mut self) -> Self::Output;
}

/// A visitor that wants nothing: what reads over the parts that are left out.
pub(super) struct Silent;

impl PgnVisitor for Silent {
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

/// Where a token stands in the text.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a> {
    pub(super) window: &'a Window<'a>,
    pub(super) at: usize,
}

impl Origin<'_> {
    fn place(self) -> Place {
        self.window.place(self.at)
    }
}

/// A word where a move should be: a run of letters, digits and signs that starts with a letter, or
/// one of the forms of castling and of the null move.
#[derive(Clone, Copy)]
pub struct SanToken<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) origin: Origin<'a>,
}

impl<'a> SanToken<'a> {
    /// The word as it stands in the text, without the annotation marks behind it. It has at most
    /// 255 bytes.
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The move.
    ///
    /// # Errors
    /// [`PgnErrorKind::InvalidMove`], with its place.
    #[inline]
    pub fn parse(&self) -> Result<San, PgnError> {
        San::from_bytes(self.bytes)
            .map_err(|error| PgnError { place: self.place(), kind: PgnErrorKind::InvalidMove(error) })
    }

    /// Where the word starts. This counts lines: it is meant for error messages.
    #[cold]
    pub fn place(&self) -> Place {
        self.origin.place()
    }
}

/// The word itself.
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
    /// The name.
    pub fn name(&self) -> Cow<'a, str> {
        decode(self.name)
    }

    /// The value, without the backslashes that quotes and backslashes in it are written with. A
    /// value that is not UTF-8 is read as Latin-1.
    pub fn value(&self) -> Cow<'a, str> {
        unescape(decode(self.value))
    }

    /// The name as it stands in the text.
    #[inline]
    pub fn name_bytes(&self) -> &'a [u8] {
        self.name
    }

    /// The value as it stands between the quotes.
    #[inline]
    pub fn value_bytes(&self) -> &'a [u8] {
        self.value
    }

    /// Where the tag starts. This counts lines: it is meant for error messages.
    #[cold]
    pub fn place(&self) -> Place {
        self.origin.place()
    }
}

impl fmt::Debug for TagToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TagToken({} {:?})", self.name(), self.value())
    }
}

/// A comment, or a piece of one that is very long.
#[derive(Clone, Copy)]
pub struct CommentToken<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) continues: bool,
    pub(super) origin: Origin<'a>,
}

impl<'a> CommentToken<'a> {
    /// The text, without the blanks at its ends, on one line: a line break and the blanks around it
    /// become one blank. Text that is not UTF-8 is read as Latin-1.
    pub fn text(&self) -> Cow<'a, str> {
        comment_text(self.bytes)
    }

    /// What stands between the braces.
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Does the comment go on in the next call? Only comments of more than 32 KiB come in pieces.
    #[inline]
    pub fn continues(&self) -> bool {
        self.continues
    }

    /// Where the comment, or this piece of it, starts. This counts lines: it is meant for error
    /// messages.
    #[cold]
    pub fn place(&self) -> Place {
        self.origin.place()
    }
}

impl fmt::Debug for CommentToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CommentToken({:?})", decode(self.bytes))
    }
}
