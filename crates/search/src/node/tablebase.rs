//! Tablebase probes in the tree.
//!
//! After a capture or pawn move, the Syzygy WDL tables give the result of a position with few pieces, which
//! can cut off like a TT entry. A win is only a lower bound, as the search may still find a mate, and a loss
//! is an upper bound. If the bound does not cut off, the search continues within it.

use crate::searcher::Searcher;
use crate::tablebase::{self, TbResult};
use crate::tt::TtEntry;
use tabiya_core::MAX_PLY;
use tabiya_movegen::Position;

/// The plies by which the TT entry of a probe is deeper than the node, since a probe is more reliable than a
/// search.
const TT_DEPTH_BONUS: i32 = 6;

impl Searcher<'_> {
    /// Probes the tablebases and stores the result in the TT. Returns `None` if they are not used in the tree
    /// or at this depth, or do not contain the position.
    ///
    /// Only positions with a half-move clock of 0 are probed, because WDL tables assume it.
    #[inline(always)]
    pub(super) fn probe_tablebases(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        tt_pv: bool,
    ) -> Option<TbResult> {
        if position.halfmove_clock() != 0 || !self.tb_probe_in_tree {
            return None;
        }
        let (tables, limit) = self.tablebases.in_use()?;
        let pieces = position.occupied().count() as usize;
        if pieces > limit || (pieces == limit && i64::from(depth) < i64::from(self.tablebases.probe_depth)) {
            return None;
        }
        let wdl = tables.probe_wdl(position)?;
        self.limits.count_tb_hits(1);
        let result = tablebase::result(wdl, self.tablebases.fifty_move_rule, ply);
        let entry = TtEntry {
            mv: None,
            value: result.value,
            eval: None,
            depth: (depth + TT_DEPTH_BONUS).min(MAX_PLY - 1),
            bound: result.bound,
            is_pv: tt_pv,
        };
        self.tt_store(position.key(), ply, &entry);
        Some(result)
    }
}
