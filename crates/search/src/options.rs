//! The settings of an engine.

use crate::tablebase::TablebaseOptions;
use std::time::Duration;
use std::{fmt, io};
use tabiya_eval::Evaluation;

/// The minimum size of the transposition table, in MiB.
pub const MIN_HASH_MB: usize = 1;
/// The maximum size of the transposition table, in MiB: one TiB.
pub const MAX_HASH_MB: usize = 1 << 20;
/// The default size of the transposition table, in MiB.
pub const DEFAULT_HASH_MB: usize = 16;
/// The maximum number of search threads.
pub const MAX_THREADS: usize = 1024;

/// The settings of an [`Engine`](crate::Engine).
///
/// ```
/// use tabiya_search::{Engine, Options};
///
/// let engine = Engine::new(Options::default().with_hash_mb(32).with_threads(2))?;
/// assert_eq!(engine.options().threads, 2);
/// # Ok::<(), tabiya_search::EngineError>(())
/// ```
///
/// With the feature `serde`, missing fields are the default ones when options are read. The engine checks the ranges.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Options {
    /// The size of the transposition table in MiB, from [`MIN_HASH_MB`] to [`MAX_HASH_MB`].
    pub hash_mb: usize,
    /// The number of search threads, from 1 to [`MAX_THREADS`].
    pub threads: usize,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The delay between the best move and its arrival at the clock, which is subtracted from the time for a
    /// move.
    pub move_overhead: Duration,
    /// The endgame tablebases.
    pub tablebases: TablebaseOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: DEFAULT_HASH_MB,
            threads: 1,
            evaluation: Evaluation::default(),
            move_overhead: Duration::from_millis(30),
            tablebases: TablebaseOptions::default(),
        }
    }
}

impl Options {
    /// Sets [`hash_mb`](Options::hash_mb), in MiB.
    #[must_use]
    pub fn with_hash_mb(self, hash_mb: usize) -> Options {
        Options { hash_mb, ..self }
    }

    /// Sets [`threads`](Options::threads).
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Options {
        Options { threads, ..self }
    }

    /// Sets [`evaluation`](Options::evaluation).
    #[must_use]
    pub fn with_evaluation(self, evaluation: Evaluation) -> Options {
        Options { evaluation, ..self }
    }

    /// Sets [`move_overhead`](Options::move_overhead).
    #[must_use]
    pub fn with_move_overhead(self, move_overhead: Duration) -> Options {
        Options { move_overhead, ..self }
    }

    /// Sets [`tablebases`](Options::tablebases).
    #[must_use]
    pub fn with_tablebases(self, tablebases: TablebaseOptions) -> Options {
        Options { tablebases, ..self }
    }
}

pub(crate) fn check_threads(threads: usize) -> Result<(), EngineError> {
    if (1..=MAX_THREADS).contains(&threads) { Ok(()) } else { Err(EngineError::Threads { threads }) }
}

pub(crate) fn check_hash_size(mb: usize) -> Result<(), EngineError> {
    if (MIN_HASH_MB..=MAX_HASH_MB).contains(&mb) { Ok(()) } else { Err(EngineError::HashSize { mb }) }
}

/// An error in the settings of an [`Engine`](crate::Engine).
#[derive(Debug)]
#[non_exhaustive]
pub enum EngineError {
    /// The size of the transposition table is out of range.
    HashSize {
        /// The requested size, in MiB.
        mb: usize,
    },
    /// There is not enough memory for the transposition table.
    HashMemory {
        /// The requested size, in MiB.
        mb: usize,
    },
    /// The number of threads is out of range.
    Threads {
        /// The requested number.
        threads: usize,
    },
    /// The system refused to start a thread.
    Spawn(io::Error),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::HashSize { mb } => {
                write!(f, "invalid hash size: {mb} MiB (expected {MIN_HASH_MB} to {MAX_HASH_MB})")
            }
            EngineError::HashMemory { mb } => {
                write!(f, "not enough memory for a hash of {mb} MiB: use a smaller one")
            }
            EngineError::Threads { threads } => {
                write!(f, "invalid number of threads: {threads} (expected 1 to {MAX_THREADS})")
            }
            EngineError::Spawn(error) => write!(f, "cannot start a search thread: {error}"),
        }
    }
}

impl std::error::Error for EngineError {}
