//! Random games for tests.

use super::{EndReason, GameRecord, Origin, ScoredMove};
use crate::random::seeded;
use rand::RngExt;

/// Returns games of random moves from random start positions.
pub fn random_games(count: usize, seed: u64) -> Vec<GameRecord> {
    let mut random = seeded(seed);
    let mut game = |number: usize| {
        let origin = Origin::DRAWN[number % Origin::DRAWN.len()];
        let mut position = origin.draw(|| random.random_range(..960)).unwrap();
        let mut moves = Vec::new();
        let length = random.random_range(20..120);
        let skipped = random.random_range(0..10);
        let mut start = position.clone();
        for ply in 0..length {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[random.random_range(..legal.len())];
            if ply < skipped {
                start = position.play(mv).unwrap();
            } else {
                moves.push(ScoredMove { mv, score: random.random_range(-2000..=2000) });
            }
            position.play_unchecked(mv);
        }
        GameRecord {
            start,
            half_points: random.random_range(..=2),
            origin,
            end_reason: EndReason::ALL[number % EndReason::ALL.len()],
            moves,
        }
    };
    (0..count).map(&mut game).collect()
}
