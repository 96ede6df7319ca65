//! The state of one thread's search in progress.

use crate::control::Monitor;
use crate::history::Histories;
use crate::params::Features;
use crate::path::Path;
use crate::pv::PvTable;
use crate::report::SearchEvent;
use crate::root_moves::RootMoves;
use crate::stack::Stack;
use crate::tablebase::TablebaseOptions;
use crate::tt::{Entry, TranspositionTable};
use crate::worker::{Job, Memory};
use crossbeam_channel::Sender;
use tabiya_core::{Key, MATE, MATE_IN_MAX_PLY, VALUE_DRAW, Value};
use tabiya_eval::Evaluate;
use tabiya_movegen::Position;

/// Everything a node needs: what this search was asked to do, what the thread remembers, and the table
/// it shares. The search itself is in `root`, `node` and `quiescence`.
pub(crate) struct Searcher<'a> {
    pub(crate) features: Features,
    pub(crate) evaluator: &'a mut dyn Evaluate,
    /// True if the evaluator is told about the moves made and taken back.
    pub(crate) incremental_eval: bool,
    pub(crate) monitor: Monitor<'a>,
    /// Where to report to; `None` for threads that help.
    pub(crate) reports: Option<&'a Sender<SearchEvent>>,
    pub(crate) path: Path,
    pub(crate) histories: &'a mut Histories,
    pub(crate) stack: &'a mut Stack,
    pub(crate) pv: &'a mut PvTable,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) tablebases: &'a TablebaseOptions,
    /// Are nodes looked up in the tablebases? Not where the root is in them, and its moves are chosen
    /// by distance: the search is to find the mate then.
    pub(crate) probes_in_tree: bool,
    pub(crate) root_moves: RootMoves,
    /// The root's evaluation: what a move is said to be worth that there was no time to look at.
    pub(crate) first_sight: Value,
    /// The iteration, in plies.
    pub(crate) iteration: u32,
    /// The longest line of this iteration, in plies.
    pub(crate) seldepth: usize,
    /// While a null move is verified: the ply from which on others are allowed again. 0 otherwise.
    pub(crate) null_moves_from: usize,
    /// Keeps apart what searches of different kinds tell the table.
    pub(crate) table_salt: Key,
}

impl<'a> Searcher<'a> {
    pub(crate) fn new(
        job: &'a Job,
        monitor: Monitor<'a>,
        reports: Option<&'a Sender<SearchEvent>>,
        memory: &'a mut Memory,
    ) -> Searcher<'a> {
        Searcher {
            features: job.features,
            incremental_eval: memory.evaluator.is_incremental(),
            evaluator: &mut *memory.evaluator,
            monitor,
            reports,
            path: Path::new(job.keys.clone()),
            histories: &mut memory.histories,
            stack: &mut memory.stack,
            pv: &mut memory.pv,
            table: &job.table,
            tablebases: &job.tablebases,
            probes_in_tree: true,
            root_moves: RootMoves::default(),
            first_sight: VALUE_DRAW,
            iteration: 1,
            seldepth: 0,
            null_moves_from: 0,
            table_salt: 0,
        }
    }

    /// What the table knows of a position, which stands `ply` plies from the root.
    ///
    /// Nothing is made of a mate that takes so long that the fifty-move draw may come first: where the entry has
    /// come from, fewer moves had passed without capture or pawn move. And entries that are pieced together, a
    /// long mate from a shorter one, must not grow for ever.
    #[inline]
    pub(crate) fn probe(&self, position: &Position, ply: usize) -> Option<Entry> {
        if !self.features.table {
            return None;
        }
        let entry = self.table.probe(position.key() ^ self.table_salt, ply)?;
        let plies_to_mate = MATE - entry.value.abs() - ply as Value;
        let comes_too_late = entry.value.abs() >= MATE_IN_MAX_PLY
            && plies_to_mate + Value::from(position.halfmove_clock()) > 100;
        Some(if comes_too_late { entry.without_value() } else { entry })
    }

    /// Tells the table about a position.
    #[inline]
    pub(crate) fn store(&self, key: Key, ply: usize, entry: &Entry) {
        if self.features.table {
            self.table.store(key ^ self.table_salt, ply, entry);
        }
    }
}
