//! The choice among the best moves of the threads.

use crate::limits::Limits;
use crate::root_moves::RootMove;
use tabiya_core::{Bound, INFINITE, MATE_IN_MAX_PLY, Value};

/// The constant part of a vote's weight, in centipawns.
const BASE_WEIGHT: Value = 14;
/// The maximum contribution of the value to a vote's weight, in centipawns.
const MAX_VALUE_WEIGHT: Value = 400;

/// Returns the index of the move to play among the best moves of the threads, of which the first is the main
/// thread's.
///
/// Each thread votes for its move, with a weight that grows with its depth and with the margin of its
/// value above the lowest one. Among the threads with the winning move, the one with the greatest depth is
/// chosen for its PV. If a thread has found a mate, the shortest mate is chosen without a vote.
///
/// With MultiPV the main thread's result is chosen, because only its lines are reported.
pub(crate) fn choose(results: &[RootMove], limits: &Limits) -> usize {
    if results.len() < 2 || limits.multipv > 1 {
        return 0;
    }
    let candidates: Vec<(usize, u32, &RootMove)> = results
        .iter()
        .enumerate()
        .map(|(index, best)| (index, best.depth.max(1), best))
        .filter(|(index, _, best)| *index == 0 || best.latest_value() > -INFINITE)
        .collect();
    let value = |best: &RootMove| best.latest_value();
    if let Some(&(index, _, best)) = candidates.iter().max_by_key(|(index, _, best)| {
        // The line of a thread that was stopped is not complete.
        (value(best), best.bound == Bound::Exact, usize::MAX - index)
    }) && value(best) >= MATE_IN_MAX_PLY
    {
        return index;
    }
    let lowest = candidates.iter().map(|(_, _, best)| value(best)).min().unwrap_or(0);
    let weight = |depth: u32, best: &RootMove| {
        i64::from(depth) * i64::from((value(best) - lowest).min(MAX_VALUE_WEIGHT) + BASE_WEIGHT)
    };
    let votes = |candidate: &RootMove| -> i64 {
        let voters = candidates.iter().filter(|(_, _, best)| best.mv == candidate.mv);
        voters.map(|(_, depth, best)| weight(*depth, best)).sum()
    };
    let rank = |&(index, depth, best): &(usize, u32, &RootMove)| (votes(best), depth, usize::MAX - index);
    candidates.iter().max_by_key(|result| rank(result)).map_or(0, |&(index, ..)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::{Move, mate_in};
    use tabiya_movegen::Position;

    fn result(mv: usize, depth: u32, value: Value) -> RootMove {
        let moves: Vec<Move> = Position::startpos().legal_moves().into_iter().collect();
        RootMove { value, previous_value: value, depth, ..RootMove::new(moves[mv]) }
    }

    fn choice(results: &[RootMove]) -> usize {
        choose(results, &Limits::default())
    }

    #[test]
    fn move_with_most_votes_wins() {
        assert_eq!(choice(&[result(0, 10, 20)]), 0);
        assert_eq!(choice(&[result(0, 10, 20), result(1, 10, 20), result(1, 10, 20)]), 1);
        assert_eq!(choice(&[result(0, 10, 20), result(1, 12, 60)]), 1);
        assert_eq!(choice(&[result(0, 10, 20), result(0, 12, 20)]), 1, "the deeper PV");
        assert_eq!(choice(&[]), 0);
    }

    #[test]
    fn shortest_mate_wins() {
        let results =
            [result(0, 20, 300), result(0, 20, 300), result(1, 5, mate_in(7)), result(2, 5, mate_in(5))];
        assert_eq!(choice(&results), 3);
        let stopped = RootMove { bound: Bound::Lower, ..result(2, 5, mate_in(5)) };
        assert_eq!(choice(&[stopped, result(2, 5, mate_in(5))]), 1, "the complete line");
    }

    #[test]
    fn main_thread_wins_with_multipv() {
        let results = [result(0, 10, 20), result(1, 12, 60)];
        assert_eq!(choose(&results, &Limits { multipv: 2, ..Limits::default() }), 0);
    }
}
