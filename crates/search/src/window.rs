//! Bounds and cutoffs: the relation of values to the search window.

use tabiya_core::{Bound, Value};

/// Returns the bound type of a value that was searched with this window.
#[inline]
pub(crate) fn bound_of(value: Value, alpha: Value, beta: Value) -> Bound {
    if value >= beta {
        Bound::Lower
    } else if value > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

/// Returns true if a value with this bound type decides a node with this window: it is exact, or proves a fail
/// high or fail low.
#[inline]
pub(crate) fn is_cutoff(value: Value, bound: Bound, alpha: Value, beta: Value) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_cut_off_on_their_side_only() {
        for (value, lower, upper) in
            [(-50, false, true), (9, false, true), (10, false, true), (11, true, false), (50, true, false)]
        {
            assert!(is_cutoff(value, Bound::Exact, 10, 11));
            assert_eq!(is_cutoff(value, Bound::Lower, 10, 11), lower, "{value}");
            assert_eq!(is_cutoff(value, Bound::Upper, 10, 11), upper, "{value}");
        }
    }

    #[test]
    fn bound_follows_from_the_window() {
        let bounds = [-5, -4, 0, 6, 7].map(|value| bound_of(value, -4, 6));
        assert_eq!(bounds, [Bound::Upper, Bound::Upper, Bound::Exact, Bound::Lower, Bound::Lower]);
    }
}
