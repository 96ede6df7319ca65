//! Errors of tablebase directories and files.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// An error of opening tablebases.
#[derive(Debug)]
#[non_exhaustive]
pub enum TablebaseError {
    /// No directory holds a WDL table (`.rtbw`).
    Empty {
        /// The directories.
        paths: Vec<PathBuf>,
    },
    /// There is no usable WDL table, and some directories or tables are unusable.
    Unusable(Vec<TableProblem>),
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablebaseError::Empty { paths } if paths.is_empty() => {
                f.write_str("no tablebase directory is given")
            }
            TablebaseError::Empty { paths } => {
                write!(f, "no tablebases (files like KQvK.rtbw) in ")?;
                for (index, path) in paths.iter().enumerate() {
                    write!(f, "{}{}", if index > 0 { ", " } else { "" }, path.display())?;
                }
                Ok(())
            }
            TablebaseError::Unusable(problems) => {
                write!(f, "no usable tablebase")?;
                problems.first().map_or(Ok(()), |first| write!(f, "; {first}"))
            }
        }
    }
}

impl std::error::Error for TablebaseError {}

/// A file or directory with its fault. The rest of the set works without it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableProblem {
    /// The file or directory.
    pub path: PathBuf,
    /// The fault.
    pub fault: TableFault,
}

impl fmt::Display for TableProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = match self.fault {
            TableFault::Directory(_) => "cannot read the tablebase directory",
            _ => "tablebase",
        };
        write!(f, "{subject} {}: {}", self.path.display(), self.fault)
    }
}

/// A fault of a tablebase file or directory.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TableFault {
    /// Reading the file failed; the operating system's message.
    Io(String),
    /// Reading the directory failed; the operating system's message.
    Directory(String),
    /// The first four bytes are not those of a Syzygy table of this kind.
    Magic,
    /// The length is wrong, as after an interrupted download.
    Length {
        /// The length, in bytes.
        found: u64,
        /// The length that the contents imply, in bytes, if known.
        expected: Option<u64>,
    },
    /// The contents contradict the format.
    Content {
        /// The invalid part, such as `block index`.
        what: &'static str,
    },
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFault::Io(error) | TableFault::Directory(error) => f.write_str(error),
            TableFault::Magic => f.write_str("wrong magic number: not a Syzygy table of this kind"),
            TableFault::Length { found, expected: Some(expected) } => {
                write!(f, "the file has {found} bytes (expected {expected}): download it again")
            }
            TableFault::Length { found, expected: None } => {
                write!(f, "the file has {found} bytes, which no complete table has: download it again")
            }
            TableFault::Content { what } => {
                write!(f, "the file is damaged (invalid {what}): download it again")
            }
        }
    }
}

impl From<io::Error> for TableFault {
    fn from(error: io::Error) -> TableFault {
        TableFault::Io(error.to_string())
    }
}
