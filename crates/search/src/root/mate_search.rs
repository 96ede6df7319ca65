//! The exhaustive mate search behind `go mate`.
//!
//! A selective search finds long mates fast but sometimes misses short ones. It is therefore limited to a few
//! plies more than the requested mate takes. If it does not find the mate, a search without pruning, reductions
//! and extensions other than for checks finds the shortest mate or proves that there is none. The window of
//! that search admits only mates, so that mate distance pruning cuts off all longer lines. Its TT entries are
//! kept apart from the normal ones: they are worth little to a normal search, and those of a selective search
//! prove nothing here.

use super::MAX_DEPTH;
use crate::limits::Limits;
use crate::node_type::Root;
use crate::searcher::Searcher;
use tabiya_core::{INFINITE, Key, Value, mate_in};
use tabiya_movegen::Position;

/// The maximum depth of the selective search beyond twice the number of moves to mate, in plies.
const SELECTIVE_MARGIN: u32 = 4;
/// The TT key salt of the mate search.
const TT_SALT: Key = 0x6d61_7465_6d61_7465;

/// Returns the maximum depth of the selective search for a mate in this many moves, in plies.
pub(super) fn max_selective_depth(moves: u32) -> u32 {
    moves.saturating_mul(2).saturating_add(SELECTIVE_MARGIN)
}

impl Searcher<'_> {
    /// Searches for the requested mate, unless it has been found or the search has been stopped. If there is one, its move becomes
    /// the best.
    pub(super) fn prove_mate(&mut self, root: &Position, limits: &Limits) {
        let Some(moves) = limits.mate else { return };
        let moves = moves.min(limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH).div_ceil(2));
        if self.limits.is_stopped() || limits.is_mate_found(self.root_moves.moves()[0].value) {
            return;
        }
        let selective_result = self.root_moves.clone();
        self.features.selective = false;
        self.tt_salt = TT_SALT;
        for plies in (1..=moves).map(|moves| 2 * moves - 1) {
            self.root_depth = plies;
            self.root_moves.start_iteration(plies);
            let alpha = mate_in(plies as Value) - 1;
            let value = self.node::<Root>(root, 0, plies as i32, alpha, INFINITE, false);
            if self.limits.is_stopped() {
                break;
            }
            if value > alpha {
                self.root_moves.sort();
                let mut mate = self.root_moves.moves()[0].clone();
                mate.depth = mate.depth.max(selective_result.moves()[0].depth);
                // The values of the other moves are bounds of a window that admits only mates.
                self.root_moves = selective_result.with_leaders(vec![mate]);
                return;
            }
        }
        self.root_moves = selective_result;
    }
}
