//! Results of a run, as a table and as JSON. The JSON can be the baseline of a later run.

use super::suite::Case;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use tabiya_workspace::median::median;

/// The engine's result in one position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Answer {
    /// Name of the position.
    pub(super) id: String,
    /// The engine's move, in SAN if it is legal.
    pub(super) chosen: String,
    pub(super) solved: bool,
    /// Time at which the engine settled on a correct move, if solved, in seconds.
    pub(super) seconds_to_solution: Option<f64>,
    /// Nodes searched by that time, if solved.
    pub(super) nodes_to_solution: Option<u64>,
    /// Points for the move, in suites with points.
    pub(super) points: u32,
    /// Points for the best move, in suites with points.
    #[serde(rename = "most_points")]
    pub(super) max_points: u32,
    /// Duration of the search, in seconds.
    pub(super) seconds: f64,
    /// Nodes of the search.
    pub(super) nodes: u64,
    /// The failure of the engine, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

impl Answer {
    /// The result of a failed search.
    pub(super) fn failure(case: &Case, error: String) -> Answer {
        Answer {
            id: case.id.clone(),
            chosen: String::new(),
            solved: false,
            seconds_to_solution: None,
            nodes_to_solution: None,
            points: 0,
            max_points: case.goal.max_points(),
            seconds: 0.0,
            nodes: 0,
            error: Some(error),
        }
    }
}

/// The results of one suite, in its order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SuiteResult {
    /// File name without its extension.
    pub(super) name: String,
    pub(super) answers: Vec<Answer>,
}

/// The results of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct EpdResults {
    /// The engine's name, as it reports it.
    pub(super) engine: String,
    /// Arguments of the `go` command.
    pub(super) limit: String,
    pub(super) suites: Vec<SuiteResult>,
}

impl SuiteResult {
    pub(super) fn solved(&self) -> usize {
        self.answers.iter().filter(|answer| answer.solved).count()
    }

    /// Points scored, and the maximum.
    pub(super) fn points(&self) -> (u32, u32) {
        let sum = |points: fn(&Answer) -> u32| self.answers.iter().map(points).sum();
        (sum(|answer| answer.points), sum(|answer| answer.max_points))
    }

    pub(super) fn errors(&self) -> impl Iterator<Item = (&Answer, &str)> {
        self.answers.iter().filter_map(|answer| Some((answer, answer.error.as_deref()?)))
    }

    fn median(&self, value: impl Fn(&Answer) -> Option<f64>) -> Option<f64> {
        median(self.answers.iter().filter_map(value).collect())
    }

    fn answer(&self, id: &str) -> Option<&Answer> {
        self.answers.iter().find(|answer| answer.id == id)
    }
}

impl EpdResults {
    /// Formats a table with one line per suite and the change from `baseline`, if given.
    pub(super) fn table(&self, baseline: Option<&EpdResults>) -> String {
        let mut table = format!(
            "{} (go {})\n\n{:<16} {:>11} {:>7} {:>13} {:>12} {:>14} {:>12}\n",
            self.engine, self.limit, "suite", "solved", "", "points", "median time", "median nodes", "nodes"
        );
        for suite in &self.suites {
            let before = baseline.and_then(|report| report.suite(&suite.name));
            let change = before.map_or(0, |before| signed(suite.solved()) - signed(before.solved()));
            let change = if before.is_some() { format!("{change:+}") } else { String::new() };
            let solved = format!("{}/{}", suite.solved(), suite.answers.len());
            let points = match suite.points() {
                (_, 0) => "-".to_owned(),
                (points, max) => format!("{points}/{max}"),
            };
            let time = suite.median(|answer| answer.seconds_to_solution);
            let time = time.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.3} s"));
            let nodes = suite.median(|answer| answer.nodes_to_solution.map(|nodes| nodes as f64));
            let nodes = nodes.map_or_else(|| "-".to_owned(), |nodes| format!("{nodes:.0}"));
            let total_nodes: u64 = suite.answers.iter().map(|answer| answer.nodes).sum();
            // Writing to a string cannot fail.
            let _ = writeln!(
                table,
                "{:<16} {solved:>11} {change:>7} {points:>13} {time:>12} {nodes:>14} {total_nodes:>12}",
                suite.name
            );
        }
        table
    }

    /// Lists the positions that are newly solved or no longer solved.
    pub(super) fn changes(&self, baseline: &EpdResults) -> String {
        let mut text = String::new();
        for suite in &self.suites {
            let Some(before) = baseline.suite(&suite.name) else { continue };
            for (solved, label) in [(true, "newly solved"), (false, "no longer solved")] {
                let changed: Vec<_> = suite
                    .answers
                    .iter()
                    .filter(|answer| answer.solved == solved)
                    .filter(|answer| before.answer(&answer.id).is_some_and(|old| old.solved != solved))
                    .map(|answer| answer.id.as_str())
                    .collect();
                if !changed.is_empty() {
                    let _ = writeln!(text, "{}: {label}: {}", suite.name, changed.join(", "));
                }
            }
        }
        text
    }

    /// Lists the unsolved positions with the moves chosen.
    pub(super) fn unsolved(&self) -> String {
        let mut text = String::new();
        for suite in &self.suites {
            for answer in suite.answers.iter().filter(|answer| !answer.solved) {
                let _ = writeln!(text, "{}: {}: played {}", suite.name, answer.id, answer.chosen);
            }
        }
        text
    }

    fn suite(&self, name: &str) -> Option<&SuiteResult> {
        self.suites.iter().find(|suite| suite.name == name)
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(id: &str, seconds: Option<f64>) -> Answer {
        Answer {
            id: id.to_owned(),
            chosen: "Ke2".to_owned(),
            solved: seconds.is_some(),
            seconds_to_solution: seconds,
            nodes_to_solution: seconds.map(|_| 7),
            points: 3,
            max_points: 10,
            seconds: 1.0,
            nodes: 100,
            error: None,
        }
    }

    fn report(answers: Vec<Answer>) -> EpdResults {
        let suites = vec![SuiteResult { name: "wac".to_owned(), answers }];
        EpdResults { engine: "X".to_owned(), limit: "nodes 100".to_owned(), suites }
    }

    #[test]
    fn table_and_changes_from_the_baseline() {
        let before = report(vec![answer("a", Some(1.0)), answer("b", None), answer("c", None)]);
        let after = report(vec![answer("a", None), answer("b", Some(0.5)), answer("c", Some(1.5))]);
        let table = after.table(Some(&before));
        let line = table.lines().last().unwrap();
        let fields: Vec<_> = line.split_whitespace().collect();
        assert_eq!(fields, ["wac", "2/3", "+1", "9/30", "1.000", "s", "7", "300"]);
        assert_eq!(after.changes(&before), "wac: newly solved: b, c\nwac: no longer solved: a\n");
        assert_eq!(after.unsolved(), "wac: a: played Ke2\n");
    }

    #[test]
    fn json_round_trip() {
        let report = report(vec![answer("a", Some(1.0))]);
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<EpdResults>(&text).unwrap(), report);
    }
}
