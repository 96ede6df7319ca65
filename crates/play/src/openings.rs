use tabiya_core::SplitMix64;
use tabiya_movegen::{Game, Position};
use tabiya_search::{Engine, Limits, Score};

/// How often moves are drawn anew before a position is given up as one that cannot be balanced.
const ATTEMPTS: u32 = 200;

/// Openings of random moves, for games from which something is to be learnt.
///
/// Engines that search alike play alike, so variety has to come from the openings. Random moves lead to
/// positions that no book has, and some of them to games that are over before they begin: those
/// are left out after a short search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomOpening {
    /// How many random moves; half of the openings have one more, so that either side may be to move.
    pub plies: u32,
    /// Nodes of the search that tells whether an opening is balanced.
    pub nodes: u64,
    /// How much better, in centipawns, either side may stand.
    pub most: u32,
}

impl Default for RandomOpening {
    fn default() -> RandomOpening {
        RandomOpening { plies: 8, nodes: 1000, most: 150 }
    }
}

impl RandomOpening {
    /// A game of random moves from `start`, not over and about even; the same for the same seed. `None`
    /// where there seems to be none.
    ///
    /// The engine forgets what it knew.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    /// use tabiya_play::RandomOpening;
    /// use tabiya_search::{Engine, Options};
    ///
    /// let mut engine = Engine::new(Options::default())?;
    /// let opening = RandomOpening::default();
    /// let game = opening.play(&mut engine, &Position::startpos(), 1).unwrap();
    /// assert!((8..=9).contains(&game.moves().len()));
    /// assert!(game.outcome().is_none());
    /// # Ok::<(), tabiya_search::EngineError>(())
    /// ```
    pub fn play(&self, engine: &mut Engine, start: &Position, seed: u64) -> Option<Game> {
        engine.clear();
        let mut random = SplitMix64::new(seed);
        (0..ATTEMPTS).find_map(|_| {
            let game = self.random_game(start, &mut random)?;
            let score = engine.go(&game, Limits::nodes(self.nodes)).answer().score;
            matches!(score, Some(Score::Centipawns(value)) if value.unsigned_abs() <= self.most)
                .then_some(game)
        })
    }

    fn random_game(&self, start: &Position, random: &mut SplitMix64) -> Option<Game> {
        let mut game = Game::from_position(start.clone());
        for _ in 0..self.plies + random.below(2) as u32 {
            let moves = game.position().legal_moves();
            if moves.is_empty() || game.play(moves[random.below(moves.len())]).is_err() {
                return None;
            }
        }
        let is_over = game.outcome().is_some() || game.claimable_draw().is_some();
        (!is_over).then_some(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tabiya_search::Options;

    #[test]
    fn openings_differ_by_seed_and_by_nothing_else() {
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).unwrap();
        let opening = RandomOpening { nodes: 300, ..RandomOpening::default() };
        let start = Position::startpos();
        let fens = |engine: &mut Engine| -> Vec<String> {
            (0..20).map(|seed| opening.play(engine, &start, seed).unwrap().position().to_string()).collect()
        };
        let first = fens(&mut engine);
        assert_eq!(first.iter().collect::<HashSet<_>>().len(), first.len());
        assert!(
            ["w", "b"].map(|side| first.iter().any(|fen| fen.contains(&format!(" {side} ")))) == [true; 2]
        );
        assert_eq!(fens(&mut engine), first);
    }

    #[test]
    fn what_cannot_be_balanced_is_given_up() {
        // Over already, and over after the only move there is.
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).unwrap();
        let opening = RandomOpening { nodes: 100, ..RandomOpening::default() };
        for fen in ["6k1/6Q1/6K1/8/8/8/8/8 b - - 0 1", "k7/8/8/8/8/8/1q6/K7 w - - 0 1"] {
            assert_eq!(opening.play(&mut engine, &Position::from_fen(fen).unwrap(), 1), None, "{fen}");
        }
    }
}
