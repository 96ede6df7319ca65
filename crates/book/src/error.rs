//! Errors of opening and parsing books.

use std::fmt;
use std::io;
use std::path::PathBuf;
use tabiya_core::{EpdError, FenError};
use tabiya_movegen::ResolveSanError;

/// An error of opening or parsing a book.
#[derive(Debug)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be read.
    Io {
        /// The file.
        path: PathBuf,
        /// The underlying I/O error.
        error: io::Error,
    },
    /// The file is neither a Polyglot book (`.bin`) nor text.
    Encoding {
        /// The file.
        path: PathBuf,
    },
    /// The length is not a multiple of 16 bytes, the size of an entry of a Polyglot book.
    Length {
        /// The length in bytes.
        bytes: usize,
    },
    /// A line of a text book is invalid.
    Line(LineError),
    /// The contents of a file are not a valid book.
    Content {
        /// The file.
        path: PathBuf,
        /// The error of the contents.
        error: Box<BookError>,
    },
}

/// An invalid line of a text book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineError {
    /// The line number, from 1.
    pub line: usize,
    /// The kind of error.
    pub kind: LineErrorKind,
}

/// The kind of error in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LineErrorKind {
    /// The position or its operations are invalid.
    Epd(EpdError),
    /// One of the two positions is invalid.
    Fen(FenError),
    /// The line has moves or a tag of a PGN instead of a position. [`TextBook::from_lines`](crate::TextBook::from_lines) reads lines of
    /// moves, and [`PolyglotBuilder`](crate::PolyglotBuilder) makes a book from games.
    Moves,
    /// The reply (`bm`) is missing.
    NoReply,
    /// No legal move leads from the first position to the second.
    NoMove,
    /// A move is illegal, ambiguous or malformed.
    Move {
        /// The move as written.
        text: String,
        /// The error of the move.
        error: ResolveSanError,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Io { path, error } => write!(f, "cannot read the book {}: {error}", path.display()),
            BookError::Encoding { path } => {
                write!(
                    f,
                    "the book {} is not UTF-8 text (Polyglot books have the extension .bin)",
                    path.display()
                )
            }
            BookError::Length { bytes } => {
                write!(f, "invalid Polyglot book: {bytes} bytes (expected a multiple of 16)")
            }
            BookError::Line(error) => error.fmt(f),
            BookError::Content { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the book: ", self.line)?;
        match &self.kind {
            LineErrorKind::Epd(error) => error.fmt(f),
            LineErrorKind::Fen(error) => error.fmt(f),
            LineErrorKind::Moves => f.write_str(
                "moves or PGN (expected a position with the operation bm, or two positions with -> between them)",
            ),
            LineErrorKind::NoReply => f.write_str("no reply (expected the operation bm after the position)"),
            LineErrorKind::NoMove => f.write_str("no legal move leads from the first position to the second"),
            LineErrorKind::Move { text, error } => write!(f, "{text}: {error}"),
        }
    }
}

impl std::error::Error for BookError {}

impl std::error::Error for LineError {}
