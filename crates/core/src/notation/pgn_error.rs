use crate::notation::ParseSanError;
use core::fmt;

/// A place in a text that is read as a stream.
///
/// ```
/// use tabiya_core::notation::Place;
///
/// let place = Place { offset: 120, line: 7, column: 3 };
/// assert_eq!(place.to_string(), "line 7, column 3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Bytes from the start of the text.
    pub offset: u64,
    /// The line, the first being 1.
    pub line: u64,
    /// The byte in the line, the first being 1.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// What is wrong with a PGN text, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PgnError {
    /// Where the thing that is wrong starts.
    pub place: Place,
    /// What it is.
    pub kind: PgnErrorKind,
}

/// What can be wrong with a PGN text.
///
/// With each goes what the reader does if the visitor wants to
/// read on (`Next::Read`) all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// An opening bracket, but no `[Name "value"]`. The rest of the line is left out.
    MalformedTag,
    /// The value of a tag has no closing quote and bracket on its line. The line is left out.
    UnterminatedTag,
    /// A tag is longer than the reader can hold, which is 32 KiB. The line is left out.
    TagTooLong,
    /// The text, or the game, ends inside a comment. What there is of it is reported, and the game
    /// ends.
    UnterminatedComment,
    /// The game ends inside a variation. Its variations end there.
    UnterminatedVariation,
    /// A closing brace without a comment. It is left out.
    UnexpectedClosingBrace,
    /// A closing parenthesis without a variation. It is left out.
    UnexpectedClosingParenthesis,
    /// A variation before the first move of the line it would vary. It is left out.
    VariationBeforeMove,
    /// A `$` without a number from 0 to 255, or more than two annotation marks. It is left out.
    InvalidNag,
    /// Something that is no part of a game. It is left out.
    UnexpectedText,
    /// A word where a move should be that is not one. Only visitors that ask for the moves find
    /// this.
    InvalidMove(ParseSanError),
    /// The text is in UTF-16. Nothing of it can be read.
    Utf16,
}

impl fmt::Display for PgnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PgnErrorKind::MalformedTag => "a tag must have the form [Name \"value\"]",
            PgnErrorKind::UnterminatedTag => "the tag has no closing \"] on its line",
            PgnErrorKind::TagTooLong => "the tag is longer than 32 KiB",
            PgnErrorKind::UnterminatedComment => "the comment has no closing brace",
            PgnErrorKind::UnterminatedVariation => "the variation has no closing parenthesis",
            PgnErrorKind::UnexpectedClosingBrace => "a closing brace, but no comment is open",
            PgnErrorKind::UnexpectedClosingParenthesis => "a closing parenthesis, but no variation is open",
            PgnErrorKind::VariationBeforeMove => {
                "a variation must stand behind the move it replaces, and there is none"
            }
            PgnErrorKind::InvalidNag => {
                "expected a glyph from $0 to $255, or one of the marks ! ? !! ?? !? ?!"
            }
            PgnErrorKind::UnexpectedText => {
                "expected a move, a comment, a variation, a glyph, a result or a tag"
            }
            PgnErrorKind::InvalidMove(error) => return write!(f, "not a move: {error}"),
            PgnErrorKind::Utf16 => "the text is in UTF-16; convert it to UTF-8 first",
        })
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bad PGN, {}: {}", self.place, self.kind)
    }
}

impl core::error::Error for PgnError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            PgnErrorKind::InvalidMove(error) => Some(error),
            _ => None,
        }
    }
}
