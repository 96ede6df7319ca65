//! Tablebase probes in the tree.
//!
//! After a capture or pawn move the Syzygy WDL tables give the result of a position with few pieces, which
//! cuts off like a TT entry. A tablebase win is only a lower bound, as the search may still find a mate;
//! likewise a loss is an upper bound. In PV nodes the search therefore goes on within that bound.

use crate::searcher::Searcher;
use crate::tablebase::{self, TbResult};
use crate::tt::TtEntry;
use tabiya_core::MAX_PLY;
use tabiya_movegen::Position;

/// The plies that are added to the depth of a TT entry from the tablebases, since a probe is better than a
/// search of that depth.
const TT_DEPTH_BONUS: i32 = 6;

impl Searcher<'_> {
    /// Probes the tablebases and stores the result in the TT. Returns `None` if they are not used in the tree
    /// or do not have the position.
    ///
    /// Only positions with the half-move clock at 0 are probed: WDL results do not hold otherwise.
    #[inline(always)]
    pub(super) fn probe_tablebases(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
    ) -> Option<TbResult> {
        if position.halfmove_clock() != 0 || !self.tb_probe_in_tree {
            return None;
        }
        let (tables, limit) = self.tablebases.in_use()?;
        let pieces = position.occupied().count() as usize;
        if pieces > limit || (pieces == limit && depth < self.tablebases.probe_depth as i32) {
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
            is_pv: false,
        };
        self.tt_store(position.key(), ply, &entry);
        Some(result)
    }
}
