//! The choice of a move among the lines of a search.

use crate::candidates::Candidate;
use crate::strength::Strength;
use std::sync::{Arc, Mutex, PoisonError};
use tabiya_core::{Bound, Key, Move};
use tabiya_movegen::Position;
use tabiya_search::{BestMove, Info, Score};

/// The largest difference of a chosen line from the best, in units of the spread.
const MAX_SPREADS: f64 = 4.0;

/// A move planned for a position that is expected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) key: Key,
    pub(super) mv: Move,
}

/// A chooser of the move to play among the lines that a search reports.
///
/// It picks at random among the lines within a margin of the best, preferring better ones. It always plays a forced mate that
/// the search has found, and never chooses a line that gets mated over one that does not.
#[derive(Clone, Debug)]
pub(crate) struct LineChooser {
    position: Position,
    strength: Strength,
    candidates: Vec<Candidate>,
    /// Receives the plan of the chosen line.
    plan: Arc<Mutex<Option<Plan>>>,
    /// The latest report of each line, the best first, with the statistics of the whole search.
    lines: Vec<Info>,
}

impl LineChooser {
    /// Creates a chooser among moves of `position`.
    pub(super) fn new(
        position: &Position,
        strength: Strength,
        candidates: Vec<Candidate>,
        plan: Arc<Mutex<Option<Plan>>>,
    ) -> LineChooser {
        LineChooser { position: position.clone(), strength, candidates, plan, lines: Vec::new() }
    }

    /// Updates the lines with a report of the search.
    pub(crate) fn update(&mut self, info: &Info) {
        let index = (info.multipv as usize).max(1) - 1;
        // A mate is proven by a lower bound, too.
        let is_proven = info.bound == Bound::Exact || (info.bound == Bound::Lower && info.score.is_mating());
        if is_proven && index <= self.lines.len() {
            self.lines.truncate(if index == 0 { 0 } else { self.lines.len() });
            match self.lines.get_mut(index) {
                Some(line) => *line = info.clone(),
                None => self.lines.push(info.clone()),
            }
        }
        for line in &mut self.lines {
            (line.nodes, line.time) = (info.nodes, info.time);
            (line.hashfull, line.tb_hits) = (info.hashfull, info.tb_hits);
        }
    }

    /// Returns the move to play, given the search's best move, and the chosen line if it begins with another move.
    pub(crate) fn choose(&self, best_move: BestMove) -> (BestMove, Option<&Info>) {
        let Some(chosen) = self.choose_line() else { return (best_move, None) };
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = self.plan(&chosen.pv);
        let mv: Option<Move> = chosen.pv.first().copied();
        if mv.is_none() || mv == best_move.best {
            return (best_move, None);
        }
        (BestMove { best: mv, ponder: chosen.pv.get(1).copied() }, Some(chosen))
    }

    /// The score of the line that begins with `mv`, or `None` if there is none.
    pub(crate) fn score(&self, mv: Move) -> Option<Score> {
        self.lines.iter().find(|line| line.pv.first() == Some(&mv)).map(|line| line.score)
    }

    /// Returns the plan to continue a line, if the opponent plays as expected.
    fn plan(&self, line: &[Move]) -> Option<Plan> {
        let &[mv, reply, next, ..] = line else { return None };
        let expected = self.position.play(mv).ok()?.play(reply).ok()?;
        Some(Plan { key: expected.key(), mv: next })
    }

    fn choose_line(&self) -> Option<&Info> {
        let best = self.lines.first()?;
        // Play a forced mate, or delay being mated as long as possible.
        let Score::Centipawns(best_value) = best.score else { return Some(best) };
        let spread = f64::from(self.strength.spread());
        let candidates = self.lines.iter().filter_map(|info| {
            let Score::Centipawns(value) = info.score else { return None };
            let mv = info.pv.first()?;
            let preference = self.candidates.iter().find(|candidate| candidate.mv == *mv)?.preference;
            let is_close = f64::from(best_value - value) <= MAX_SPREADS * spread;
            is_close.then_some((f64::from(value) + spread * preference, info))
        });
        // The better line wins a tie.
        candidates.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, info)| info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::gumbel;
    use tabiya_core::SplitMix64;

    fn info(number: u32, score: Score, moves: &[Move]) -> Info {
        Info::new(1, score)
            .with_seldepth(1)
            .with_multipv(number)
            .with_wdl(tabiya_search::Wdl { win: 0, draw: 1000, loss: 0 })
            .with_nodes(100)
            .with_time(std::time::Duration::ZERO)
            .with_pv(moves.to_vec())
    }

    fn chooser(moves: &[Move], seed: u64) -> LineChooser {
        let candidate = |&mv: &Move| Candidate {
            mv,
            preference: gumbel(SplitMix64::hash(seed ^ SplitMix64::hash(u64::from(mv.to_bits())))),
        };
        let candidates = moves.iter().map(candidate).collect();
        LineChooser::new(&Position::startpos(), Strength::from_elo(800), candidates, Arc::default())
    }

    #[test]
    fn chooses_within_the_margin() {
        let moves: Vec<Move> = Position::startpos().legal_moves().into_iter().collect();
        let best_move = BestMove { best: Some(moves[1]), ponder: None };
        let mut chosen = std::collections::HashSet::new();
        for seed in 0..200 {
            let mut chooser = chooser(&moves, seed);
            for (number, value) in [(1, 50), (2, 40), (3, -50), (4, -400)] {
                chooser.update(&info(number, Score::Centipawns(value), &[moves[number as usize]]));
            }
            chosen.extend(chooser.choose(best_move).0.best);
        }
        assert!(chosen.contains(&moves[1]) && chosen.contains(&moves[2]));
        assert!(!chosen.contains(&moves[4]), "450 centipawns are beyond the margin");
        let mut mating = chooser(&moves, 3);
        mating.update(&info(1, Score::Mate(2), &[moves[1]]));
        mating.update(&info(2, Score::Centipawns(900), &[moves[2]]));
        assert_eq!(mating.choose(best_move).0, best_move);
        // The search ended after the first line failed high.
        for seed in 0..50 {
            let mut chooser = chooser(&moves, seed);
            for (number, value) in [(1, 50), (2, 40)] {
                chooser.update(&info(number, Score::Centipawns(value), &[moves[number as usize + 2]]));
            }
            chooser.update(&info(1, Score::Mate(3), &[moves[1]]).with_bound(Bound::Lower));
            assert_eq!(chooser.choose(best_move).0, best_move);
        }
    }

    #[test]
    fn plan_is_the_next_move_of_the_line() {
        let mut game = tabiya_movegen::Game::new();
        let line = ["e2e4", "e7e5", "g1f3"].map(|mv| game.play_uci(mv).expect("a legal move"));
        let mut chooser = chooser(&line[..1], 1);
        chooser.update(&info(1, Score::Centipawns(30), &line));
        chooser.choose(BestMove { best: Some(line[0]), ponder: None });
        let plan = chooser.plan.lock().expect("no panic").expect("a plan");
        game.undo();
        assert_eq!((plan.key, plan.mv), (game.position().key(), line[2]));
    }
}
