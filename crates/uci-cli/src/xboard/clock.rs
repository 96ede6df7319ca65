//! The engine's clock, from which the limits of a search follow.

use std::time::Duration;
use tabiya_search::{Clock, Limits};

/// A time control: `level MOVES BASE INCREMENT`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeControl {
    /// Number of moves per period, or `None` if the base time is for the whole game.
    pub(super) moves: Option<u32>,
    pub(super) base: Duration,
    pub(super) increment: Duration,
}

impl TimeControl {
    /// Parses `40 5 0`, `40 5:30 0` or `0 2 12`: moves (0 for all), minutes or minutes:seconds, and the
    /// increment in seconds. As the protocol asks, other characters after the base time are ignored: it may name later
    /// periods there.
    pub(super) fn parse(text: &str) -> Option<TimeControl> {
        let mut fields = text.split_whitespace();
        let (moves, base, increment) = (fields.next()?, fields.next()?, fields.next()?);
        let end = base.find(|c: char| !matches!(c, '0'..='9' | ':' | '.')).unwrap_or(base.len());
        let (minutes, seconds) = base[..end].split_once(':').unwrap_or((&base[..end], "0"));
        let (minutes, seconds): (f64, f64) = (minutes.parse().ok()?, seconds.parse().ok()?);
        let time = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
        Some(TimeControl {
            moves: Some(moves.parse().ok()?).filter(|&moves| moves > 0),
            base: time(minutes * 60.0 + seconds)?,
            increment: time(increment.parse().ok()?)?,
        })
    }
}

/// The kind of time limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TimeLimit {
    Game(TimeControl),
    Move(Duration),
}

/// The engine's clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EngineClock {
    limit: TimeLimit,
    depth: Option<u32>,
    remaining: Duration,
}

/// The default of the protocol: 40 moves in five minutes.
const DEFAULT: TimeControl =
    TimeControl { moves: Some(40), base: Duration::from_secs(300), increment: Duration::ZERO };

impl EngineClock {
    pub(super) fn new() -> EngineClock {
        EngineClock { limit: TimeLimit::Game(DEFAULT), depth: None, remaining: DEFAULT.base }
    }

    /// Resets the clock for a new game and removes the depth limit.
    pub(super) fn reset(&mut self) {
        self.depth = None;
        if let TimeLimit::Game(control) = self.limit {
            self.remaining = control.base;
        }
    }

    pub(super) fn set_control(&mut self, control: TimeControl) {
        self.limit = TimeLimit::Game(control);
        self.remaining = control.base;
    }

    pub(super) fn set_move_time(&mut self, time: Duration) {
        self.limit = TimeLimit::Move(time);
    }

    pub(super) fn set_depth(&mut self, depth: u32) {
        self.depth = Some(depth);
    }

    /// The remaining time.
    pub(super) fn remaining(&self) -> Duration {
        self.remaining
    }

    pub(super) fn set_remaining(&mut self, remaining: Duration) {
        self.remaining = remaining;
    }

    /// The limits for the next move, after `moves` moves of the engine since the time control was set. The number is negative if
    /// more moves have been taken back.
    pub(super) fn limits(&self, moves: i64) -> Limits {
        let mut limits = Limits::default().with_depth(self.depth);
        match self.limit {
            TimeLimit::Move(time) => limits.movetime = Some(time),
            TimeLimit::Game(control) => {
                let moves_to_go = control.moves.map(|period| {
                    let period = i64::from(period);
                    (period - if moves > 0 { moves % period } else { moves }) as u32
                });
                let clock = Clock::new(self.remaining, control.increment);
                limits.clock = Some(clock.with_moves_to_go(moves_to_go));
            }
        }
        limits
    }

    /// Updates the clock after the engine's move number `moves` since the time control was set, for GUIs that do not send `time`
    /// before each move.
    pub(super) fn moved(&mut self, elapsed: Duration, moves: i64) {
        let TimeLimit::Game(control) = self.limit else { return };
        self.remaining = self.remaining.saturating_sub(elapsed).saturating_add(control.increment);
        if control.moves.is_some_and(|period| moves > 0 && moves % i64::from(period) == 0) {
            self.remaining = self.remaining.saturating_add(control.base);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(engine_clock: &EngineClock, moves: i64) -> (u128, u128, Option<u32>) {
        let clock = engine_clock.limits(moves).clock.unwrap();
        (clock.remaining.as_millis(), clock.increment.as_millis(), clock.moves_to_go)
    }

    #[test]
    fn parses_level() {
        for (text, moves, base, increment) in [
            ("40 5 0", Some(40), 300_000, 0),
            ("40 5:30 0", Some(40), 330_000, 0),
            ("0 2 12", None, 120_000, 12_000),
            ("0 0:10 0.5", None, 10_000, 500),
            ("40 25+5 0", Some(40), 1_500_000, 0),
            ("40 0:30,40/5 0", Some(40), 30_000, 0),
        ] {
            let control = TimeControl::parse(text).unwrap();
            let times = (control.base.as_millis(), control.increment.as_millis());
            assert_eq!((control.moves, times), (moves, (base, increment)), "{text}");
        }
        for bad in ["", "40", "40 5", "x 5 0", "40 -5 0", "40 5:x 0", "40 5 -1", "40 inf 0", "40 +5 0"] {
            assert_eq!(TimeControl::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn adds_the_base_time_after_each_period() {
        let mut engine_clock = EngineClock::new();
        engine_clock.set_control(TimeControl::parse("2 1 0").unwrap());
        assert_eq!(clock(&engine_clock, 0), (60_000, 0, Some(2)));
        engine_clock.moved(Duration::from_secs(50), 1);
        assert_eq!(clock(&engine_clock, 1), (10_000, 0, Some(1)));
        engine_clock.moved(Duration::from_secs(5), 2);
        assert_eq!(clock(&engine_clock, 2), (65_000, 0, Some(2)));
        for (moves, to_go) in [(-1, 3), (-2, 4), (-3, 5)] {
            assert_eq!(
                clock(&engine_clock, moves).2,
                Some(to_go),
                "{moves} moves: before the time control was set"
            );
        }
        engine_clock.moved(Duration::ZERO, 0);
        assert_eq!(clock(&engine_clock, 0).0, 65_000);
        engine_clock.set_remaining(Duration::from_secs(3));
        assert_eq!(clock(&engine_clock, 2).0, 3000);
        engine_clock.reset();
        assert_eq!(clock(&engine_clock, 0).0, 60_000);
    }

    #[test]
    fn limits_time_and_depth_per_move() {
        let mut engine_clock = EngineClock::new();
        engine_clock.set_move_time(Duration::from_secs(2));
        engine_clock.set_depth(5);
        let limits = engine_clock.limits(7);
        assert_eq!((limits.movetime, limits.depth), (Some(Duration::from_secs(2)), Some(5)));
        assert_eq!(limits.clock, None);
        engine_clock.reset();
        assert_eq!(engine_clock.limits(0).depth, None);
    }
}
