//! Errors in PGN text and their locations.

use crate::notation::ParseSanError;
use core::fmt;

/// A location in a PGN text.
///
/// ```
/// use tabiya_core::notation::Location;
///
/// let location = Location { offset: 120, line: 7, column: 3 };
/// assert_eq!(location.to_string(), "line 7, column 3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Location {
    /// The offset in bytes from the start of the text.
    pub offset: u64,
    /// The line number, starting at 1.
    pub line: u64,
    /// The column in bytes, starting at 1.
    pub column: u64,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// An error in a PGN text, with its location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PgnError {
    /// The start of the invalid element.
    pub location: Location,
    /// The invalid element, or its beginning.
    pub token: Excerpt,
    /// The kind of error.
    pub kind: PgnErrorKind,
}

/// The beginning of a token, without control characters: at most 20 bytes of UTF-8. It is displayed with an ellipsis if
/// it has been cut.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Excerpt {
    bytes: [u8; Excerpt::CAPACITY],
    len: u8,
    is_cut: bool,
}

impl Excerpt {
    const CAPACITY: usize = 20;

    /// The beginning of this token, decoded as the reader decodes names and comments.
    #[cfg(feature = "std")]
    pub(super) fn of(token: &[u8]) -> Excerpt {
        // Not more than this, because the reader may not have read the rest of a long token yet.
        let head = &token[..token.len().min(2 * Excerpt::CAPACITY)];
        let head = match core::str::from_utf8(head) {
            // The cut may be inside a character.
            Err(error) if error.error_len().is_none() && head.len() < token.len() => {
                &head[..error.valid_up_to()]
            }
            _ => head,
        };
        let mut excerpt = Excerpt { is_cut: head.len() < token.len(), ..Excerpt::default() };
        for c in super::decode(head).chars() {
            let c = if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
            let start = usize::from(excerpt.len);
            let Some(room) = excerpt.bytes.get_mut(start..start + c.len_utf8()) else {
                excerpt.is_cut = true;
                break;
            };
            excerpt.len += c.encode_utf8(room).len() as u8;
        }
        excerpt
    }

    /// The text, without an ellipsis.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.as_str(), if self.is_cut { "…" } else { "" })
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

/// The kind of a [`PgnError`].
///
/// Each variant describes how the reader continues if the visitor returns `Next::Read`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// An opening bracket does not start a tag `[Name "value"]`. The rest of the line is skipped.
    MalformedTag,
    /// The value of a tag has no closing quote and bracket on its line. The line is skipped.
    UnterminatedTag,
    /// A tag is longer than the reader's limit of 32 KiB. The line is skipped.
    TagTooLong,
    /// A game has more than 1,000 tags. The further ones are skipped; the error is reported once.
    TooManyTags,
    /// A game has more than 1,000,000 moves, variations included. The rest of its moves is skipped. Returned by
    /// builders of games in memory; the reader itself has no such limit.
    TooManyMoves,
    /// The text or the game ends inside a comment. The comment so far is reported, and the game ends.
    UnterminatedComment,
    /// The game ends inside a variation. The open variations end there.
    UnterminatedVariation,
    /// A closing brace outside a comment. It is skipped.
    UnexpectedClosingBrace,
    /// A closing parenthesis outside a variation. It is skipped.
    UnexpectedClosingParenthesis,
    /// A variation before the first move of its line. It is skipped.
    VariationBeforeMove,
    /// A `$` without a number from 0 to 255, or more than two annotation marks. It is skipped.
    InvalidNag,
    /// A move number other than 1 follows the result directly or on the next line. The moves are read as part of the
    /// same game, and the last result counts.
    MovesAfterResult,
    /// Text that is not part of the PGN syntax, text after the result on its line, or a word that cannot be a move because it contains no
    /// square. It is skipped.
    UnexpectedText,
    /// A word that contains a square is not a move. Its line cannot be continued: a variation ends there, the main line
    /// with the game. Returned by `SanToken::parse`, so only visitors that parse the moves get this error.
    InvalidMove(ParseSanError),
}

impl fmt::Display for PgnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PgnErrorKind::MalformedTag => "a tag must have the form [Name \"value\"]",
            PgnErrorKind::UnterminatedTag => "the tag has no closing \"] on its line",
            PgnErrorKind::TagTooLong => "the tag is longer than 32 KiB",
            PgnErrorKind::TooManyTags => "a game has more than 1,000 tags",
            PgnErrorKind::TooManyMoves => "a game has more than 1,000,000 moves, variations included",
            PgnErrorKind::UnterminatedComment => "the comment has no closing brace",
            PgnErrorKind::UnterminatedVariation => "the variation has no closing parenthesis",
            PgnErrorKind::UnexpectedClosingBrace => "closing brace, but no comment is open",
            PgnErrorKind::UnexpectedClosingParenthesis => "closing parenthesis, but no variation is open",
            PgnErrorKind::VariationBeforeMove => "a variation must follow the move that it replaces",
            PgnErrorKind::InvalidNag => {
                "invalid glyph (expected $0 to $255, or one of the marks ! ? !! ?? !? ?!)"
            }
            PgnErrorKind::MovesAfterResult => "moves follow the result of the game",
            PgnErrorKind::UnexpectedText => {
                "unexpected text (expected a move, a comment, a variation, a glyph, a result or a tag)"
            }
            PgnErrorKind::InvalidMove(error) => return write!(f, "not a move: {error}"),
        })
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid PGN, {}, at {:?}: {}", self.location, self.token, self.kind)
    }
}

impl core::error::Error for PgnError {}
