//! Time management: the time for a move, and its adjustment while the search goes on.

use crate::limits::{Clock, Limits};
use crate::params;
use std::time::Duration;
use tabiya_core::{Move, Value};

/// The maximum number of moves to the time control; a larger number counts as this many.
const MAX_MOVES_TO_GO: i64 = 50;
/// The maximum clock time, in milliseconds (about three years), so that sums and products cannot overflow.
const MAX_MS: i64 = 100_000_000_000;
/// The time kept on the clock in reserve, in milliseconds, but at most three quarters of the clock: on a busy machine a
/// thread may have to wait this long for a processor once in a game, or a few milliseconds in each of many moves.
const RESERVE_MS: i64 = 300;

/// The number of nodes that are searched for a move even if no time is left.
const MIN_NODES: u64 = 2000;

/// The time limits of one move; `None` for no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TimeBudget {
    /// The time after which no new iteration is started: an iteration takes longer than all before it together
    /// and would probably not finish.
    pub(crate) soft: Option<Duration>,
    /// The time at which the search is stopped within an iteration.
    pub(crate) hard: Option<Duration>,
    /// The number of nodes to search before either limit counts: about a millisecond, which finds a far better move
    /// than depth 1 even if no time is left on the clock.
    pub(crate) min_nodes: u64,
}

impl TimeBudget {
    /// Allots the time for the move with this number in the game. `overhead` is the delay between the best
    /// move and its arrival at the clock.
    pub(crate) fn new(limits: &Limits, move_number: u16, overhead: Duration) -> TimeBudget {
        let clock = limits
            .clock
            .map_or(TimeBudget::default(), |clock| TimeBudget::from_clock(clock, move_number, overhead));
        // The overhead is taken off, but never more than a tenth, so that short times are still used.
        let movetime = limits.movetime.map(|time| time - overhead.min(time / 10));
        TimeBudget {
            soft: clock.soft,
            min_nodes: clock.min_nodes,
            hard: match (clock.hard, movetime) {
                (Some(clock), Some(movetime)) => Some(clock.min(movetime)),
                (clock, movetime) => clock.or(movetime),
            },
        }
    }

    /// Allots a share of the game's time.
    ///
    /// The remaining time less a reserve, and the increments to come, are divided by the expected number of
    /// moves. The time per move thus falls slowly for as long as most games last, to little more than the
    /// increment: no single move decides a game, and time left on the clock at its end is lost. The hard
    /// limit is some shares, but never so much that the clock could run out during this move.
    fn from_clock(clock: Clock, move_number: u16, overhead: Duration) -> TimeBudget {
        let milliseconds = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(MAX_MS).min(MAX_MS);
        let [overhead, remaining, increment] = [overhead, clock.remaining, clock.increment].map(milliseconds);
        // Some GUIs send "0 moves to go" for sudden death.
        let moves = match clock.moves_to_go {
            None | Some(0) => {
                let moves = i64::from(params::time_moves_to_go()) - i64::from(move_number) / 2;
                moves.max(params::time_min_moves_to_go().into())
            }
            Some(moves) => i64::from(moves).min(MAX_MOVES_TO_GO),
        };
        let left = (remaining - overhead - RESERVE_MS.min(remaining / 4 * 3)).max(0);
        // Before the last move of a time control nothing needs to be kept.
        let max = if moves == 1 { left / 10 * 9 } else { left / moves.min(4) };
        let share = (left + increment * (moves - 1)) / moves;
        let limit = |time: i64| Some(Duration::from_millis(time.unsigned_abs()));
        TimeBudget {
            soft: limit((share * i64::from(params::time_soft()) / 1000).min(max)),
            hard: limit((share * i64::from(params::time_hard()) / 1000).min(max)),
            min_nodes: MIN_NODES,
        }
    }
}

/// The adjustment of the soft limit by the course of the search.
///
/// If the best move has been stable for many iterations, took most of the nodes, and its value does not drop, further search
/// is unlikely to change it, and the time is better spent on later moves of the game.
#[derive(Debug, Default)]
pub(crate) struct TimeScale {
    best: Option<Move>,
    /// The number of iterations since the best move changed.
    stable_iterations: u32,
    /// The value of the last iteration.
    value: Value,
    /// A running mean of the earlier values.
    mean: Value,
    /// The share of the nodes that were spent on the best move, in thousandths.
    effort: u64,
}

impl TimeScale {
    /// Updates the factor with the result of an iteration.
    pub(crate) fn update(&mut self, best: Move, value: Value, effort: u64) {
        self.mean = if self.best.is_some() { (3 * self.mean + self.value) / 4 } else { value };
        self.stable_iterations = if self.best == Some(best) { self.stable_iterations + 1 } else { 0 };
        (self.best, self.value, self.effort) = (Some(best), value, effort);
    }

    /// Returns the factor on the soft limit, in thousandths.
    pub(crate) fn permille(&self) -> u64 {
        let stable = self.stable_iterations.min(8) as i32;
        let stability = (params::time_unstable() - params::time_stable_slope() * stable).max(100);
        let drop = (self.mean - self.value).clamp(-40, 200);
        let falling = (1000 + drop * params::time_drop_slope()).clamp(750, params::time_drop_max());
        let spent = params::time_effort_slope() * self.effort as i32 / 1000;
        let effort = (params::time_effort_base() - spent).clamp(300, 2000);
        [falling, effort].into_iter().fold(stability as u64, |product, factor| product * factor as u64 / 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(30);

    fn at_move(number: u16, remaining: i64, increment: i64, moves_to_go: Option<u32>) -> (i64, i64) {
        let clock = Clock::from_millis(remaining, increment).with_moves_to_go(moves_to_go);
        let budget = TimeBudget::new(&Limits::clock(clock), number, OVERHEAD);
        let ms = |time: Option<Duration>| time.expect("a clock limits the time").as_millis() as i64;
        (ms(budget.soft), ms(budget.hard))
    }

    #[test]
    fn without_a_clock_there_is_no_limit() {
        assert_eq!(TimeBudget::new(&Limits::depth(3), 1, OVERHEAD), TimeBudget::default());
    }

    #[test]
    fn budget_never_exceeds_the_clock() {
        for remaining in [0, 1, 29, 30, 31, 50, 100, 1000, 60_000, 1 << 40, i64::MAX] {
            for increment in [0, 10, 1000, 60_000, i64::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for number in [0, 1, 40, u16::MAX] {
                        let (soft, hard) = at_move(number, remaining, increment, moves_to_go);
                        let max = remaining.saturating_sub(30).max(0);
                        assert!(
                            soft <= hard && hard <= max,
                            "move {number}: {remaining} {increment} {moves_to_go:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn clock_grants_a_minimum_of_nodes() {
        let min_nodes = |limits: Limits| TimeBudget::new(&limits, 1, OVERHEAD).min_nodes;
        assert_eq!(min_nodes(Limits::clock(Clock::new(Duration::ZERO, Duration::ZERO))), MIN_NODES);
        assert_eq!(min_nodes(Limits::movetime(Duration::ZERO)), 0);
    }

    #[test]
    fn one_second_lasts_for_the_whole_game() {
        // 1 s + 0.01 s; every move takes its hard limit, and another 5 ms are lost each time.
        let (mut remaining, mut lowest) = (1000, 1000);
        for number in 1..=300 {
            let (_, hard) = at_move(number, remaining, 10, None);
            remaining -= hard + 5;
            lowest = lowest.min(remaining);
            remaining += 10;
        }
        assert!(lowest > 0, "{lowest} ms");
    }

    #[test]
    fn busy_machine_does_not_use_up_the_clock() {
        // 1 s + 0.01 s; every move takes its hard limit, and in the last ten the thread waits for 25 ms.
        let mut remaining = 1000;
        for number in 1..=70 {
            let (_, hard) = at_move(number, remaining, 10, None);
            remaining -= hard + if number > 60 { 25 } else { 0 };
            assert!(remaining > 0, "move {number}");
            remaining += 10;
        }
    }

    #[test]
    fn budget_uses_a_fair_share_of_the_clock() {
        let (soft, hard) = at_move(1, 60_000, 0, None);
        let share = 60_000 / i64::from(params::time_moves_to_go());
        assert!((share / 2..share * 2).contains(&soft) && hard > 2 * soft, "{soft} {hard}");
        let (soft, hard) = at_move(1, 10_000, 0, Some(1));
        assert!(soft > 5000 && hard > 8000, "{soft} {hard}");
    }

    #[test]
    fn time_per_move_falls_and_the_clock_is_used_up() {
        // 5 s + 0.05 s; every move takes its soft limit and a fifth more, as most do.
        let mut remaining = 5000;
        let used: Vec<i64> = (1..=80)
            .map(|number| {
                let used = at_move(number, remaining, 50, None).0 * 6 / 5;
                remaining += 50 - used;
                used
            })
            .collect();
        assert!(used[20] * 2 > used[0] && used[79] < used[40], "{used:?}");
        assert!(remaining < 1000, "{remaining} ms left at the end");
    }

    #[test]
    fn unstable_search_gets_more_time() {
        let moves: Vec<Move> = tabiya_movegen::Position::startpos().legal_moves().into_iter().collect();
        let permille = |iterations: &[(usize, Value, u64)]| {
            let mut scale = TimeScale::default();
            iterations.iter().for_each(|&(mv, value, effort)| scale.update(moves[mv], value, effort));
            scale.permille()
        };
        let stable = permille(&[(0, 20, 700); 9]);
        assert!((1..1000).contains(&stable), "{stable}");
        assert!(permille(&[(0, 20, 700), (0, 20, 700), (1, 20, 700)]) > stable);
        assert!(permille(&[(0, 20, 700), (0, 20, 700), (0, -60, 700)]) > permille(&[(0, 20, 700); 3]));
        assert!(permille(&[(0, 20, 300); 9]) > stable && permille(&[(0, 20, 950); 9]) < stable);
        // Less than the hard limit, which is five times the soft one.
        assert!(permille(&[(0, 20, 0), (1, -900, 0)]) < 5000);
    }

    #[test]
    fn movetime_keeps_the_overhead_in_reserve() {
        let hard = |ms| TimeBudget::new(&Limits::movetime(Duration::from_millis(ms)), 1, OVERHEAD).hard;
        assert_eq!(hard(1000), Some(Duration::from_millis(970)));
        assert_eq!(hard(100), Some(Duration::from_millis(90)));
        assert_eq!(hard(0), Some(Duration::ZERO));
        assert!(hard(u64::MAX).is_some());
    }
}
