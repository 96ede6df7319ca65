//! Late move pruning (LMP), also called move-count pruning.
//!
//! With good move ordering the best move is rarely late. At low depth, once enough moves have been tried, the
//! remaining quiet moves are skipped. More unsound than a late move reduction, which a re-search can correct.
//!
//! In common use since the late 2000s.

/// Returns the number of moves after which the remaining quiet moves are skipped.
#[inline(always)]
pub(super) fn move_limit(depth: i32, improving: bool) -> i32 {
    (3 + depth * depth) / if improving { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_grows_with_depth_and_if_improving() {
        for depth in 1..12 {
            assert!(move_limit(depth, false) <= move_limit(depth + 1, false));
            assert!(move_limit(depth, true) > move_limit(depth, false));
        }
    }
}
