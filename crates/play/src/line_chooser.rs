//! The choice of a move among the lines of a search.

use crate::strength::Strength;
use crate::uniform::uniform;
use tabiya_core::{Bound, Move, SplitMix64};
use tabiya_search::{BestMove, Info, Score};

/// A chooser of the move to play among the lines that a search reports.
///
/// It picks at random among the lines within a margin of the best, preferring better ones. It always plays a forced mate that
/// the search has found, and never chooses a line that gets mated over one that does not.
#[derive(Clone, Debug)]
pub struct LineChooser {
    strength: Strength,
    seed: u64,
    /// The latest report of each line, the best first.
    lines: Vec<Info>,
}

impl LineChooser {
    /// Creates a chooser. The same seed and the same reports give the same move.
    pub fn new(strength: Strength, seed: u64) -> LineChooser {
        LineChooser { strength, seed, lines: Vec::new() }
    }

    /// Updates the lines with a report of the search.
    pub fn update(&mut self, info: &Info) {
        let index = (info.multipv as usize).max(1) - 1;
        if info.bound == Bound::Exact && index <= self.lines.len() {
            self.lines.truncate(if index == 0 { 0 } else { self.lines.len() });
            match self.lines.get_mut(index) {
                Some(line) => *line = info.clone(),
                None => self.lines.push(info.clone()),
            }
        }
    }

    /// Returns the move to play, given the search's best move, and the chosen line if it begins with another move.
    pub fn choose(&self, best_move: BestMove) -> (BestMove, Option<&Info>) {
        let Some(chosen) = self.choose_line() else { return (best_move, None) };
        let mv: Option<Move> = chosen.pv.first().copied();
        if mv.is_none() || mv == best_move.best {
            return (best_move, None);
        }
        (BestMove { best: mv, ponder: chosen.pv.get(1).copied() }, Some(chosen))
    }

    fn choose_line(&self) -> Option<&Info> {
        let best = self.lines.first()?;
        // Play a forced mate, or delay being mated as long as possible.
        let Score::Centipawns(best_value) = best.score else { return Some(best) };
        let margin = self.strength.margin();
        let candidates = self.lines.iter().enumerate().filter_map(|(index, info)| match info.score {
            Score::Centipawns(value) if best_value - value <= margin => {
                let random = SplitMix64::hash(self.seed ^ SplitMix64::hash(index as u64 + 1) ^ info.nodes);
                Some((value + uniform(random, margin), info))
            }
            _ => None,
        });
        // The better line wins a tie.
        candidates.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, info)| info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation_noise::NoisyEvaluation;
    use crate::strength::Strength;
    use tabiya_eval::Evaluation;
    use tabiya_movegen::{Game, Position};
    use tabiya_search::{Engine, Limits, Options, SearchEvent};

    fn play(elo: u16, seed: u64, game: &Game) -> (Info, BestMove) {
        let strength = Strength::from_elo(elo);
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).expect("a megabyte");
        engine.set_evaluator(move || {
            Box::new(NoisyEvaluation::new(Evaluation::Handcrafted.evaluator(), strength, seed))
        });
        let mut chooser = LineChooser::new(strength, seed);
        let search = engine.go(game, strength.limit(Limits::default()));
        for event in search.events() {
            match event {
                SearchEvent::Info(info) => chooser.update(&info),
                SearchEvent::CurrentMove { .. } => {}
                SearchEvent::BestMove(best_move) => {
                    return (chooser.lines[0].clone(), chooser.choose(best_move).0);
                }
            }
        }
        panic!("no best move")
    }

    #[test]
    fn same_seed_gives_the_same_move() {
        let game = Game::new();
        let moves: Vec<_> = (0..12).map(|seed| play(800, seed, &game).1.best).collect();
        for (seed, &mv) in moves.iter().enumerate().take(3) {
            assert_eq!(play(800, seed as u64, &game).1.best, mv, "seed {seed}");
        }
        assert!(moves.iter().any(|&mv| mv != moves[0]), "{moves:?}");
        assert!(moves.iter().all(|mv| mv.is_some_and(|mv| game.position().is_legal(mv))));
    }

    #[test]
    fn lowest_elo_takes_a_queen_and_gives_mate() {
        // A pawn can take a queen; the back rank is open.
        for (fen, expected) in [
            ("4k3/pp3ppp/8/8/3q4/4P3/PP3PPP/4K3 w - - 0 1", "e3d4"),
            ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"),
        ] {
            let game = Game::from_position(fen.parse().expect("a position"));
            for seed in 0..8 {
                let best = play(800, seed, &game).1.best.map(|mv| mv.to_uci(false).to_string());
                assert_eq!(best.as_deref(), Some(expected), "{fen}, seed {seed}");
            }
        }
    }

    #[test]
    fn chooses_within_the_margin() {
        let strength = Strength::from_elo(800);
        let start = Position::startpos();
        let moves: Vec<Move> = start.legal_moves().into_iter().collect();
        let info = |number: u32, score| {
            Info::new(1, score)
                .with_seldepth(1)
                .with_multipv(number)
                .with_wdl(tabiya_search::Wdl { win: 0, draw: 1000, loss: 0 })
                .with_nodes(100)
                .with_time(std::time::Duration::ZERO)
                .with_pv(vec![moves[number as usize]])
        };
        let mut chosen = std::collections::HashSet::new();
        for seed in 0..200 {
            let mut chooser = LineChooser::new(strength, seed);
            for (number, value) in [(1, 50), (2, 40), (3, -50), (4, -400)] {
                chooser.update(&info(number, Score::Centipawns(value)));
            }
            let best_move = BestMove { best: Some(moves[1]), ponder: None };
            chosen.extend(chooser.choose(best_move).0.best);
        }
        assert!(chosen.contains(&moves[1]) && chosen.contains(&moves[2]));
        assert!(!chosen.contains(&moves[4]), "450 centipawns are beyond the margin");
        let mut chooser = LineChooser::new(strength, 3);
        chooser.update(&info(1, Score::Mate(2)));
        chooser.update(&info(2, Score::Centipawns(900)));
        let best_move = BestMove { best: Some(moves[1]), ponder: None };
        assert_eq!(chooser.choose(best_move).0, best_move);
    }
}
