//! What can be wrong with tablebases, and with one of their files.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why there are no tablebases to be had.
#[derive(Debug)]
pub enum TablebaseError {
    /// A directory cannot be read.
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// None of the directories holds a table of wins, draws and losses (`.rtbw`).
    Empty {
        /// The directories.
        paths: Vec<PathBuf>,
    },
    /// There are tables, but none that can be used.
    Unusable(Vec<TableProblem>),
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablebaseError::Directory { path, error } => {
                write!(f, "the tablebase directory {} cannot be read: {error}", path.display())
            }
            TablebaseError::Empty { paths } => {
                write!(f, "there are no tablebases (files like KQvK.rtbw) in ")?;
                for (index, path) in paths.iter().enumerate() {
                    write!(f, "{}{}", if index > 0 { ", " } else { "" }, path.display())?;
                }
                Ok(())
            }
            TablebaseError::Unusable(problems) => {
                write!(f, "none of the tablebases can be used")?;
                problems.first().map_or(Ok(()), |first| write!(f, "; {first}"))
            }
        }
    }
}

impl std::error::Error for TablebaseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TablebaseError::Directory { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// A file that cannot be used, and why. Everything else goes on without it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableProblem {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: TableFault,
}

impl fmt::Display for TableProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tablebase {}: {}", self.path.display(), self.fault)
    }
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableFault {
    /// The system refuses to read it.
    Io(String),
    /// It begins with other bytes than such a file does.
    Magic,
    /// It is shorter than it says, or longer: as a download is that was broken off.
    Length {
        /// How long it is, in bytes.
        found: u64,
        /// How long it ought to be, where that is known.
        expected: Option<u64>,
    },
    /// What stands at some place contradicts the format.
    Content {
        /// What it is about.
        what: &'static str,
    },
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFault::Io(error) => f.write_str(error),
            TableFault::Magic => {
                f.write_str("the file does not begin as a Syzygy tablebase of its kind does")
            }
            TableFault::Length { found, expected: Some(expected) } => {
                write!(f, "the file has {found} bytes where {expected} are expected: fetch it again")
            }
            TableFault::Length { found, expected: None } => {
                write!(f, "the file has {found} bytes, which no complete one has: fetch it again")
            }
            TableFault::Content { what } => write!(f, "the file is damaged ({what}): fetch it again"),
        }
    }
}

impl From<io::Error> for TableFault {
    fn from(error: io::Error) -> TableFault {
        TableFault::Io(error.to_string())
    }
}
