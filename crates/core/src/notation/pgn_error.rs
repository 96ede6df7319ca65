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
    /// The kind of error.
    pub kind: PgnErrorKind,
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
    /// Text that is not part of the PGN syntax. It is skipped.
    UnexpectedText,
    /// A word where a move is expected is not a move. Returned by `SanToken::parse`, so only visitors that
    /// parse the moves get this error.
    InvalidMove(ParseSanError),
    /// The text is encoded in UTF-16 and cannot be read.
    Utf16,
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
            PgnErrorKind::Utf16 => "the text is in UTF-16; convert it to UTF-8 first",
        })
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid PGN, {}: {}", self.location, self.kind)
    }
}

impl core::error::Error for PgnError {}
