//! The exhaustive mate search behind `go mate`.
//!
//! A selective search finds long mates fast but sometimes misses short ones. If it has not found the mate
//! that was asked for a few plies beyond its length, a search without any selectivity looks for the shortest
//! mate, or proves that there is none. Its window admits mates only, so that mate distance pruning ends every
//! longer line. Its TT entries are kept apart from the normal ones: they are worth little to a normal search,
//! and those of a selective search prove nothing here.

use super::MAX_DEPTH;
use crate::limits::Limits;
use crate::node_type::Root;
use crate::searcher::Searcher;
use tabiya_core::{INFINITE, Key, Value, mate_in};
use tabiya_movegen::Position;

/// The plies beyond the length of the mate to which the selective search goes first.
const SELECTIVE_MARGIN: u32 = 4;
/// The TT key salt of the mate search.
const TT_SALT: Key = 0x6d61_7465_6d61_7465;

/// Returns the maximum depth of the selective search for a mate in this many moves, in plies.
pub(super) fn max_selective_depth(moves: u32) -> u32 {
    moves.saturating_mul(2).saturating_add(SELECTIVE_MARGIN)
}

impl Searcher<'_> {
    /// Searches for the mate that was asked for, unless it has been found or the search has been stopped.
    /// Returns the length of the shortest mate, in plies, and `None` if there is none.
    pub(super) fn prove_mate(&mut self, root: &Position, limits: &Limits) -> Option<u32> {
        let moves = limits.mate?.min(limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH).div_ceil(2));
        if self.limits.is_stopped() || limits.is_mate_found(self.root_moves.moves()[0].value) {
            return None;
        }
        let selective_result = self.root_moves.clone();
        self.features.selective = false;
        self.tt_salt = TT_SALT;
        for plies in (1..=moves).map(|moves| 2 * moves - 1) {
            self.root_depth = plies;
            self.root_moves.start_iteration();
            let alpha = mate_in(plies as Value) - 1;
            let value = self.node::<Root>(root, 0, plies as i32, alpha, INFINITE, false);
            if self.limits.is_stopped() {
                break;
            }
            if value > alpha {
                self.root_moves.sort();
                return Some(plies);
            }
        }
        self.root_moves = selective_result;
        None
    }
}
