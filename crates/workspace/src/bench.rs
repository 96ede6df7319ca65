//! Parsers of the output of `tabiya bench`, a line per position, then `N nodes M nps`, and of the nodes that a commit states.

use std::fmt;
use std::time::Duration;

/// One run of the bench.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// Total nodes: the bench signature.
    pub nodes: u64,
    /// Nodes per second, as printed.
    pub nps: u64,
    /// Results by position; empty for older engines that print only the total.
    pub positions: Vec<Measurement>,
}

/// Result of one position.
#[derive(Clone, PartialEq, Debug)]
pub struct Measurement {
    /// Game phase, such as `end game`.
    pub phase: String,
    /// Nodes searched.
    pub nodes: u64,
    /// Time of the search.
    pub time: Duration,
}

/// The output does not end with the total.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputError {
    last_line: String,
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the last line is {:?} (expected `N nodes M nps`)", self.last_line)
    }
}

impl std::error::Error for OutputError {}

impl Run {
    /// Parses the output.
    ///
    /// # Errors
    /// If the last line is not the total.
    pub fn parse(output: &str) -> Result<Run, OutputError> {
        let last_line = output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let words: Vec<_> = last_line.split_whitespace().collect();
        let total = match words.as_slice() {
            [nodes, "nodes", nps, "nps"] => nodes.parse().ok().zip(nps.parse().ok()),
            _ => None,
        };
        let (nodes, nps) = total.ok_or_else(|| OutputError { last_line: last_line.to_owned() })?;
        Ok(Run { nodes, nps, positions: output.lines().filter_map(measurement).collect() })
    }
}

/// Returns the node count that a commit message states in its last line `Bench: N`: earlier ones may quote other commits.
pub fn stated_nodes(message: &str) -> Option<u64> {
    message.lines().rev().find_map(|line| line.strip_prefix("Bench: ")?.trim().parse().ok())
}

/// Parses `3 middle game 12345 nodes 0.123 s ...`.
fn measurement(line: &str) -> Option<Measurement> {
    let words: Vec<_> = line.split_whitespace().collect();
    let at = words.iter().position(|&word| word == "nodes")?;
    let phase = words.get(1..at.checked_sub(1)?)?.join(" ");
    let nodes = words.get(at - 1)?.parse().ok()?;
    let seconds: f64 = words.get(at + 1)?.parse().ok()?;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    (words.get(at + 2) == Some(&"s") && !phase.is_empty()).then_some(Measurement { phase, nodes, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_line_of_a_message_states_the_nodes() {
        assert_eq!(stated_nodes("Search deeper\n\nBench: 5\nwas this.\n\nBench: 123 \n"), Some(123));
        assert_eq!(stated_nodes("Faster\n\nBench: 21\nBench: x\n"), Some(21));
        assert_eq!(stated_nodes("No change\n\n Bench: 5\n"), None);
        assert_eq!(stated_nodes(""), None);
    }

    const OUTPUT: &str = "\
 1 opening           1200 nodes   0.010 s  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
 2 middle game       3400 nodes   0.025 s  r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10
4600 nodes 131428 nps

";

    #[test]
    fn parses_positions_and_total() {
        let run = Run::parse(OUTPUT).unwrap();
        assert_eq!((run.nodes, run.nps, run.positions.len()), (4600, 131_428, 2));
        assert_eq!(run.positions[1].phase, "middle game");
        assert_eq!((run.positions[1].nodes, run.positions[1].time), (3400, Duration::from_millis(25)));
        assert!(Run::parse("info string hello\n4600 nodes 1 nps").unwrap().positions.is_empty());
    }

    #[test]
    fn rejects_other_output() {
        for output in ["", "nodes 1 nps 2", "x nodes 1 nps", "1 nodes 1 nps\nthread panicked"] {
            assert!(Run::parse(output).is_err(), "{output}");
        }
    }
}
