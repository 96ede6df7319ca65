//! Openings of random moves, none of which loses much.

use super::score_range::ScoreRange;
use rand::RngExt;
use rand::seq::SliceRandom;
use tabiya_core::Move;
use tabiya_lab_common::random::{self, Random};
use tabiya_movegen::Game;
use tabiya_search::{BlockingEngine, Limits};

/// Nodes of the search that judges a move.
const MOVE_NODES: u64 = 100;

/// Number of moves tried in a position before the opening is given up.
const ATTEMPTS: usize = 12;

/// Centipawns by which the score after the last move may lie outside the range: it comes from a short search.
const SCORE_SLACK: i32 = 15;

/// The settings of a set of openings.
#[derive(Clone, Copy, Debug)]
pub(super) struct RandomMoves {
    /// Seed of the set.
    pub(super) seed: u64,
    /// Range of the number of plies.
    pub(super) plies: (u32, u32),
    /// Largest loss of a move by the score of a short search, in centipawns.
    pub(super) max_loss: i32,
    /// Range of the score of an opening.
    pub(super) range: ScoreRange,
}

impl RandomMoves {
    /// Returns the opening with this number, or `None` if it failed. An opening depends only on the settings, the number and the
    /// search.
    ///
    /// At each ply a legal move is drawn, and drawn again while it loses more than [`max_loss`](Self::max_loss). After the last
    /// one the score must also be about in the range.
    pub(super) fn opening(&self, engine: &mut BlockingEngine, number: u64) -> Option<Game> {
        let mut random = random::substream(self.seed, number);
        let plies = random.random_range(self.plies.0..=self.plies.1);
        let mut game = Game::new();
        engine.clear();
        let mut score = score(engine, &game)?;
        for ply in 1..=plies {
            score = self.play_move(engine, &mut game, score, ply == plies, &mut random)?;
        }
        Some(game)
    }

    /// Plays a random move and returns the score for the other side.
    fn play_move(
        &self,
        engine: &mut BlockingEngine,
        game: &mut Game,
        score_before: i32,
        is_last: bool,
        random: &mut Random,
    ) -> Option<i32> {
        let mut moves: Vec<Move> = game.position().legal_moves().into_iter().collect();
        moves.shuffle(random);
        for mv in moves.into_iter().take(ATTEMPTS) {
            let mut next = game.clone();
            if next.play(mv).is_err() || next.outcome().is_some() || next.repetitions() > 1 {
                continue;
            }
            if let Some(score) = score(engine, &next)
                && score_before + score <= self.max_loss
                && (!is_last || self.range.contains(score, next.position().side_to_move(), SCORE_SLACK))
            {
                *game = next;
                return Some(score);
            }
        }
        None
    }
}

/// Returns the score of a short search, in centipawns, or `None` for a mate.
fn score(engine: &mut BlockingEngine, game: &Game) -> Option<i32> {
    engine.search(game, &Limits::nodes(MOVE_NODES)).score().centipawns()
}
