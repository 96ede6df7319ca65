//! Errors of engines.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// Number of transcript lines in a message.
const SHOWN_LINES: usize = 10;

/// An error of an engine, with the end of its transcript.
#[derive(Debug)]
pub struct EngineError {
    /// The engine's name.
    pub engine: String,
    /// The cause.
    pub kind: EngineErrorKind,
    /// The last lines of the session, oldest first.
    pub transcript: Vec<String>,
}

/// The cause of an [`EngineError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum EngineErrorKind {
    /// The program could not be started.
    Spawn {
        /// The program.
        program: PathBuf,
        /// The underlying I/O error.
        source: io::Error,
    },
    /// The process exited.
    Exited {
        /// The awaited line.
        waiting_for: String,
        /// The exit status.
        status: ExitStatus,
    },
    /// The process closed its standard output but still runs.
    Disconnected {
        /// The awaited line.
        waiting_for: String,
    },
    /// The awaited line did not arrive in time.
    TimedOut {
        /// The awaited line.
        waiting_for: String,
        /// The timeout.
        after: Duration,
    },
    /// The engine has no such option.
    NoSuchOption {
        /// The requested name.
        name: String,
        /// The engine's options.
        available: Vec<String>,
    },
    /// The engine lacks a feature of its protocol that the game needs.
    NoSuchFeature {
        /// The feature.
        name: String,
    },
    /// The option does not accept the value.
    BadOptionValue {
        /// Name of the option.
        name: String,
        /// The rejected value.
        value: String,
        /// The accepted values.
        expected: String,
    },
    /// The engine printed that an option failed.
    Complaint {
        /// The line, without `info string`.
        line: String,
    },
    /// No search is running whose `bestmove` could be awaited.
    NotSearching,
    /// The wait was cancelled.
    Cancelled,
}

impl fmt::Display for EngineErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineErrorKind::Spawn { program, source } if source.kind() == io::ErrorKind::NotFound => {
                write!(f, "cannot be started: program {:?} not found", program.display().to_string())
            }
            EngineErrorKind::Spawn { program, source } => {
                write!(f, "cannot be started: {:?}: {source}", program.display().to_string())
            }
            EngineErrorKind::Exited { waiting_for, status } => {
                write!(f, "exited ({status}) while waiting for {waiting_for}")
            }
            EngineErrorKind::Disconnected { waiting_for } => {
                write!(f, "closed its output while waiting for {waiting_for}")
            }
            EngineErrorKind::TimedOut { waiting_for, after } => {
                write!(f, "did not send {waiting_for} within {:.3} s", after.as_secs_f64())
            }
            EngineErrorKind::NoSuchOption { name, available } if available.is_empty() => {
                write!(f, "has no option {name:?}; it has no options")
            }
            EngineErrorKind::NoSuchOption { name, available } => {
                write!(f, "has no option {name:?}; its options are {}", available.join(", "))
            }
            EngineErrorKind::NoSuchFeature { name } => write!(f, "does not support {name}"),
            EngineErrorKind::BadOptionValue { name, value, expected } => {
                write!(f, "rejects {value:?} for its option {name:?}; expected {expected}")
            }
            EngineErrorKind::Complaint { line } => write!(f, "says about its options: {line}"),
            EngineErrorKind::NotSearching => f.write_str("is not searching; expected \"go\" before"),
            EngineErrorKind::Cancelled => f.write_str("was interrupted"),
        }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine {:?} {}", self.engine, self.kind)?;
        // These are the caller's mistakes; the transcript would only hide the message.
        let mistake = matches!(
            self.kind,
            EngineErrorKind::NoSuchOption { .. }
                | EngineErrorKind::BadOptionValue { .. }
                | EngineErrorKind::NotSearching
        );
        if !mistake && !self.transcript.is_empty() {
            f.write_str("; last lines of the session:")?;
            let first = self.transcript.len().saturating_sub(SHOWN_LINES);
            for line in &self.transcript[first..] {
                write!(f, "\n    {line}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for EngineError {}
