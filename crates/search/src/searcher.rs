//! The state of one thread's running search, and the operations common to all nodes: making moves, and
//! accessing the transposition table.

use crate::history::Histories;
use crate::job::Job;
use crate::limit_checker::LimitChecker;
use crate::move_filter::MoveFilter;
use crate::params::Features;
use crate::picker::PickerMemory;
use crate::pv::PvTable;
use crate::repetition::KeyHistory;
use crate::report::Reporter;
use crate::root_moves::RootMoves;
use crate::stack::{NO_PIECE_TO, Stack, piece_to};
use crate::tablebase::TablebaseOptions;
use crate::thread_data::ThreadData;
use crate::tt::{TranspositionTable, TtEntry};
use crate::wdl::WdlModel;
use crate::window::is_cutoff;
use tabiya_core::{INFINITE, Key, MATE, MATE_IN_MAX_PLY, Move, TB_WIN, VALUE_DRAW, Value, is_win};
use tabiya_eval::Evaluate;
use tabiya_movegen::Position;

/// The half-move clock from which TT cutoffs are disabled, in plies: TT values may come from searches in which
/// the fifty-move draw was further away.
const NO_TT_CUTOFF_CLOCK: u16 = 90;

/// One thread's search: its job, the data that the thread keeps between searches, and the shared tables.
///
/// The search itself is in `root`, `node` and `quiescence`, which add methods to this type.
pub(crate) struct Searcher<'a> {
    pub(crate) features: Features,
    pub(crate) evaluator: &'a mut dyn Evaluate,
    /// True if the evaluator is updated incrementally, so that it needs every move and null move.
    pub(crate) incremental_eval: bool,
    /// The filter of the moves below the root; `None` if all are searched.
    pub(crate) move_filter: Option<&'a dyn MoveFilter>,
    pub(crate) limits: LimitChecker<'a>,
    /// Receives the reports; `None` in helper threads.
    pub(crate) report: Option<&'a dyn Reporter>,
    pub(crate) key_history: KeyHistory,
    pub(crate) histories: &'a mut Histories,
    pub(crate) stack: &'a mut Stack,
    pub(crate) pv: &'a mut PvTable,
    pub(crate) picker_memory: &'a mut PickerMemory,
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) tablebases: &'a TablebaseOptions,
    pub(crate) wdl_model: &'a WdlModel,
    /// True if nodes below the root probe the tablebases. False if the root is in them: then its moves are
    /// ranked by the tablebases, and the search looks for the mate.
    pub(crate) tb_probe_in_tree: bool,
    pub(crate) root_moves: RootMoves,
    /// The root's static evaluation, in centipawns: the reported value of moves that have not been searched.
    pub(crate) root_static_eval: Value,
    /// The value from which a root move ends the search: that of a requested mate.
    pub(crate) mate_value: Value,
    /// The depth of the current iteration, in plies.
    pub(crate) root_depth: u32,
    /// The selective depth: the longest line of the current aspiration search, in plies.
    pub(crate) seldepth: usize,
    /// The minimum ply of a null move; above 0 while a null-move cutoff is being verified.
    pub(crate) nmp_min_ply: usize,
}

impl<'a> Searcher<'a> {
    pub(crate) fn new(
        job: &'a Job,
        limits: LimitChecker<'a>,
        report: Option<&'a dyn Reporter>,
        data: &'a mut ThreadData,
    ) -> Searcher<'a> {
        Searcher {
            features: job.features,
            incremental_eval: data.evaluator.is_incremental(),
            evaluator: &mut *data.evaluator,
            move_filter: job.move_filter.as_deref(),
            limits,
            report,
            key_history: KeyHistory::new(job.keys.clone()),
            histories: &mut data.histories,
            stack: &mut data.stack,
            pv: &mut data.pv,
            picker_memory: &mut data.picker_memory,
            tt: &job.tt,
            tablebases: &job.tablebases,
            wdl_model: &job.wdl_model,
            tb_probe_in_tree: true,
            root_moves: RootMoves::default(),
            root_static_eval: VALUE_DRAW,
            mate_value: INFINITE,
            root_depth: 1,
            seldepth: 0,
            nmp_min_ply: 0,
        }
    }

    /// Returns the TT entry of a position at `ply`.
    ///
    /// The value is dropped if it is a mate or tablebase win that comes too late for the fifty-move rule: the half-move clock
    /// may have been lower where the entry was stored. This also keeps mate scores that the TT combines from
    /// several searches from growing longer and longer.
    #[inline]
    pub(crate) fn tt_probe(&self, position: &Position, ply: usize) -> Option<TtEntry> {
        if !self.features.tt {
            return None;
        }
        let entry = self.tt.probe(position.key(), ply)?;
        let value = entry.value.abs();
        let too_late = is_win(value) && {
            let at_once = if value >= MATE_IN_MAX_PLY { MATE } else { TB_WIN };
            at_once - value - ply as Value + Value::from(position.halfmove_clock()) > 100
        };
        Some(if too_late { entry.without_value() } else { entry })
    }

    /// Stores an entry for the position with this key at `ply`.
    #[inline]
    pub(crate) fn tt_store(&self, key: Key, ply: usize, entry: &TtEntry) {
        if self.features.tt {
            self.tt.store(key, ply, entry);
        }
    }

    /// Returns true if a TT entry is deep enough for a search of this depth and its bound decides the window.
    #[inline(always)]
    pub(crate) fn is_tt_cutoff(
        &self,
        entry: &TtEntry,
        position: &Position,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> bool {
        let deep_enough =
            if self.features.deeper_tt_cutoffs { entry.depth >= depth } else { entry.depth == depth };
        deep_enough
            && is_cutoff(entry.value, entry.bound, alpha, beta)
            && position.halfmove_clock() < NO_TT_CUTOFF_CLOCK
    }

    /// Returns true if the search is to overlook a legal move, at a ply above 0, of a side that is not in check.
    #[inline(always)]
    pub(crate) fn overlooks(&self, position: &Position, mv: Move, ply: usize) -> bool {
        self.move_filter.is_some_and(|filter| !filter.sees(position, mv, ply))
    }

    /// Returns the value of a node at the maximum ply: its evaluation, or a draw in check.
    #[cold]
    pub(crate) fn value_at_max_ply(&mut self, position: &Position) -> Value {
        if position.in_check() { VALUE_DRAW } else { self.evaluator.evaluate(position) }
    }

    /// Makes a move on `child`, a copy of the position. Returns false if the search has been stopped.
    ///
    /// The caller provides the copy, because a returned position would be copied once more.
    #[inline]
    pub(crate) fn make_move(
        &mut self,
        position: &Position,
        mv: Move,
        ply: usize,
        child: &mut Position,
    ) -> bool {
        if !self.limits.count_node() {
            return false;
        }
        let mut keys = self.stack[ply].keys;
        child.play_observed(mv, &mut keys);
        child.cache_legality();
        let entry = &mut self.stack[ply];
        entry.moved = position.piece_on(mv.from()).map_or(NO_PIECE_TO, |piece| piece_to(piece, mv));
        entry.moved_quiet = mv.is_quiet();
        self.stack.enter(ply + 1, keys);
        self.histories.correction.prefetch(child, self.stack, ply + 1);
        self.key_history.push(child.key());
        if self.incremental_eval {
            self.evaluator.make_move(position, mv, child);
        }
        true
    }

    /// Takes back the last move.
    #[inline]
    pub(crate) fn unmake_move(&mut self) {
        self.key_history.pop();
        if self.incremental_eval {
            self.evaluator.unmake_move();
        }
    }

    /// Passes on a copy of the position. Also returns the argument of
    /// [`unmake_null_move`](Self::unmake_null_move).
    pub(crate) fn make_null_move(&mut self, position: &Position, ply: usize) -> (Position, usize) {
        let mut child = position.clone();
        child.play_null();
        child.cache_legality();
        self.tt.prefetch(child.key());
        self.stack[ply].moved = NO_PIECE_TO;
        self.stack[ply].moved_quiet = false;
        self.stack.enter(ply + 1, self.stack[ply].keys);
        let boundary = self.key_history.push_null(child.key());
        if self.incremental_eval {
            self.evaluator.make_null_move(&child);
        }
        (child, boundary)
    }

    /// Takes back the last null move.
    pub(crate) fn unmake_null_move(&mut self, boundary: usize) {
        self.key_history.pop_null(boundary);
        if self.incremental_eval {
            self.evaluator.unmake_move();
        }
    }
}
