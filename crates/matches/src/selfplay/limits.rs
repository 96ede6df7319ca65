//! Search limits and clocks.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Limits of a player. At least one is set; if several are set, all apply.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// Time control of the game.
    pub clock: Option<TimeControl>,
    /// Milliseconds per move.
    pub movetime: Option<u64>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Depth, in plies.
    pub depth: Option<u32>,
    /// Clocks run by the time that the engine reports, for engines that measure time in nodes.
    #[serde(default)]
    pub engine_time: bool,
}

impl Limits {
    /// Returns true if no limit is set.
    pub fn is_empty(&self) -> bool {
        *self == Limits { engine_time: self.engine_time, ..Limits::default() }
    }

    /// Returns true if games are reproducible under these limits, that is, if none depends on time.
    pub fn is_deterministic(&self) -> bool {
        self.engine_time || (self.clock.is_none() && self.movetime.is_none())
    }
}

/// Formats as in `40/60+0.5, 5000 nodes per move`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| clock.to_string()),
            self.movetime.map(|milliseconds| format!("{} s per move", seconds(milliseconds))),
            self.nodes.map(|nodes| format!("{nodes} nodes per move")),
            self.depth.map(|depth| format!("depth {depth}")),
            self.engine_time.then(|| "by the engine's time".to_owned()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

/// A time control `[moves/]base[+increment]`, as in `10+0.1`, `40/60`, `40/5:00+1` and `3m+2s`. Times are seconds, minutes and
/// seconds (`1:30`), hours, minutes and seconds (`1:30:00`), or a number with the unit `ms`, `s`, `m` or `h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct TimeControl {
    /// Moves per period; `None` if the base time is for the whole game.
    pub moves: Option<u32>,
    /// Base time, in milliseconds.
    pub base: u64,
    /// Increment per move, in milliseconds.
    pub increment: u64,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let error = |what: &str| {
            format!(
                "{text:?} is not a time control: {what}; expected [moves/]time[+increment], as in 10+0.1 or 40/5:00+1"
            )
        };
        let (moves, times) = match text.split_once('/') {
            None => (None, text),
            Some((moves, times)) => match moves.parse() {
                Ok(moves) if moves > 0 => (Some(moves), times),
                _ => return Err(error("expected a number of moves before the slash")),
            },
        };
        let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
        let base =
            milliseconds(base).ok_or_else(|| error("the time is not a number of seconds or as in 5:00"))?;
        let increment = milliseconds(increment)
            .ok_or_else(|| error("the increment is not a number of seconds or as in 0:05"))?;
        if base == 0 && increment == 0 {
            return Err(error("the time is 0"));
        }
        Ok(TimeControl { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        f.write_str(&seconds(self.base))?;
        if self.increment > 0 {
            write!(f, "+{}", seconds(self.increment))?;
        }
        Ok(())
    }
}

/// Parses a time of at most one week, rounded to milliseconds.
fn milliseconds(text: &str) -> Option<u64> {
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let with_unit = UNITS.iter().find_map(|&(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let seconds: f64 = match with_unit {
        Some((number, seconds)) => number.parse::<f64>().ok()? * seconds,
        None if text.contains(':') => sexagesimal(text)?,
        None => text.parse().ok()?,
    };
    (0.0..=604_800.0).contains(&seconds).then(|| (seconds * 1000.0).round() as u64)
}

/// Parses `minutes:seconds` or `hours:minutes:seconds` as seconds. Parts after a colon are below 60.
fn sexagesimal(text: &str) -> Option<f64> {
    let (whole, last) = text.rsplit_once(':')?;
    let mut minutes = 0;
    for (index, part) in whole.split(':').enumerate() {
        let is_number = index < 2 && !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let number: u32 = part.parse().ok().filter(|&number| is_number && (index == 0 || number < 60))?;
        minutes = 60 * minutes + u64::from(number);
    }
    let is_number = last.starts_with(|c: char| c.is_ascii_digit());
    let seconds = last.parse::<f64>().ok().filter(|&seconds| is_number && seconds < 60.0)?;
    Some(60.0 * minutes as f64 + seconds)
}

fn seconds(milliseconds: u64) -> String {
    let text = format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A player's clock in one game.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    moves: u32,
}

impl Clock {
    /// Returns the clock before the first move. Without a base time, the increment is the time of the first move.
    pub fn new(control: TimeControl) -> Clock {
        let first = if control.base == 0 { control.increment } else { control.base };
        Clock { control, remaining: Duration::from_millis(first), moves: 0 }
    }

    /// Remaining time.
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// Subtracts the time of a move, then adds the increment and, at the end of a period, the base time.
    /// Time used beyond the remaining time (within the margin) sets the clock to 0.
    pub fn press(&mut self, used: Duration) {
        self.remaining = self.remaining.saturating_sub(used);
        self.remaining += Duration::from_millis(self.control.increment);
        self.moves += 1;
        if let Some(period) = self.control.moves
            && self.moves.is_multiple_of(period)
        {
            self.remaining += Duration::from_millis(self.control.base);
        }
    }

    fn moves_to_go(&self) -> Option<u32> {
        self.control.moves.map(|period| period - self.moves % period)
    }
}

/// Returns the `go` command for a player. `clocks` are White's and Black's; a player without a clock is
/// reported with the same time as the other.
pub fn go_command(limits: &Limits, own: Option<&Clock>, clocks: [Option<&Clock>; 2]) -> String {
    let mut command = String::from("go");
    if let Some(own) = own {
        for (name, clock) in ["wtime", "btime"].into_iter().zip(clocks) {
            let milliseconds = clock.unwrap_or(own).remaining.as_millis();
            command += &format!(" {name} {milliseconds}");
        }
        for (name, clock) in ["winc", "binc"].into_iter().zip(clocks) {
            command += &format!(" {name} {}", clock.unwrap_or(own).control.increment);
        }
        if let Some(moves) = own.moves_to_go() {
            command += &format!(" movestogo {moves}");
        }
    }
    if let Some(milliseconds) = limits.movetime {
        command += &format!(" movetime {milliseconds}");
    }
    if let Some(nodes) = limits.nodes {
        command += &format!(" nodes {nodes}");
    }
    if let Some(depth) = limits.depth {
        command += &format!(" depth {depth}");
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_round_trip() {
        for text in ["10+0.1", "40/60", "1/0.05+0.001", "0+1", "604800"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("40/60+0.5".parse(), Ok(TimeControl { moves: Some(40), base: 60_000, increment: 500 }));
    }

    #[test]
    fn time_controls_are_read_as_people_write_them() {
        for (text, expected) in [
            ("1:30", "90"),
            ("5:00", "300"),
            ("40/5:00+1", "40/300+1"),
            ("1:30:00+30", "5400+30"),
            ("90:00+0:30", "5400+30"),
            ("3m+2s", "180+2"),
            ("1h", "3600"),
            ("1500ms+10ms", "1.5+0.01"),
            ("0:00.5", "0.5"),
            ("5+0.05", "5+0.05"),
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn time_control_errors_name_the_problem() {
        for (text, message) in [
            ("", "the time is not"),
            ("x+1", "the time is not"),
            ("-1", "the time is not"),
            ("5:60", "the time is not"),
            ("1:60:00", "the time is not"),
            ("5:-1", "the time is not"),
            ("+5:00", "the time is not"),
            (":30", "the time is not"),
            ("5:", "the time is not"),
            ("1:2:3:4", "the time is not"),
            ("m", "the time is not"),
            ("-1m", "the time is not"),
            ("5:00+0:99", "the increment is not"),
            ("inf", "the time is not"),
            ("NaN", "the time is not"),
            ("10+", "the increment is not"),
            ("0/10", "number of moves"),
            ("a/10", "number of moves"),
            ("0", "the time is 0"),
        ] {
            let error = text.parse::<TimeControl>().unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn clock_subtracts_time_and_adds_increments() {
        let mut clock = Clock::new("2/1+0.1".parse().unwrap());
        clock.press(Duration::from_millis(400));
        assert_eq!((clock.remaining().as_millis(), clock.moves_to_go()), (700, Some(1)));
        // Over the limit, but within the margin.
        clock.press(Duration::from_millis(720));
        assert_eq!((clock.remaining().as_millis(), clock.moves_to_go()), (1100, Some(2)));
        let mut clock = Clock::new("0+1".parse().unwrap());
        assert_eq!(clock.remaining().as_millis(), 1000);
        clock.press(Duration::from_millis(400));
        assert_eq!(clock.remaining().as_millis(), 1600);
    }

    #[test]
    fn formats_go_commands() {
        let nodes = Limits { nodes: Some(5000), ..Limits::default() };
        assert_eq!(go_command(&nodes, None, [None, None]), "go nodes 5000");
        let white = Clock::new("40/60+0.5".parse().unwrap());
        let black = Clock::new("10+0.1".parse().unwrap());
        let both = [Some(&white), Some(&black)];
        let limits = Limits { depth: Some(9), ..Limits::default() };
        assert_eq!(
            go_command(&limits, Some(&white), both),
            "go wtime 60000 btime 10000 winc 500 binc 100 movestogo 40 depth 9"
        );
        assert_eq!(
            go_command(&Limits::default(), Some(&black), [None, Some(&black)]),
            "go wtime 10000 btime 10000 winc 100 binc 100"
        );
    }

    #[test]
    fn formats_limits() {
        let limits = Limits { movetime: Some(50), nodes: Some(7), ..Limits::default() };
        assert_eq!(limits.to_string(), "0.05 s per move, 7 nodes per move");
        assert!(!limits.is_deterministic() && !limits.is_empty());
        let limits = Limits { movetime: Some(50), engine_time: true, ..Limits::default() };
        assert_eq!(limits.to_string(), "0.05 s per move, by the engine's time");
        assert!(limits.is_deterministic() && !limits.is_empty());
        assert!(Limits { engine_time: true, ..Limits::default() }.is_empty());
    }
}
