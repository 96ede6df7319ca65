//! The engine's clock under the xboard protocol, and the limits that follow from it.

use std::time::Duration;
use tabiya_search::{Clock, Limits};

/// The times of a game: `level MOVES BASE INCREMENT`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeControl {
    /// The moves after which the clock is wound again; `None` if it has to last for the game.
    pub(super) moves: Option<u32>,
    pub(super) base: Duration,
    pub(super) increment: Duration,
}

impl TimeControl {
    /// Reads `40 5 0`, `40 5:30 0`, `0 2 12`: moves (0 for all), minutes or minutes and seconds, and the
    /// seconds added after each move.
    pub(super) fn parse(text: &str) -> Option<TimeControl> {
        let mut words = text.split_whitespace();
        let (moves, base, increment) = (words.next()?, words.next()?, words.next()?);
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let (minutes, seconds): (f64, f64) = (minutes.parse().ok()?, seconds.parse().ok()?);
        let time = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
        Some(TimeControl {
            moves: Some(moves.parse().ok()?).filter(|&moves| moves > 0),
            base: time(minutes * 60.0 + seconds)?,
            increment: time(increment.parse().ok()?)?,
        })
    }
}

/// How much time there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pace {
    Game(TimeControl),
    Move(Duration),
}

/// The engine's clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Watch {
    pace: Pace,
    depth: Option<u32>,
    left: Duration,
}

/// Five minutes for forty moves, as it is where nothing is said.
const USUAL: TimeControl =
    TimeControl { moves: Some(40), base: Duration::from_secs(300), increment: Duration::ZERO };

impl Watch {
    pub(super) fn new() -> Watch {
        Watch { pace: Pace::Game(USUAL), depth: None, left: USUAL.base }
    }

    /// A new game begins: the clock is wound, and no depth is set.
    pub(super) fn reset(&mut self) {
        self.depth = None;
        if let Pace::Game(control) = self.pace {
            self.left = control.base;
        }
    }

    pub(super) fn set_control(&mut self, control: TimeControl) {
        self.pace = Pace::Game(control);
        self.left = control.base;
    }

    pub(super) fn set_move_time(&mut self, time: Duration) {
        self.pace = Pace::Move(time);
    }

    pub(super) fn set_depth(&mut self, depth: u32) {
        self.depth = Some(depth);
    }

    /// What the clock shows.
    pub(super) fn left(&self) -> Duration {
        self.left
    }

    pub(super) fn set_left(&mut self, left: Duration) {
        self.left = left;
    }

    /// The limits for the next move of a side that has made `moves` moves.
    pub(super) fn limits(&self, moves: usize) -> Limits {
        let mut limits = Limits { depth: self.depth, ..Limits::default() };
        match self.pace {
            Pace::Move(time) => limits.movetime = Some(time),
            Pace::Game(control) => {
                limits.clock = Some(Clock {
                    remaining: milliseconds(self.left),
                    increment: milliseconds(control.increment),
                    moves_to_go: control.moves.map(|all| all - (moves % all as usize) as u32),
                });
            }
        }
        limits
    }

    /// The engine has taken so long for its move, and has made `moves` moves now. Programs tell the time
    /// before each move; this is for those that do not.
    pub(super) fn moved(&mut self, taken: Duration, moves: usize) {
        let Pace::Game(control) = self.pace else { return };
        self.left = self.left.saturating_sub(taken).saturating_add(control.increment);
        if control.moves.is_some_and(|all| moves.is_multiple_of(all as usize)) {
            self.left = self.left.saturating_add(control.base);
        }
    }
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(watch: &Watch, moves: usize) -> (i64, i64, Option<u32>) {
        let clock = watch.limits(moves).clock.unwrap();
        (clock.remaining, clock.increment, clock.moves_to_go)
    }

    #[test]
    fn all_forms_of_level() {
        for (text, moves, base, increment) in [
            ("40 5 0", Some(40), 300_000, 0),
            ("40 5:30 0", Some(40), 330_000, 0),
            ("0 2 12", None, 120_000, 12_000),
            ("0 0:10 0.5", None, 10_000, 500),
        ] {
            let control = TimeControl::parse(text).unwrap();
            let times = (control.base.as_millis(), control.increment.as_millis());
            assert_eq!((control.moves, times), (moves, (base, increment)), "{text}");
        }
        for bad in ["", "40", "40 5", "x 5 0", "40 -5 0", "40 5:x 0", "40 5 -1", "40 inf 0", "40 1e300 0"] {
            assert_eq!(TimeControl::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_clock_is_wound_after_the_last_move_of_a_control() {
        let mut watch = Watch::new();
        watch.set_control(TimeControl::parse("2 1 0").unwrap());
        assert_eq!(clock(&watch, 0), (60_000, 0, Some(2)));
        watch.moved(Duration::from_secs(50), 1);
        assert_eq!(clock(&watch, 1), (10_000, 0, Some(1)));
        watch.moved(Duration::from_secs(5), 2);
        assert_eq!(clock(&watch, 2), (65_000, 0, Some(2)));
        watch.set_left(Duration::from_secs(3));
        assert_eq!(clock(&watch, 2).0, 3000);
        watch.reset();
        assert_eq!(clock(&watch, 0).0, 60_000);
    }

    #[test]
    fn times_and_depths_by_the_move() {
        let mut watch = Watch::new();
        watch.set_move_time(Duration::from_secs(2));
        watch.set_depth(5);
        let limits = watch.limits(7);
        assert_eq!((limits.movetime, limits.depth), (Some(Duration::from_secs(2)), Some(5)));
        assert_eq!(limits.clock, None);
        watch.reset();
        assert_eq!(watch.limits(0).depth, None);
    }
}
