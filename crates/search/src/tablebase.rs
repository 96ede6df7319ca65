//! What a search makes of tablebases: it drops root moves that throw something away, and stops at
//! positions whose outcome is known.

use crate::searcher::Searcher;
use crate::tt::Entry;
use std::sync::Arc;
use tabiya_core::{Bound, INFINITE, MAX_PLY, TB_WIN, VALUE_DRAW, Value};
use tabiya_movegen::Position;
use tabiya_syzygy::{FiftyMoves, MAX_PIECES, Tablebases, Wdl};

/// An outcome from the tables outlives in the transposition table what a search of its depth has found.
const LASTING: i32 = 6;

/// How an engine uses tablebases.
#[derive(Clone, Debug)]
pub struct TablebaseOptions {
    /// The tables; several engines may share them. `None` for none.
    pub tables: Option<Arc<Tablebases>>,
    /// Positions with as many pieces as the largest tables have are looked up only where at least so
    /// many plies are left to search: on slow disks, a larger number costs less.
    pub probe_depth: u32,
    /// Positions with more pieces than this are not looked up. 0 switches the tables off.
    pub probe_limit: usize,
    /// Whether wins that come too late for the fifty-move rule count as draws.
    pub fifty_move_rule: bool,
}

impl Default for TablebaseOptions {
    fn default() -> TablebaseOptions {
        TablebaseOptions { tables: None, probe_depth: 1, probe_limit: MAX_PIECES, fifty_move_rule: true }
    }
}

impl TablebaseOptions {
    /// The tables, and the most pieces that are to be looked up, if there is anything to look up.
    fn in_use(&self) -> Option<(&Tablebases, usize)> {
        let tables = self.tables.as_deref()?;
        let limit = self.probe_limit.min(tables.max_pieces());
        (limit > 0).then_some((tables, limit))
    }
}

/// What the tables say of a node.
pub(crate) struct Known {
    pub(crate) value: Value,
    pub(crate) bound: Bound,
}

impl Known {
    /// Is it enough to end the node?
    pub(crate) fn settles(&self, alpha: Value, beta: Value) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }
}

impl Searcher<'_> {
    /// Looks the root up and ranks its moves, so that none is played that throws something away. Returns
    /// whether the tables know it.
    pub(crate) fn rank_root(&mut self, root: &Position) -> bool {
        let Some((tables, limit)) = self.tablebases.in_use() else { return false };
        if root.occupied().count() as usize > limit {
            return false;
        }
        let rule = if self.tablebases.fifty_move_rule {
            FiftyMoves::Counted { repeated: self.path.has_repeated(root.halfmove_clock()) }
        } else {
            FiftyMoves::Ignored
        };
        let Some(ranks) = tables.probe_root(root, rule) else { return false };
        if self.monitor.leads() {
            self.monitor.count_table_hits(ranks.len() as u64);
        }
        let counted = self.tablebases.fifty_move_rule;
        self.root_moves.rank(|mv| {
            let rank = ranks.iter().find(|rank| rank.mv == mv)?;
            Some((rank.rank, outcome_value(rank.wdl, counted, 0).0))
        });
        true
    }

    /// Looks a node up: right after a capture or a pawn move, where the tables hold the whole truth.
    pub(crate) fn probe_tables(&self, position: &Position, ply: usize, depth: i32) -> Option<Known> {
        if position.halfmove_clock() != 0 || !self.probes_in_tree {
            return None;
        }
        let (tables, limit) = self.tablebases.in_use()?;
        let pieces = position.occupied().count() as usize;
        if pieces > limit || (pieces == limit && depth < self.tablebases.probe_depth as i32) {
            return None;
        }
        let wdl = tables.probe_wdl(position)?;
        self.monitor.count_table_hits(1);
        let (value, bound) = outcome_value(wdl, self.tablebases.fifty_move_rule, ply);
        let known = Entry {
            mv: None,
            value,
            eval: None,
            depth: (depth + LASTING).min(MAX_PLY - 1),
            bound,
            on_pv: false,
        };
        self.store(position.key(), ply, &known);
        Some(Known { value, bound })
    }
}

/// The value of an outcome. A win may turn out to be a mate, which is worth more; a draw is a draw, but one
/// that only the fifty-move rule makes is a little better or worse than others.
fn outcome_value(wdl: Wdl, counted: bool, ply: usize) -> (Value, Bound) {
    let win = TB_WIN - ply as Value;
    match wdl {
        Wdl::Win => (win, Bound::Lower),
        Wdl::CursedWin if !counted => (win, Bound::Lower),
        Wdl::CursedWin => (VALUE_DRAW + 2, Bound::Exact),
        Wdl::Draw => (VALUE_DRAW, Bound::Exact),
        Wdl::BlessedLoss if counted => (VALUE_DRAW - 2, Bound::Exact),
        Wdl::BlessedLoss | Wdl::Loss => (-win, Bound::Upper),
    }
}

/// The window that the tables leave of a node with an open one: (the least, the most it can be worth).
pub(crate) fn limits(known: Option<&Known>) -> (Value, Value) {
    match known {
        Some(Known { value, bound: Bound::Lower }) => (*value, INFINITE),
        Some(Known { value, bound: Bound::Upper }) => (-INFINITE, *value),
        _ => (-INFINITE, INFINITE),
    }
}
