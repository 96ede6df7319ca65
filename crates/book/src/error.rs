use std::fmt;
use std::io;
use std::path::PathBuf;
use tabiya_core::{EpdError, FenError};
use tabiya_movegen::ResolveSanError;

/// Why something is not a book.
#[derive(Debug)]
pub enum BookError {
    /// The file cannot be read.
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
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
    /// A line of a text cannot be understood.
    Line(LineProblem),
    /// What is in a file is no book.
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<BookError>,
    },
}

/// A line of a text that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineProblem {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: TextProblem,
}

/// What can be wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextProblem {
    /// The position, with its moves, cannot be read.
    Epd(EpdError),
    /// One of the two positions cannot be read.
    Fen(FenError),
    /// There is no reply (`bm`).
    NoReply,
    /// No legal move leads from the first position to the second.
    NoMove,
    /// A move cannot be played.
    Move {
        /// The move.
        text: String,
        /// Why not.
        error: ResolveSanError,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Io { path, error } => write!(f, "the book {} cannot be read: {error}", path.display()),
            BookError::Encoding { path } => {
                write!(f, "the book {} is no text; Polyglot books end in .bin", path.display())
            }
            BookError::Length { bytes } => {
                write!(f, "{bytes} bytes are no Polyglot book: its entries have 16 bytes each")
            }
            BookError::Line(problem) => problem.fmt(f),
            BookError::Content { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the book: ", self.line)?;
        match &self.problem {
            TextProblem::Epd(error) => error.fmt(f),
            TextProblem::Fen(error) => error.fmt(f),
            TextProblem::NoReply => {
                f.write_str("there is no reply: expected bm and moves behind the position")
            }
            TextProblem::NoMove => f.write_str("no legal move leads from the first position to the second"),
            TextProblem::Move { text, error } => write!(f, "{text}: {error}"),
        }
    }
}

impl std::error::Error for BookError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BookError::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}
