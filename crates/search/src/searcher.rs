//! The state of one search in progress.

use crate::control::Monitor;
use crate::history::{History, Killers};
use crate::params::Features;
use crate::path::Path;
use crate::pv::PvTable;
use crate::tt::{Entry, TranspositionTable};
use crate::worker::{Job, Memory};
use tabiya_core::Key;
use tabiya_eval::Evaluation;

/// Everything a node needs: what this search was asked to do, what the thread remembers, and the table
/// it shares. The search itself is in `root`, `node` and `quiescence`.
pub(crate) struct Searcher<'a> {
    pub(crate) features: Features,
    pub(crate) evaluation: Evaluation,
    pub(crate) monitor: Monitor,
    pub(crate) path: Path,
    pub(crate) history: &'a mut History,
    pub(crate) killers: &'a mut Killers,
    pub(crate) pv: &'a mut PvTable,
    pub(crate) table: &'a TranspositionTable,
    /// The longest line of this iteration, in plies.
    pub(crate) seldepth: usize,
}

impl<'a> Searcher<'a> {
    pub(crate) fn new(job: &'a Job, memory: &'a mut Memory) -> Searcher<'a> {
        // What refuted at some ply of the last search stands in other positions than it does now.
        memory.killers.clear();
        Searcher {
            features: job.features,
            evaluation: job.evaluation,
            monitor: Monitor::new(job.start, &job.limits, job.move_overhead, job.orders.clone()),
            path: Path::new(job.keys.clone()),
            history: &mut memory.history,
            killers: &mut memory.killers,
            pv: &mut memory.pv,
            table: &job.table,
            seldepth: 0,
        }
    }

    /// What the table knows of a position.
    #[inline]
    pub(crate) fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        if self.features.table { self.table.probe(key, ply) } else { None }
    }

    /// Tells the table about a position.
    #[inline]
    pub(crate) fn store(&self, key: Key, ply: usize, entry: &Entry) {
        if self.features.table {
            self.table.store(key, ply, entry);
        }
    }
}
