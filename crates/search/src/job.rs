//! The job of one search, shared by its threads.

use crate::control::Signals;
use crate::limits::Limits;
use crate::params::Features;
use crate::tablebase::TablebaseOptions;
use crate::tt::TranspositionTable;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tabiya_core::Key;
use tabiya_movegen::Position;

/// The root, the limits and the shared tables of one search.
pub(crate) struct Job {
    /// The time at which the search was started.
    pub(crate) start: Instant,
    pub(crate) root: Position,
    /// The keys of the game's positions, oldest first, the root last.
    pub(crate) keys: Vec<Key>,
    pub(crate) limits: Limits,
    pub(crate) features: Features,
    pub(crate) move_overhead: Duration,
    pub(crate) tablebases: TablebaseOptions,
    pub(crate) tt: Arc<TranspositionTable>,
    pub(crate) signals: Signals,
}
