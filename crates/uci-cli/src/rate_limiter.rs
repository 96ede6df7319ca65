//! Rate limiter for the lines of a search: `info` lines of UCI, thinking output of xboard.
//!
//! In a simple position a search can finish a hundred iterations of many lines each within milliseconds, and
//! a GUI that redraws for every line is then busy for seconds. A token bucket limits the rate. Lines beyond
//! it are held: only the latest iteration is kept, and printed as soon as the rate permits or before the best
//! move.

use std::time::{Duration, Instant};
use tabiya_search::Info;

/// Capacity of the token bucket, in lines.
const BURST: f64 = 200.0;
/// Refill rate in lines per second.
const RATE: f64 = 50.0;
/// Minimum time between `currmove` lines.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(50);

/// Decides which lines are printed at once and holds the others.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    /// True to print only the last iteration, at the end of the search.
    minimal: bool,
    /// Lines that may be printed now.
    tokens: f64,
    refilled: Instant,
    /// True if the lines of the current iteration are printed at once. The lines of an iteration are printed or
    /// held together.
    open: bool,
    held: Vec<Info>,
    last_move: Option<Instant>,
}

impl RateLimiter {
    pub(crate) fn new(minimal: bool, now: Instant) -> RateLimiter {
        RateLimiter { minimal, tokens: BURST, refilled: now, open: true, held: Vec::new(), last_move: None }
    }

    /// Returns the line if it may be printed now, and holds it otherwise.
    pub(crate) fn admit(&mut self, info: Info, now: Instant) -> Option<Info> {
        self.refill(now);
        if info.multipv <= 1 {
            self.open = !self.minimal && self.tokens >= 1.0;
            self.held.clear();
        }
        if self.open {
            self.tokens -= 1.0;
            return Some(info);
        }
        self.held.push(info);
        None
    }

    /// Returns true if a `currmove` line may be printed now.
    pub(crate) fn admit_current_move(&mut self, now: Instant) -> bool {
        let due = self.last_move.is_none_or(|last| now.duration_since(last) >= CURRENT_MOVE_INTERVAL);
        if due && !self.minimal {
            self.last_move = Some(now);
        }
        due && !self.minimal
    }

    /// The time at which held lines may be printed, if there are any.
    pub(crate) fn due(&self) -> Option<Instant> {
        let missing = (1.0 - self.tokens).max(0.0);
        let waiting = !self.held.is_empty() && !self.minimal;
        waiting.then(|| self.refilled + Duration::from_secs_f64(missing / RATE))
    }

    /// Takes the held lines, because they are due.
    pub(crate) fn take(&mut self) -> Vec<Info> {
        self.tokens -= self.held.len() as f64;
        std::mem::take(&mut self.held)
    }

    /// Takes the lines to print at the end of a search: those held, and `last`, the line of the move if that was not reported.
    pub(crate) fn finish(&mut self, last: Option<Info>) -> Vec<Info> {
        let mut lines = self.take();
        if self.minimal
            && let Some(last) = &last
        {
            lines.retain(|line| line.multipv != last.multipv);
        }
        lines.extend(last);
        lines
    }

    fn refill(&mut self, now: Instant) {
        let time = now.saturating_duration_since(self.refilled).as_secs_f64();
        self.tokens = (self.tokens + time * RATE).min(BURST);
        self.refilled = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_search::Score;

    fn info(depth: u32, multipv: u32) -> Info {
        Info::new(depth, Score::Centipawns(0)).with_seldepth(depth).with_multipv(multipv).with_nodes(1)
    }

    #[test]
    fn holds_excess_lines_and_keeps_the_last() {
        let start = Instant::now();
        let mut limiter = RateLimiter::new(false, start);
        let admitted = (1..=1000).filter(|&depth| limiter.admit(info(depth, 1), start).is_some()).count();
        assert_eq!(admitted, BURST as usize);
        let due = limiter.due().expect("lines are held");
        assert!(due > start && due < start + Duration::from_secs(1));
        assert_eq!(limiter.take(), [info(1000, 1)]);
        assert_eq!(limiter.due(), None);
        // A second later the bucket has tokens again.
        let later = start + Duration::from_secs(1);
        assert!(limiter.admit(info(1001, 1), later).is_some());
    }

    #[test]
    fn keeps_the_lines_of_an_iteration_together() {
        let start = Instant::now();
        let mut limiter = RateLimiter::new(false, start);
        let mut admitted = Vec::new();
        for depth in 1..=100 {
            for multipv in 1..=7 {
                admitted.extend(limiter.admit(info(depth, multipv), start));
            }
        }
        assert_eq!(admitted.len() % 7, 0);
        let held: Vec<_> = limiter.take().iter().map(|info| (info.depth, info.multipv)).collect();
        assert_eq!(held, (1..=7).map(|multipv| (100, multipv)).collect::<Vec<_>>());
    }

    #[test]
    fn minimal_holds_everything_but_the_last_iteration() {
        let start = Instant::now();
        let mut limiter = RateLimiter::new(true, start);
        assert_eq!((limiter.admit(info(1, 1), start), limiter.admit(info(2, 1), start)), (None, None));
        assert!(!limiter.admit_current_move(start));
        assert_eq!(limiter.due(), None);
        assert_eq!(limiter.finish(None), [info(2, 1)]);
        limiter.admit(info(3, 1), start);
        assert_eq!(limiter.finish(Some(info(1, 1))), [info(1, 1)]);
        limiter.admit(info(4, 1), start);
        limiter.admit(info(4, 2), start);
        assert_eq!(limiter.finish(Some(info(3, 2))), [info(4, 1), info(3, 2)]);
    }

    #[test]
    fn limits_the_rate_of_current_moves() {
        let start = Instant::now();
        let mut limiter = RateLimiter::new(false, start);
        let admitted =
            (0..100).filter(|&ms| limiter.admit_current_move(start + Duration::from_millis(ms))).count();
        assert_eq!(admitted, 2);
    }
}
