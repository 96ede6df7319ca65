//! Aspiration windows.
//!
//! An iteration is searched with a small window around the value of the previous one, because a small window
//! cuts off more. If the value lies outside, the window is widened on that side and the search is repeated.
//! These re-searches cost less than the small windows save. Source: Campbell and Marsland, *A Comparison of Minimax Tree
//! Search Algorithms*, 1983.

use crate::node_type::Root;
use crate::params;
use crate::searcher::Searcher;
use tabiya_core::{INFINITE, Value, is_decisive};
use tabiya_movegen::Position;

/// The minimum depth for aspiration windows, in plies.
const MIN_DEPTH: u32 = 4;
/// The maximum half-width, in centipawns; above it the window is opened fully.
const MAX_WIDTH: Value = 500;
/// The maximum reduction of a search that is repeated after failing high, in plies.
const MAX_REDUCTION: i32 = 3;

impl Searcher<'_> {
    /// Searches the current line of an iteration.
    pub(super) fn aspiration_search(&mut self, root: &Position, depth: u32) {
        self.seldepth = 0;
        let expected = self.root_moves.current().previous_value;
        let mut width = params::aspiration_width();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= MIN_DEPTH && self.features.selective && !is_decisive(expected) {
            (alpha, beta) = (expected - width, expected + width);
        }
        let mut reduction = 0;
        loop {
            let reduced = (depth as i32 - reduction).max(1);
            let value = self.node::<Root>(root, 0, reduced, alpha.max(-INFINITE), beta.min(INFINITE), false);
            self.root_moves.sort();
            if self.limits.is_stopped() {
                return;
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = value - width;
                reduction = 0;
                self.root_moves.restart_line();
            } else if value >= beta {
                beta = value + width;
                // The move is known to be good; a slightly shallower search suffices for its value.
                reduction = (reduction + 1).min(MAX_REDUCTION);
            } else {
                return;
            }
            self.report_bound(root);
            width += width * params::aspiration_growth() / 64;
            if width > MAX_WIDTH || is_decisive(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }
}
