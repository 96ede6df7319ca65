//! Which thread's move to play.

use crate::limits::Limits;
use crate::root::Finding;
use crate::root_moves::RootMove;
use tabiya_core::{INFINITE, MATE_IN_MAX_PLY, Value};

/// Chooses among what the threads have found, the first of them being the leading one's. Returns the place
/// of the chosen one.
///
/// Each thread votes for its move, with a weight that grows with its depth and with how much better than
/// the others it takes the position to be. Among the threads with the winning move the deepest is
/// chosen, since its line is worth most. A proven mate wins outright, the shortest first.
///
/// Only the leading thread has searched every line that was asked for, so it decides alone where there are
/// several.
pub(crate) fn choose(findings: &[Finding], limits: &Limits) -> usize {
    if findings.len() < 2 || limits.multipv > 1 {
        return 0;
    }
    let usable: Vec<(usize, u32, &RootMove)> = findings
        .iter()
        .enumerate()
        .filter_map(|(place, finding)| Some((place, finding.depth, finding.best.as_ref()?)))
        .filter(|(place, _, best)| *place == 0 || best.latest() > -INFINITE)
        .collect();
    let value = |best: &RootMove| best.latest();
    if let Some(&(place, _, best)) =
        usable.iter().max_by_key(|(place, _, best)| (value(best), usize::MAX - place))
        && value(best) >= MATE_IN_MAX_PLY
    {
        return place;
    }
    let worst = usable.iter().map(|(_, _, best)| value(best)).min().unwrap_or(0);
    let weight =
        |depth: u32, best: &RootMove| i64::from(depth) * i64::from((value(best) - worst).min(400) + MARGIN);
    let votes = |candidate: &RootMove| -> i64 {
        let voters = usable.iter().filter(|(_, _, best)| best.mv == candidate.mv);
        voters.map(|(_, depth, best)| weight(*depth, best)).sum()
    };
    let rank = |&(place, depth, best): &(usize, u32, &RootMove)| (votes(best), depth, usize::MAX - place);
    usable.iter().max_by_key(|finding| rank(finding)).map_or(0, |&(place, ..)| place)
}

/// What every vote is worth before its value counts, in centipawns.
const MARGIN: Value = 14;

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::{Bound, Move, mate_in};
    use tabiya_movegen::Position;

    fn finding(mv: usize, depth: u32, value: Value) -> Finding {
        let moves: Vec<Move> = Position::startpos().legal_moves().into_iter().collect();
        let mv = moves[mv];
        let best = RootMove {
            mv,
            rank: 0,
            outcome: None,
            value,
            previous: value,
            bound: Bound::Exact,
            seldepth: 1,
            nodes: 1,
            pv: vec![mv],
        };
        Finding { depth, best: Some(best) }
    }

    fn choice(findings: &[Finding]) -> usize {
        choose(findings, &Limits::default())
    }

    #[test]
    fn most_votes_win() {
        assert_eq!(choice(&[finding(0, 10, 20)]), 0);
        assert_eq!(choice(&[finding(0, 10, 20), finding(1, 10, 20), finding(1, 10, 20)]), 1);
        assert_eq!(choice(&[finding(0, 10, 20), finding(1, 12, 60)]), 1);
        assert_eq!(choice(&[finding(0, 10, 20), finding(0, 12, 20)]), 1, "the deeper line");
        let none = Finding { depth: 0, best: None };
        assert_eq!(choice(&[none.clone(), none]), 0);
    }

    #[test]
    fn the_shortest_mate_wins() {
        let findings =
            [finding(0, 20, 300), finding(0, 20, 300), finding(1, 5, mate_in(7)), finding(2, 5, mate_in(5))];
        assert_eq!(choice(&findings), 3);
    }

    #[test]
    fn several_lines_are_the_leading_threads() {
        let findings = [finding(0, 10, 20), finding(1, 12, 60)];
        assert_eq!(choose(&findings, &Limits { multipv: 2, ..Limits::default() }), 0);
    }
}
