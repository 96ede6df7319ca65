//! Late move reductions (LMR).
//!
//! With good move ordering a late move is rarely the best. It is searched with reduced depth and a zero
//! window first, and again with full depth only if it beats alpha. The reduction grows with the product of the
//! logarithms of depth and move number and is adjusted for properties of the node and the move. Unsound where
//! the reduced search misses what makes the move good.
//!
//! Source: Romstad, *An Introduction to Late Move Reductions*, 2006. The logarithmic formula came into common
//! use later.

use super::Node;
use crate::history::{self, MoveContext};
use crate::node_type::{NodeType, NonPv};
use crate::params;
use crate::searcher::Searcher;
use tabiya_core::{Move, Value};
use tabiya_movegen::Position;

/// One ply in the unit of reductions.
const PLY: i32 = 1024;

/// The number of logarithms; larger arguments use the last one.
const LOGARITHMS: usize = 128;

/// The number of cutoffs at the child's ply above which the reduction is increased.
const MANY_CUTOFFS: u32 = 3;

/// The natural logarithm of each index, in 1024ths. Integers, so that every machine searches the same tree.
static LOGARITHM: [i32; LOGARITHMS] = logarithms();

const fn logarithms() -> [i32; LOGARITHMS] {
    // With n = m * 2^k and m from 1 to 2, ln n = k ln 2 + 2 artanh((m - 1) / (m + 1)), in 2^30ths.
    const ONE: i64 = 1 << 30;
    const LN_2: i64 = 744_261_118;
    let mut table = [0; LOGARITHMS];
    let mut n = 1;
    while n < LOGARITHMS {
        let k = n.ilog2() as i64;
        let m = (n as i64 * ONE) >> k;
        let x = (m - ONE) * ONE / (m + ONE);
        let (mut power, mut sum, mut odd) = (x, 0, 1);
        while odd < 40 {
            sum += power / odd;
            power = power * x / ONE * x / ONE;
            odd += 2;
        }
        table[n] = ((k * LN_2 + 2 * sum) >> 20) as i32;
        n += 1;
    }
    table
}

fn logarithm(n: i32) -> i32 {
    LOGARITHM[(n.max(1) as usize).min(LOGARITHMS - 1)]
}

/// Returns the reduction of the move with this number (from 1) without the adjustments, in 1024ths of a ply.
fn base_reduction(depth: i32, move_number: i32) -> i32 {
    let product = logarithm(depth) * logarithm(move_number) / PLY;
    params::lmr_base() + product * params::lmr_factor() / PLY
}

/// Returns a move's depth after the base reduction, in plies, which shallow-depth pruning depends on.
#[inline(always)]
pub(super) fn lmr_depth(depth: i32, move_number: i32) -> i32 {
    (depth - base_reduction(depth, move_number) / PLY).max(0)
}

/// A move that has been made and must be searched.
#[derive(Clone, Copy)]
pub(super) struct LateMove<'a> {
    pub(super) mv: Move,
    /// The position after the move.
    pub(super) child: &'a Position,
    /// The number of the move in move order, from 1.
    pub(super) number: i32,
    /// The depth of the child without a reduction, in plies.
    pub(super) depth: i32,
}

impl Searcher<'_> {
    /// Searches a late move with reduced depth and a zero window, and again without the reduction if it beats
    /// alpha; a ply deeper if the first value is far above alpha. Returns the value, and the depth for a
    /// re-search with the open window.
    #[inline(always)]
    pub(super) fn late_move_reduction<K: NodeType>(
        &mut self,
        node: &Node<'_>,
        context: &MoveContext,
        late_move: LateMove<'_>,
        alpha: Value,
    ) -> (Value, i32) {
        let LateMove { mv, child, mut depth, .. } = late_move;
        let ply = node.ply;
        let reduced = self.reduced_depth::<K>(node, context, late_move);
        self.stack[ply].reduction = depth - reduced;
        let mut value = -self.node::<NonPv>(child, ply + 1, reduced, -alpha - 1, -alpha, true);
        self.stack[ply].reduction = 0;
        if value > alpha && reduced < depth && !self.limits.is_stopped() {
            depth += i32::from(value > alpha + params::lmr_deeper_margin() + 2 * depth);
            value = -self.node::<NonPv>(child, ply + 1, depth, -alpha - 1, -alpha, !node.cut_node);
            if mv.is_quiet() && !self.limits.is_stopped() {
                let bonus = history::bonus(depth);
                let bonus = if value <= alpha {
                    -bonus
                } else if value >= node.beta {
                    bonus
                } else {
                    0
                };
                self.histories.update_continuation(context, node.position, mv, bonus);
            }
        }
        (value, depth)
    }

    /// Returns the depth of the first search of a late move, in plies: at least 1, and at most the unreduced
    /// depth, or one more in a PV node.
    fn reduced_depth<K: NodeType>(
        &self,
        node: &Node<'_>,
        context: &MoveContext,
        late_move: LateMove<'_>,
    ) -> i32 {
        let LateMove { mv, child, number, depth: new_depth } = late_move;
        let mut reduction = base_reduction(node.depth, number);
        // A root move that the reduced search underestimates is not played. The decrease grows with depth,
        // because it costs strength in very short searches.
        if K::ROOT {
            reduction -= (params::lmr_root_slope() * node.depth).min(params::lmr_root_max());
        }
        if node.tt_pv {
            reduction -= params::lmr_tt_pv();
        }
        if node.cut_node {
            reduction += params::lmr_cut_node();
        }
        if !node.improving {
            reduction += params::lmr_not_improving();
        }
        if node.tt_entry.is_some_and(|entry| entry.mv.is_some_and(|mv| !mv.is_quiet())) {
            reduction += params::lmr_tt_capture();
        }
        if self.stack[node.ply + 1].cutoffs > MANY_CUTOFFS {
            reduction += params::lmr_child_cutoffs();
        }
        if child.in_check() {
            reduction -= params::lmr_check();
        }
        let history = if mv.is_quiet() {
            self.histories.quiets(context, node.position).score(mv) / 2
        } else {
            reduction -= params::lmr_tactical();
            self.histories.capture(node.position, mv)
        };
        reduction -= history * 64 / params::lmr_history_divisor();
        (new_depth - reduction / PLY).clamp(1, (new_depth + i32::from(K::PV)).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_match_floating_point() {
        for (n, &actual) in LOGARITHM.iter().enumerate().skip(1) {
            let expected = (n as f64).ln() * 1024.0;
            assert!((f64::from(actual) - expected).abs() < 1.5, "{n}: {actual} instead of {expected}");
        }
        assert_eq!((logarithm(0), logarithm(5000)), (0, LOGARITHM[LOGARITHMS - 1]));
    }

    #[test]
    fn reduction_grows_with_depth_and_move_number() {
        for depth in 2..40 {
            for number in 2..60 {
                assert!(base_reduction(depth, number) <= base_reduction(depth + 1, number));
                assert!(base_reduction(depth, number) <= base_reduction(depth, number + 1));
            }
        }
    }
}
