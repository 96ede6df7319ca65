//! Balanced random openings.

use tabiya_core::SplitMix64;
use tabiya_movegen::{Game, Position};
use tabiya_search::{Answer, Engine, Limits};

/// The number of random games tried before giving up.
const ATTEMPTS: u32 = 200;

/// A generator of balanced openings of random moves, for self-play.
///
/// Games of an engine against itself differ only by their openings. Random moves reach positions that no book contains; a short
/// search rejects those that are already decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct RandomOpening {
    /// Number of random plies; half of the openings have one more, so that each side is to move in half of them.
    pub plies: u32,
    /// Nodes of the search that checks the balance.
    pub nodes: u64,
    /// The largest score of a balanced opening for either side, in centipawns.
    pub max_score: u32,
}

impl Default for RandomOpening {
    fn default() -> RandomOpening {
        RandomOpening { plies: 8, nodes: 1000, max_score: 150 }
    }
}

impl RandomOpening {
    /// Plays random moves from `start` and returns a balanced game that is not over, or `None` if 200 attempts fail. The same seed
    /// gives the same game.
    ///
    /// Clears the engine's transposition table and histories first.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    /// use tabiya_player::RandomOpening;
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
        self.play_with(start, seed, |game, limits| engine.go(game, limits.clone()).answer())
    }

    /// Plays random moves as [`play`](RandomOpening::play) does, with `search` to judge the positions.
    pub fn play_with(
        &self,
        start: &Position,
        seed: u64,
        mut search: impl FnMut(&Game, &Limits) -> Answer,
    ) -> Option<Game> {
        let limits = Limits::nodes(self.nodes);
        let mut random = SplitMix64::new(seed);
        (0..ATTEMPTS).find_map(|_| {
            let game = self.random_game(start, &mut random)?;
            let score = search(&game, &limits).score().centipawns()?;
            (score.unsigned_abs() <= self.max_score).then_some(game)
        })
    }

    fn random_game(&self, start: &Position, random: &mut SplitMix64) -> Option<Game> {
        let mut game = Game::from_position(start.clone());
        for _ in 0..self.plies.saturating_add(random.below(2) as u32) {
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
    fn openings_depend_on_the_seed_alone() {
        let mut engine = Engine::new(Options::default().with_hash_mb(1)).unwrap();
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
    fn gives_up_where_no_opening_is_balanced() {
        // A checkmate, and a position whose only move captures the last piece and so draws.
        let mut engine = Engine::new(Options::default().with_hash_mb(1)).unwrap();
        let opening = RandomOpening { nodes: 100, ..RandomOpening::default() };
        for fen in ["6k1/6Q1/6K1/8/8/8/8/8 b - - 0 1", "k7/8/8/8/8/8/1q6/K7 w - - 0 1"] {
            assert_eq!(opening.play(&mut engine, &Position::from_fen(fen).unwrap(), 1), None, "{fen}");
        }
    }
}
