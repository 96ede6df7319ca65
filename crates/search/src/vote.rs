//! The choice among the results of the threads.

use crate::limits::Limits;
use crate::root_moves::{RootMove, ThreadResult};
use tabiya_core::{INFINITE, MATE_IN_MAX_PLY, Value};

/// The weight of a vote before the value counts, in centipawns.
const BASE_WEIGHT: Value = 14;
/// The maximum part of the value in the weight of a vote, in centipawns.
const MAX_VALUE_WEIGHT: Value = 400;

/// Returns the index of the result to play. The first result is the main thread's.
///
/// Each thread votes for its best move, with a weight that grows with its depth and with the margin of its
/// value above the lowest one. Among the threads with the winning move the deepest is chosen, for its PV. A
/// mate wins outright, the shortest first.
///
/// With MultiPV the main thread's result is chosen, as no other thread's lines are complete.
pub(crate) fn choose(results: &[ThreadResult], limits: &Limits) -> usize {
    if results.len() < 2 || limits.multipv > 1 {
        return 0;
    }
    let usable: Vec<(usize, u32, &RootMove)> = results
        .iter()
        .enumerate()
        .filter_map(|(index, result)| Some((index, result.depth, result.best.as_ref()?)))
        .filter(|(index, _, best)| *index == 0 || best.latest_value() > -INFINITE)
        .collect();
    let value = |best: &RootMove| best.latest_value();
    if let Some(&(index, _, best)) =
        usable.iter().max_by_key(|(index, _, best)| (value(best), usize::MAX - index))
        && value(best) >= MATE_IN_MAX_PLY
    {
        return index;
    }
    let lowest = usable.iter().map(|(_, _, best)| value(best)).min().unwrap_or(0);
    let weight = |depth: u32, best: &RootMove| {
        i64::from(depth) * i64::from((value(best) - lowest).min(MAX_VALUE_WEIGHT) + BASE_WEIGHT)
    };
    let votes = |candidate: &RootMove| -> i64 {
        let voters = usable.iter().filter(|(_, _, best)| best.mv == candidate.mv);
        voters.map(|(_, depth, best)| weight(*depth, best)).sum()
    };
    let rank = |&(index, depth, best): &(usize, u32, &RootMove)| (votes(best), depth, usize::MAX - index);
    usable.iter().max_by_key(|result| rank(result)).map_or(0, |&(index, ..)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::{Move, mate_in};
    use tabiya_movegen::Position;

    fn result(mv: usize, depth: u32, value: Value) -> ThreadResult {
        let moves: Vec<Move> = Position::startpos().legal_moves().into_iter().collect();
        ThreadResult {
            depth,
            best: Some(RootMove { value, previous_value: value, ..RootMove::new(moves[mv]) }),
        }
    }

    fn choice(results: &[ThreadResult]) -> usize {
        choose(results, &Limits::default())
    }

    #[test]
    fn move_with_most_votes_wins() {
        assert_eq!(choice(&[result(0, 10, 20)]), 0);
        assert_eq!(choice(&[result(0, 10, 20), result(1, 10, 20), result(1, 10, 20)]), 1);
        assert_eq!(choice(&[result(0, 10, 20), result(1, 12, 60)]), 1);
        assert_eq!(choice(&[result(0, 10, 20), result(0, 12, 20)]), 1, "the deeper PV");
        let none = ThreadResult { depth: 0, best: None };
        assert_eq!(choice(&[none.clone(), none]), 0);
    }

    #[test]
    fn shortest_mate_wins() {
        let results =
            [result(0, 20, 300), result(0, 20, 300), result(1, 5, mate_in(7)), result(2, 5, mate_in(5))];
        assert_eq!(choice(&results), 3);
    }

    #[test]
    fn main_thread_wins_with_multipv() {
        let results = [result(0, 10, 20), result(1, 12, 60)];
        assert_eq!(choose(&results, &Limits { multipv: 2, ..Limits::default() }), 0);
    }
}
