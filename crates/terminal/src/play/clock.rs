//! Time controls and the clocks of both sides.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use tabiya_core::Color;

/// A time control: minutes for the game and an increment per move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeControl {
    pub(super) base: Duration,
    pub(super) increment: Duration,
}

impl TimeControl {
    /// Parses the value of a `TimeControl` tag, `300+3` or `300`, both in seconds.
    pub(super) fn from_tag(text: &str) -> Option<TimeControl> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        Some(TimeControl { base: seconds(base, 1.0)?, increment: seconds(increment, 1.0)? })
            .filter(|control| !control.base.is_zero())
    }
}

/// Parses minutes and an increment in seconds: `5+3`, `0.5+1` or `10`.
impl FromStr for TimeControl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<TimeControl, &'static str> {
        let (minutes, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (seconds(minutes, 60.0), seconds(increment, 1.0)) {
            (Some(base), Some(increment)) if !base.is_zero() => Ok(TimeControl { base, increment }),
            _ => Err("expected minutes and an increment in seconds, as in 5+3 or 10"),
        }
    }
}

/// The value of a `TimeControl` tag, in seconds.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

/// Parses a non-negative number of a unit of this many seconds, at most a day in all.
fn seconds(text: &str, unit: f64) -> Option<Duration> {
    // `f64` also parses words, such as `inf`.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let time = Duration::try_from_secs_f64(text.parse::<f64>().ok()? * unit).ok()?;
    (is_number && time <= Duration::from_secs(86_400)).then_some(time)
}

/// The clocks of both sides, with the times after all moves, so that moves can be taken back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Clocks {
    control: TimeControl,
    /// The side that made the first move.
    first: Color,
    /// For each move, the time left to its side after it.
    left: Vec<Duration>,
}

impl Clocks {
    /// Clocks at the start of a game in which `first` moves first.
    pub(super) fn new(control: TimeControl, first: Color) -> Clocks {
        Clocks { control, first, left: Vec::new() }
    }

    /// Clocks after moves of which these times are known.
    pub(super) fn with_times(
        control: TimeControl,
        first: Color,
        times: impl Iterator<Item = Option<Duration>>,
    ) -> Clocks {
        let mut clocks = Clocks::new(control, first);
        for (ply, time) in times.enumerate() {
            let time = time.unwrap_or_else(|| clocks.left(clocks.mover(ply), ply));
            clocks.left.push(time);
        }
        clocks
    }

    pub(super) fn control(&self) -> TimeControl {
        self.control
    }

    /// The time left to a side after the first `plies` moves.
    pub(super) fn left(&self, side: Color, plies: usize) -> Duration {
        let last = (0..plies.min(self.left.len())).rev().find(|&ply| self.mover(ply) == side);
        last.and_then(|ply| self.left.get(ply)).copied().unwrap_or(self.control.base)
    }

    /// The time left after the move of this index to the side that made it.
    pub(super) fn after_move(&self, ply: usize) -> Option<Duration> {
        self.left.get(ply).copied()
    }

    /// Records the time taken for the move of index `ply` and discards those of later moves. Returns false, and changes nothing, if
    /// the time was up.
    pub(super) fn spend(&mut self, ply: usize, elapsed: Duration) -> bool {
        let left = self.left(self.mover(ply), ply);
        if elapsed > left {
            return false;
        }
        self.left.truncate(ply);
        self.left.push(left - elapsed + self.control.increment);
        true
    }

    fn mover(&self, ply: usize) -> Color {
        if ply.is_multiple_of(2) { self.first } else { !self.first }
    }
}

/// Formats a time as on a chess clock: `1:02:03` or `4:58`, under 20 seconds with tenths.
pub(super) fn display(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 if seconds < 20 => format!("0:{rest:02}.{}", time.subsec_millis() / 100),
        0 => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn parses_time_controls() {
        for (text, base, increment, tag) in [
            ("5+3", 300, 3, "300+3"),
            ("10", 600, 0, "600"),
            ("0.5+1", 30, 1, "30+1"),
            ("90+30", 5400, 30, "5400+30"),
        ] {
            let control = TimeControl { base: s(base), increment: s(increment) };
            assert_eq!(text.parse(), Ok(control), "{text}");
            assert_eq!(control.to_string(), tag);
            assert_eq!(TimeControl::from_tag(tag), Some(control));
        }
        for bad in ["", "0+3", "5+", "+3", "-5+3", "5+-3", "inf", "NaN", "1e9", "5+3+1", "99999"] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
        for bad in ["-", "?", "40/9000", "1/0.25", "*180"] {
            assert_eq!(TimeControl::from_tag(bad), None, "{bad}");
        }
    }

    #[test]
    fn clocks_follow_the_moves() {
        let control = TimeControl { base: s(60), increment: s(2) };
        let mut clocks = Clocks::new(control, Color::Black);
        assert!(clocks.spend(0, s(10)) && clocks.spend(1, s(1)) && clocks.spend(2, s(20)));
        assert_eq!((clocks.left(Color::Black, 3), clocks.left(Color::White, 3)), (s(34), s(61)));
        assert!(!clocks.spend(3, s(62)));
        // A move taken back and made again.
        assert_eq!(clocks.left(Color::Black, 2), s(52));
        assert!(clocks.spend(2, s(52)));
        assert_eq!(clocks.left(Color::Black, 3), s(2));
        assert_eq!((clocks.after_move(1), clocks.after_move(3)), (Some(s(61)), None));
    }

    #[test]
    fn unknown_times_are_those_of_the_move_before() {
        let control = TimeControl { base: s(60), increment: s(0) };
        let times = [Some(s(50)), None, None, Some(s(40))].into_iter();
        let clocks = Clocks::with_times(control, Color::White, times);
        assert_eq!((clocks.left(Color::White, 4), clocks.left(Color::Black, 4)), (s(50), s(40)));
        assert_eq!(clocks.left(Color::Black, 3), s(60));
    }

    #[test]
    fn displays_times_as_on_a_clock() {
        let texts = [3723, 298, 60, 20].map(|seconds| display(s(seconds)));
        assert_eq!(texts, ["1:02:03", "4:58", "1:00", "0:20"]);
        assert_eq!(display(Duration::from_millis(9_870)), "0:09.8");
    }
}
