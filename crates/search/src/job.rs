//! The job of one search, shared by its threads.

use crate::control::Signals;
use crate::limits::Limits;
use crate::move_filter::MoveFilter;
use crate::params::Features;
use crate::tablebase::TablebaseOptions;
use crate::time::TimeBudget;
use crate::tt::TranspositionTable;
use crate::wdl::WdlModel;
use std::sync::Arc;
use tabiya_core::Key;
use tabiya_movegen::Position;

/// The root, the limits and the shared tables of one search.
pub(crate) struct Job {
    pub(crate) root: Position,
    /// The keys of the game's positions, oldest first, the root last.
    pub(crate) keys: Vec<Key>,
    pub(crate) limits: Limits,
    pub(crate) features: Features,
    pub(crate) budget: TimeBudget,
    /// The number of nodes between two checks of the limits, a power of two.
    pub(crate) check_interval: u64,
    pub(crate) tablebases: TablebaseOptions,
    pub(crate) move_filter: Option<Arc<dyn MoveFilter>>,
    pub(crate) tt: Arc<TranspositionTable>,
    /// The win, draw and loss model of the evaluation.
    pub(crate) wdl_model: WdlModel,
    pub(crate) signals: Arc<Signals>,
}
