//! How long an engine may think about a move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The limits of a player; at least one is set. Where several are, each holds.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Limits {
    /// Time for the game.
    pub(crate) clock: Option<TimeControl>,
    /// Milliseconds a move.
    pub(crate) movetime: Option<u64>,
    /// Nodes a move.
    pub(crate) nodes: Option<u64>,
    /// Plies.
    pub(crate) depth: Option<u32>,
}

impl Limits {
    /// Is there none?
    pub(crate) fn is_empty(&self) -> bool {
        *self == Limits::default()
    }

    /// Do the same games always take the same course under these limits? Not where time decides.
    pub(crate) fn is_deterministic(&self) -> bool {
        self.clock.is_none() && self.movetime.is_none()
    }
}

/// `40/60+0.5, 5000 nodes`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| clock.to_string()),
            self.movetime.map(|milliseconds| format!("{} s a move", seconds(milliseconds))),
            self.nodes.map(|nodes| format!("{nodes} nodes a move")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

/// `[moves/]base[+increment]`, the times in seconds, as in `10+0.1` and `40/60`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct TimeControl {
    /// How many moves the base time is for; the whole game where `None`.
    pub(crate) moves: Option<u32>,
    /// Milliseconds.
    pub(crate) base: u64,
    /// Milliseconds added after each move.
    pub(crate) increment: u64,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let error = |what: &str| {
            format!("{text:?} is not a time control: {what}; write [moves/]seconds[+seconds], as in 10+0.1")
        };
        let (moves, times) = match text.split_once('/') {
            None => (None, text),
            Some((moves, times)) => match moves.parse() {
                Ok(moves) if moves > 0 => (Some(moves), times),
                _ => return Err(error("before the slash there must be a number of moves")),
            },
        };
        let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
        let base = milliseconds(base).ok_or_else(|| error("the time is not a number of seconds"))?;
        let increment =
            milliseconds(increment).ok_or_else(|| error("the increment is not a number of seconds"))?;
        if base == 0 && increment == 0 {
            return Err(error("there is no time at all"));
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

/// Reads seconds with at most a week of them, and drops what is finer than a millisecond.
fn milliseconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=604_800.0).contains(&seconds).then(|| (seconds * 1000.0).round() as u64)
}

fn seconds(milliseconds: u64) -> String {
    let text = format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The clock of one player in one game.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    control: TimeControl,
    remaining: Duration,
    moves: u32,
}

impl Clock {
    /// A clock before the first move.
    pub(crate) fn new(control: TimeControl) -> Clock {
        Clock { control, remaining: Duration::from_millis(control.base), moves: 0 }
    }

    /// The time left.
    pub(crate) fn remaining(&self) -> Duration {
        self.remaining
    }

    /// Takes a move's time off and adds what is due. Time used beyond what was left (within the margin
    /// that the referee allows) leaves the clock at nothing, not below.
    pub(crate) fn press(&mut self, used: Duration) {
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

/// The `go` command for a player with these limits. The clocks are White's and Black's; a player
/// without one is taken to have as much time as the other.
pub(crate) fn go_command(limits: &Limits, own: Option<&Clock>, clocks: [Option<&Clock>; 2]) -> String {
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
    fn bad_time_controls_are_explained() {
        for (text, message) in [
            ("", "the time is not"),
            ("x+1", "the time is not"),
            ("-1", "the time is not"),
            ("inf", "the time is not"),
            ("NaN", "the time is not"),
            ("10+", "the increment is not"),
            ("0/10", "number of moves"),
            ("a/10", "number of moves"),
            ("0", "no time at all"),
        ] {
            let error = text.parse::<TimeControl>().unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn clocks_run_down_and_up() {
        let mut clock = Clock::new("2/1+0.1".parse().unwrap());
        clock.press(Duration::from_millis(400));
        assert_eq!((clock.remaining().as_millis(), clock.moves_to_go()), (700, Some(1)));
        // Over the limit, but within the margin.
        clock.press(Duration::from_millis(720));
        assert_eq!((clock.remaining().as_millis(), clock.moves_to_go()), (1100, Some(2)));
    }

    #[test]
    fn go_commands() {
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
    fn limits_are_described() {
        let limits = Limits { movetime: Some(50), nodes: Some(7), ..Limits::default() };
        assert_eq!(limits.to_string(), "0.05 s a move, 7 nodes a move");
        assert!(!limits.is_deterministic() && !limits.is_empty());
    }
}
