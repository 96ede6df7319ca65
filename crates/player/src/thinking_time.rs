//! The time that a person would take for a move.
//!
//! The numbers come from 21,500 moves of 438 rated Lichess games, from `180+0` to `600+5`, with clock times. Measured in shares, a
//! fortieth of the remaining time and 80 % of the increment, the median of a move was:
//!
//! | Moves | Median |
//! | --- | --- |
//! | 1-4 | 0.13 |
//! | 5-8 | 0.30 |
//! | 9-12 | 0.48 |
//! | 13-20 | 0.79 |
//! | 21-45 | 1.06 |
//! | from move 10: recaptures | 0.33 |
//! | from move 10: other moves | 0.96 |
//!
//! The logarithms of the times have a standard deviation of 0.8 in the opening and 1.1 later. Ratings from 1000 to 2300 make no
//! difference.

use crate::random::normal;
use std::time::Duration;
use tabiya_core::{Move, SplitMix64};
use tabiya_movegen::Game;
use tabiya_search::Clock;

/// The number of moves to which the remaining time is given. Less than in a game, because many moves take less than their share.
const MOVES: f64 = 40.0;
/// The part of the increment that a move may take.
const INCREMENT: f64 = 0.8;
/// The factor of a recapture.
const RECAPTURE: f64 = 0.35;
/// The factor of the only legal move.
const FORCED: f64 = 0.25;
/// The maximum thinking time, as a fraction of the remaining time. The search takes at most a quarter, so the clock cannot run out.
const MAX_PART: f64 = 1.0 / 8.0;
/// Time that is kept on the clock, for delays between program and clock.
const RESERVE: Duration = Duration::from_secs(1);
/// Longer clock times count as this one, so that sums cannot overflow.
const MAX_TIME: Duration = Duration::from_secs(100_000_000);

/// Returns the time that a person might take for the next move of a game, with that much on the clock. It is random; the seed should stay
/// the same in a game.
///
/// Set it as [`Limits::min_time`](tabiya_search::Limits::min_time) for play against people. It is at most an eighth of the remaining
/// time, and zero in the last second.
///
/// ```
/// use std::time::Duration;
/// use tabiya_movegen::Game;
/// use tabiya_player::thinking_time;
/// use tabiya_search::Clock;
///
/// let clock = Clock::new(Duration::from_secs(300), Duration::from_secs(3));
/// assert!(thinking_time(&Game::new(), clock, 7) < Duration::from_secs(38));
/// ```
pub fn thinking_time(game: &Game, clock: Clock, seed: u64) -> Duration {
    let position = game.position();
    let [remaining, increment] =
        [clock.remaining, clock.increment].map(|time| time.min(MAX_TIME).as_secs_f64());
    let moves =
        clock.moves_to_go.filter(|&moves| moves > 0).map_or(MOVES, |moves| f64::from(moves).min(MOVES));
    let share = remaining / moves + increment * INCREMENT;
    let (median, deviation) = stage(position.fullmove_number());
    let factor = match position.count_legal_moves() {
        1 => FORCED,
        _ if is_recapture(game) => RECAPTURE,
        _ => 1.0,
    };
    let mut random = SplitMix64::new(seed ^ position.key());
    let variation = (deviation * normal(random.next_u64(), random.next_u64())).exp();
    let max = (remaining - RESERVE.as_secs_f64()).max(0.0) * MAX_PART;
    Duration::from_secs_f64((share * median * factor * variation).min(max))
}

/// The median time for a move with this number, in shares, and the standard deviation of its logarithm.
fn stage(move_number: u16) -> (f64, f64) {
    match move_number {
        ..=4 => (0.13, 0.8),
        5..=8 => (0.30, 0.9),
        9..=12 => (0.48, 1.0),
        13..=20 => (0.85, 1.1),
        _ => (1.15, 1.1),
    }
}

/// Returns true if the last move was a capture, and the capturing piece can be taken.
fn is_recapture(game: &Game) -> bool {
    let is_retaken = |last: &Move| game.position().legal_moves().iter().any(|mv| mv.to() == last.to());
    game.moves().last().is_some_and(|last| last.is_capture() && is_retaken(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    const CLOCK: Clock = Clock::new(Duration::from_secs(300), Duration::ZERO);

    fn median(game: &Game, clock: Clock) -> f64 {
        let mut times: Vec<Duration> = (0..999).map(|seed| thinking_time(game, clock, seed)).collect();
        times.sort();
        times[times.len() / 2].as_secs_f64()
    }

    #[test]
    fn clock_cannot_run_out() {
        let game = Game::new();
        let ms = Duration::from_millis;
        for remaining in [0, 1, 999, 1000, 1001, 5000, 60_000, u64::MAX].map(ms) {
            for increment in [0, 1000, u64::MAX].map(ms) {
                for moves_to_go in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    for seed in 0..50 {
                        let clock = Clock::new(remaining, increment).with_moves_to_go(moves_to_go);
                        let time = thinking_time(&game, clock, seed);
                        assert!(time <= remaining / 8, "{clock:?}: {time:?}");
                    }
                }
            }
        }
        assert_eq!(thinking_time(&game, Clock::new(RESERVE, Duration::ZERO), 7), Duration::ZERO);
    }

    #[test]
    fn opening_moves_recaptures_and_forced_moves_are_quick() {
        let middlegame: Position =
            "r2q1rk1/1bp1bppp/p1np1n2/1p2p3/3PP3/1BP2N1P/PP3PP1/RNBQR1K1 b - - 0 20".parse().unwrap();
        let mut game = Game::from_position(middlegame);
        let usual = median(&game, CLOCK);
        assert!((4.0..9.0).contains(&usual), "{usual} s");
        assert!(median(&Game::new(), CLOCK) < usual / 4.0);
        for san in ["exd4", "a3", "dxc3"] {
            game.play_san(san).unwrap();
        }
        assert!(median(&game, CLOCK) < usual / 2.0, "Nxc3 and bxc3 recapture");
        let forced = Game::from_position("k7/8/1K6/8/8/8/8/6R1 b - - 0 40".parse().unwrap());
        assert_eq!(forced.position().count_legal_moves(), 1);
        assert!(median(&forced, CLOCK) < usual / 2.0);
    }

    #[test]
    fn capture_en_passant_can_be_taken_back() {
        for (fen, expected) in
            [("4k3/8/8/8/2p5/8/3P4/4K3 w - - 0 20", false), ("4k3/8/8/8/2p5/8/3PB3/4K3 w - - 0 20", true)]
        {
            let mut game = Game::from_position(fen.parse().unwrap());
            for san in ["d4", "cxd3"] {
                game.play_san(san).unwrap();
            }
            assert_eq!(is_recapture(&game), expected, "{fen}");
        }
    }

    #[test]
    fn seed_decides() {
        let game = Game::new();
        let times = [1, 2, 2].map(|seed| thinking_time(&game, CLOCK, seed));
        assert_ne!(times[0], times[1]);
        assert_eq!(times[1], times[2]);
    }
}
