//! The margins by which the search gives up nodes and moves: pure functions of what a node knows.
//!
//! All of them are gambles: each says that a shallow look is so clear that a deep one will say the
//! same. None is taken in check, on the principal variation, or where a mate is at stake.

use crate::params;
use tabiya_core::Value;

/// *Reverse futility* (also *static null move*): how far the evaluation has to be above beta for the node
/// to be given up as too good.
///
/// Why: with few plies left the opponent can hardly win back so much. Unsound against quiet threats. It
/// is futility pruning seen from the other side, and in common use since the 2000s.
pub(crate) fn reverse_futility_margin(depth: i32, improving: bool) -> Value {
    params::reverse_futility_slope() * depth
        - if improving { params::reverse_futility_improving() } else { 0 }
}

/// Depths from here on are too deep for [`reverse_futility_margin`].
pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 10;

/// *Razoring*: how far the evaluation has to be below alpha for captures alone to decide the node.
///
/// Why: with so much missing only a capture can bring it back. Unsound where a quiet move wins.
/// (John Birmingham and Peter Kent, *Tree-Searching and Tree-Pruning Techniques*, 1977.)
pub(crate) fn razoring_margin(depth: i32) -> Value {
    params::razoring_base() + params::razoring_slope() * depth * depth
}

/// How many plies less deep than the node the position after a *null move* is searched: if passing is good
/// enough, a move will be.
///
/// Unsound in zugzwang; hence only with pieces on the board, and at high depths only if a search without
/// the right to pass agrees. (Don Beal, *A Generalised Quiescence Search Algorithm*, 1990; Chrilly
/// Donninger, *Null Move and Deep Search*, 1993.)
pub(crate) fn null_move_reduction(depth: i32, above_beta: Value) -> i32 {
    params::null_move_base()
        + depth / params::null_move_depth_divisor()
        + (above_beta / params::null_move_eval_divisor()).clamp(0, 4)
}

/// How far below beta the static evaluation may be for a null move to be tried.
pub(crate) fn null_move_margin(depth: i32) -> Value {
    params::null_move_margin() - params::null_move_margin_slope() * depth
}

/// From this depth on a null move has to be verified.
pub(crate) const NULL_MOVE_VERIFICATION_DEPTH: i32 = 14;

/// *ProbCut*: what a capture has to be worth in a shallow search to be taken for refuting in a deep one.
///
/// (Michael Buro, *ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm*, 1995.)
pub(crate) fn probcut_beta(beta: Value, improving: bool) -> Value {
    beta + params::probcut_margin() - if improving { params::probcut_improving() } else { 0 }
}

/// How much less deep ProbCut searches.
pub(crate) const PROBCUT_REDUCTION: i32 = 4;

/// *Late move pruning*: how many moves are tried near the horizon before the quiet ones left are
/// passed over.
///
/// Why: with good ordering the best move is among them. Unsound like every reduction, but without the
/// second look. In common use since late moves are reduced.
pub(crate) fn late_move_count(depth: i32, improving: bool) -> i32 {
    (3 + depth * depth) / if improving { 1 } else { 2 }
}

/// *Futility*: what the evaluation may be below alpha for a quiet move to be tried at this depth, with
/// such a history.
///
/// (Ernst Heinz, *Extended Futility Pruning*, 1998.)
pub(crate) fn futility_margin(depth: i32, history: i32) -> Value {
    params::futility_base() + params::futility_slope() * depth + history / params::futility_history_divisor()
}

/// The same for a capture, besides what it takes.
pub(crate) fn capture_futility_margin(depth: i32) -> Value {
    params::capture_futility_base() + params::capture_futility_slope() * depth
}

/// Depths from here on are too deep for futility.
pub(crate) const FUTILITY_DEPTH: i32 = 9;

/// The history that a quiet move needs to be tried.
pub(crate) fn history_needed(depth: i32) -> i32 {
    -params::history_pruning_slope() * depth
}

/// Depths from here on are too deep for [`history_needed`].
pub(crate) const HISTORY_DEPTH: i32 = 5;

/// What a quiet move may lose by static exchange.
pub(crate) fn quiet_exchange_margin(depth: i32) -> Value {
    -params::see_quiet_slope() * depth * depth
}

/// What a capture with such a history may lose by static exchange.
pub(crate) fn capture_exchange_margin(depth: i32, history: i32) -> Value {
    -(params::see_capture_slope() * depth + history / params::see_capture_history_divisor()).max(0)
}

/// *Singular extension*: how good the other moves may be, at most, if the table's move is to be the only
/// good one.
///
/// (Thomas Anantharaman, Murray Campbell and Feng-hsiung Hsu, *Singular Extensions*, 1988; made cheap with
/// the table's value in the 2000s.)
pub(crate) fn singular_beta(table_value: Value, depth: i32) -> Value {
    table_value - params::singular_margin_slope() * depth / 16
}

/// From this depth on moves are tested for being singular.
pub(crate) const SINGULAR_DEPTH: i32 = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_is_more_careful() {
        for depth in 1..12 {
            let deeper = depth + 1;
            for improving in [false, true] {
                assert!(
                    reverse_futility_margin(depth, improving) < reverse_futility_margin(deeper, improving)
                );
                assert!(late_move_count(depth, improving) <= late_move_count(deeper, improving));
            }
            assert!(reverse_futility_margin(depth, true) < reverse_futility_margin(depth, false));
            assert!(late_move_count(depth, true) > late_move_count(depth, false));
            assert!(razoring_margin(depth) < razoring_margin(deeper));
            assert!(null_move_reduction(depth, 0) <= null_move_reduction(deeper, 0));
            assert!(futility_margin(depth, 0) < futility_margin(deeper, 0));
            assert!(capture_futility_margin(depth) < capture_futility_margin(deeper));
            assert!(history_needed(depth) > history_needed(deeper));
            assert!(quiet_exchange_margin(depth) > quiet_exchange_margin(deeper));
            assert!(capture_exchange_margin(depth, 0) > capture_exchange_margin(deeper, 0));
            assert!(singular_beta(50, depth) > singular_beta(50, deeper) && singular_beta(50, depth) < 50);
        }
    }

    #[test]
    fn what_is_known_counts() {
        assert!(null_move_reduction(10, 1000) > null_move_reduction(10, 0));
        assert_eq!(null_move_reduction(10, -1000), null_move_reduction(10, 0));
        assert!(futility_margin(3, 8000) > futility_margin(3, -8000));
        assert!(capture_exchange_margin(3, 8000) < capture_exchange_margin(3, 0));
        assert!(capture_exchange_margin(3, -16_000) <= 0);
        assert!(probcut_beta(0, true) < probcut_beta(0, false));
    }
}
