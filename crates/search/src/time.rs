//! How long to think about a move.

use crate::limits::{Clock, Limits};
use std::time::Duration;
use tabiya_core::{Move, Value};

/// How many moves a game is expected to last still when it begins, where the clock has to do for all of
/// it; one less for every two that have been played.
const MOVES_TO_GO: i64 = 32;
/// The same, however long the game has been.
const LEAST_MOVES_TO_GO: i64 = 14;
/// More moves than these are not provided for, whatever the time control.
const MOST_MOVES_TO_GO: i64 = 50;
/// Clocks are read as if they showed no more than this (a bit over three years), in milliseconds: sums
/// and products of times cannot overflow.
const MAX_MS: i64 = 100_000_000_000;

/// What is kept on the clock, unless that is more than half of it: on a busy machine a thread may
/// have to wait this long for a processor once in a game.
const RESERVE_MS: i64 = 300;

/// The time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Budget {
    /// Start no new iteration after this. Since an iteration takes longer than all those before it
    /// together, one that is started later would hardly be finished.
    pub(crate) soft: Option<Duration>,
    /// Answer at this time, whatever the state of the iteration.
    pub(crate) hard: Option<Duration>,
}

impl Budget {
    /// The time that the limits leave for the game's move with this number. `overhead` is what is lost on
    /// the way to the clock.
    pub(crate) fn new(limits: &Limits, move_number: u16, overhead: Duration) -> Budget {
        let clock =
            limits.clock.map_or(Budget::default(), |clock| Budget::of_clock(clock, move_number, overhead));
        // A time per move is kept from below: the answer needs a moment to arrive. Never by more than
        // a tenth, so that short times are still used.
        let movetime = limits.movetime.map(|time| time - overhead.min(time / 10));
        Budget {
            soft: clock.soft,
            hard: match (clock.hard, movetime) {
                (Some(clock), Some(movetime)) => Some(clock.min(movetime)),
                (clock, movetime) => clock.or(movetime),
            },
        }
    }

    /// The share of the game's time that goes to this move.
    ///
    /// A reserve is set aside; what is left of the clock and the increments to come are divided by the
    /// moves to come. So the time for a move falls slowly for as long as most games last, to little more than
    /// the increment: there is no move at which a game is decided, and what is left on the clock at its end
    /// is lost. The hard limit is four shares, but never so much that the clock could run out in this move.
    fn of_clock(clock: Clock, move_number: u16, overhead: Duration) -> Budget {
        let overhead = i64::try_from(overhead.as_millis()).unwrap_or(MAX_MS);
        let remaining = clock.remaining.clamp(0, MAX_MS);
        let increment = clock.increment.clamp(0, MAX_MS);
        // Some programs say "0 moves to go" for "all of the game".
        let moves = match clock.moves_to_go {
            None | Some(0) => (MOVES_TO_GO - i64::from(move_number) / 2).max(LEAST_MOVES_TO_GO),
            Some(moves) => i64::from(moves).min(MOST_MOVES_TO_GO),
        };
        let left = (remaining - overhead - RESERVE_MS.min(remaining / 2)).max(0);
        // Before the last move of a time control nothing needs to be kept.
        let most = if moves == 1 { left / 10 * 9 } else { left / moves.min(4) };
        let share = (left + increment * (moves - 1)) / moves;
        let milliseconds = |time: i64| Some(Duration::from_millis(time.unsigned_abs()));
        Budget { soft: milliseconds((share * 4 / 5).min(most)), hard: milliseconds((share * 4).min(most)) }
    }
}

/// How the search for a move has gone so far: what decides how much of its time the move is worth.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    best: Option<Move>,
    /// For how many iterations the best move has been the same.
    stable: u32,
    /// The value of the last iteration, and a running mean of those before.
    value: Value,
    mean: Value,
    /// The part of the nodes that went into the best move, in thousandths.
    effort: u64,
}

impl Progress {
    /// An iteration has ended.
    pub(crate) fn iteration(&mut self, best: Move, value: Value, effort: u64) {
        self.mean = if self.best.is_some() { (3 * self.mean + self.value) / 4 } else { value };
        self.stable = if self.best == Some(best) { self.stable + 1 } else { 0 };
        (self.best, self.value, self.effort) = (Some(best), value, effort);
    }

    /// How much of the time set aside for a move this one is worth, in thousandths.
    ///
    /// Why: where the best move has long been the same, took most of the nodes to confirm, and the value
    /// does not drop, further thought will hardly change it. The time is better spent where it will.
    pub(crate) fn share(&self) -> u64 {
        let stability = 1250 - 70 * u64::from(self.stable.min(8));
        let drop = (self.mean - self.value).clamp(-40, 80) as i64;
        let falling = (1000 + drop * 8).clamp(750, 1600) as u64;
        let effort = (1900 - self.effort * 5 / 4).clamp(600, 1600);
        stability * falling / 1000 * effort / 1000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(30);

    fn of_clock(remaining: i64, increment: i64, moves_to_go: Option<u32>) -> (i64, i64) {
        at_move(1, remaining, increment, moves_to_go)
    }

    fn at_move(number: u16, remaining: i64, increment: i64, moves_to_go: Option<u32>) -> (i64, i64) {
        let clock = Some(Clock { remaining, increment, moves_to_go });
        let budget = Budget::new(&Limits { clock, ..Limits::default() }, number, OVERHEAD);
        let ms = |time: Option<Duration>| time.expect("a clock limits the time").as_millis() as i64;
        (ms(budget.soft), ms(budget.hard))
    }

    #[test]
    fn no_clock_no_limit() {
        assert_eq!(Budget::new(&Limits::depth(3), 1, OVERHEAD), Budget::default());
    }

    #[test]
    fn never_more_than_there_is() {
        for remaining in [i64::MIN, -5000, -1, 0, 1, 29, 30, 31, 50, 100, 1000, 60_000, 1 << 40, i64::MAX] {
            for increment in [i64::MIN, -1, 0, 10, 1000, 60_000, i64::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for number in [0, 1, 40, u16::MAX] {
                        let (soft, hard) = at_move(number, remaining, increment, moves_to_go);
                        let most = remaining.saturating_sub(30).max(0);
                        assert!(
                            soft <= hard && hard <= most,
                            "move {number}: {remaining} {increment} {moves_to_go:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_whole_game_on_a_second() {
        // 1 s + 0.01 s; every move takes its hard limit, and another 5 ms get lost each time.
        let (mut remaining, mut least) = (1000, 1000);
        for number in 1..=300 {
            let (_, hard) = at_move(number, remaining, 10, None);
            remaining -= hard + 5;
            least = least.min(remaining);
            remaining += 10;
        }
        assert!(least >= 60, "{least} ms were left at the worst");
    }

    #[test]
    fn time_is_used() {
        let (soft, hard) = of_clock(60_000, 0, None);
        assert!((1000..3000).contains(&soft) && (4000..10_000).contains(&hard), "{soft} {hard}");
        let (soft, hard) = of_clock(10_000, 0, Some(1));
        assert!(soft > 5000 && hard > 8000, "{soft} {hard}");
    }

    #[test]
    fn a_clock_is_used_up_slowly_but_surely() {
        // 5 s + 0.05 s; every move takes its soft limit and a fifth more, as most do.
        let mut remaining = 5000;
        let used: Vec<i64> = (1..=80)
            .map(|number| {
                let used = at_move(number, remaining, 50, None).0 * 6 / 5;
                remaining += 50 - used;
                used
            })
            .collect();
        assert!(used[20] * 4 > used[0] * 3 && used[79] < used[40], "{used:?}");
        assert!(remaining < 700, "{remaining} ms were left in the end");
    }

    #[test]
    fn doubt_takes_longer() {
        let moves: Vec<Move> = tabiya_movegen::Position::startpos().legal_moves().into_iter().collect();
        let share = |iterations: &[(usize, Value, u64)]| {
            let mut progress = Progress::default();
            iterations.iter().for_each(|&(mv, value, effort)| progress.iteration(moves[mv], value, effort));
            progress.share()
        };
        let calm = share(&[(0, 20, 700); 9]);
        assert!((400..800).contains(&calm), "{calm}");
        assert!(share(&[(0, 20, 700), (0, 20, 700), (1, 20, 700)]) > calm);
        assert!(share(&[(0, 20, 700), (0, 20, 700), (0, -60, 700)]) > share(&[(0, 20, 700); 3]));
        assert!(share(&[(0, 20, 300); 9]) > calm && share(&[(0, 20, 950); 9]) < calm);
        assert!(share(&[(0, 20, 0), (1, -900, 0)]) < 4000);
    }

    #[test]
    fn a_time_per_move_is_kept() {
        let hard = |ms| Budget::new(&Limits::movetime(Duration::from_millis(ms)), 1, OVERHEAD).hard;
        assert_eq!(hard(1000), Some(Duration::from_millis(970)));
        assert_eq!(hard(100), Some(Duration::from_millis(90)));
        assert_eq!(hard(0), Some(Duration::ZERO));
        assert!(hard(u64::MAX).is_some());
    }
}
