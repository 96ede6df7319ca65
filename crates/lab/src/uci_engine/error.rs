use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// How many lines of the conversation a message shows.
const SHOWN_LINES: usize = 10;

/// What went wrong with an engine, which engine it was, and what it said last.
#[derive(Debug)]
pub(crate) struct EngineError {
    /// The engine's name.
    pub(crate) engine: String,
    /// What went wrong.
    pub(crate) kind: EngineErrorKind,
    /// The last lines of the conversation, oldest first.
    pub(crate) transcript: Vec<String>,
}

/// What went wrong with an engine.
#[derive(Debug)]
pub(crate) enum EngineErrorKind {
    /// The program could not be started.
    Spawn {
        /// What was to be started.
        program: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The process ended by itself.
    Exited {
        /// What the wait was for.
        waiting_for: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// The process closed its output but still runs.
    Disconnected {
        /// What the wait was for.
        waiting_for: String,
    },
    /// No answer in time.
    TimedOut {
        /// What the wait was for.
        waiting_for: String,
        /// How long it lasted.
        after: Duration,
    },
    /// An `option` line of the handshake cannot be read.
    BadOptionLine {
        /// The line.
        line: String,
        /// What is wrong with it.
        error: String,
    },
    /// There is no option of this name.
    NoSuchOption {
        /// The name asked for.
        name: String,
        /// The names there are.
        offered: Vec<String>,
    },
    /// The option does not take this value.
    BadOptionValue {
        /// The option.
        name: String,
        /// The value.
        value: String,
        /// What it takes.
        wanted: String,
    },
    /// The wait was called off.
    Cancelled,
}

impl fmt::Display for EngineErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineErrorKind::Spawn { program, source } if source.kind() == io::ErrorKind::NotFound => {
                write!(f, "cannot be started: there is no program {:?}", program.display().to_string())
            }
            EngineErrorKind::Spawn { program, source } => {
                write!(f, "cannot be started: {:?}: {source}", program.display().to_string())
            }
            EngineErrorKind::Exited { waiting_for, status } => {
                write!(f, "ended by itself ({status}) where {waiting_for} was due")
            }
            EngineErrorKind::Disconnected { waiting_for } => {
                write!(f, "closed its output where {waiting_for} was due")
            }
            EngineErrorKind::TimedOut { waiting_for, after } => {
                write!(f, "did not answer with {waiting_for} within {:.3} s", after.as_secs_f64())
            }
            EngineErrorKind::BadOptionLine { line, error } => write!(f, "sent a bad line {line:?}: {error}"),
            EngineErrorKind::NoSuchOption { name, offered } if offered.is_empty() => {
                write!(f, "has no option {name:?}; it offers none")
            }
            EngineErrorKind::NoSuchOption { name, offered } => {
                write!(f, "has no option {name:?}; it offers {}", offered.join(", "))
            }
            EngineErrorKind::BadOptionValue { name, value, wanted } => {
                write!(f, "does not take {value:?} for its option {name:?}, which wants {wanted}")
            }
            EngineErrorKind::Cancelled => f.write_str("was interrupted"),
        }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine {:?} {}", self.engine, self.kind)?;
        // An option is the caller's mistake: the conversation would only hide the message.
        let mistake = matches!(
            self.kind,
            EngineErrorKind::NoSuchOption { .. } | EngineErrorKind::BadOptionValue { .. }
        );
        if !mistake && !self.transcript.is_empty() {
            f.write_str("; the last lines:")?;
            let first = self.transcript.len().saturating_sub(SHOWN_LINES);
            for line in &self.transcript[first..] {
                write!(f, "\n    {line}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for EngineError {}
