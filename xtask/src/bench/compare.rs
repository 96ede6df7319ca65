//! Comparison of two builds: nodes, time and speed by game phase.

use std::fmt::Write;
use tabiya_workspace::bench::Run;
use tabiya_workspace::median::{MIN_INTERVAL_VALUES, interval, median};

/// All runs of one build.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) runs: Vec<Run>,
}

/// A table row of one build.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Row {
    nodes: u64,
    /// Median over the runs.
    seconds: f64,
}

impl Side {
    /// Returns true if all runs searched the same number of nodes.
    pub(super) fn is_deterministic(&self) -> bool {
        self.runs.windows(2).all(|pair| pair[0].nodes == pair[1].nodes)
    }

    /// Returns the row of one phase, or of all positions.
    fn row(&self, phase: Option<&str>) -> Option<Row> {
        let of_phase = |run: &Run| {
            let positions =
                || run.positions.iter().filter(|position| phase.is_none_or(|phase| position.phase == phase));
            let nodes = positions().map(|position| position.nodes).sum();
            let seconds = positions().map(|position| position.time.as_secs_f64()).sum();
            positions().next().map(|_| Row { nodes, seconds })
        };
        let total =
            |run: &Run| Some(Row { nodes: run.nodes, seconds: run.nodes as f64 / run.nps.max(1) as f64 });
        let row = |run| if phase.is_some() { of_phase(run) } else { of_phase(run).or_else(|| total(run)) };
        let rows: Vec<_> = self.runs.iter().filter_map(row).collect();
        let seconds = median(rows.iter().map(|row| row.seconds).collect())?;
        Some(Row { nodes: rows.first()?.nodes, seconds })
    }

    /// Returns the phases in order of first appearance.
    fn phases(&self) -> Vec<&str> {
        let mut phases = Vec::new();
        for position in self.runs.iter().flat_map(|run| &run.positions) {
            if !phases.contains(&position.phase.as_str()) {
                phases.push(position.phase.as_str());
            }
        }
        phases
    }
}

/// Formats nodes, median times and speeds of both builds, and their ratios.
pub(super) fn table(base: &Side, new: &Side) -> String {
    let mut table = format!(
        "{:<12} {:>38} {:>38}\n{:<12} {:>14} {:>11} {:>11} {:>14} {:>11} {:>11} {:>9} {:>9} {:>9}\n",
        "",
        base.name,
        new.name,
        "phase",
        "nodes",
        "time",
        "nodes/s",
        "nodes",
        "time",
        "nodes/s",
        "nodes",
        "time",
        "speed"
    );
    let phases = new.phases().into_iter().map(Some).chain([None]);
    for phase in phases {
        let (Some(old), Some(new)) = (base.row(phase), new.row(phase)) else { continue };
        let speed = |row: Row| row.nodes as f64 / row.seconds.max(1e-9);
        let cells = |row: Row| format!("{:>14} {:>9.3} s {:>11.0}", row.nodes, row.seconds, speed(row));
        let change = |new: f64, old: f64| format!("{:>+8.1}%", 100.0 * (new / old.max(1e-9) - 1.0));
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "{:<12} {} {} {} {} {}",
            phase.unwrap_or("all"),
            cells(old),
            cells(new),
            change(new.nodes as f64, old.nodes as f64),
            change(new.seconds, old.seconds),
            change(speed(new), speed(old))
        );
    }
    table
}

/// The change in speed, in per cent: the median over the rounds, in each of which both builds ran one after the other.
#[derive(Clone, Copy, PartialEq, Debug)]
struct SpeedChange {
    median: f64,
    /// 95 % interval; `None` after too few rounds.
    interval: Option<(f64, f64)>,
}

impl SpeedChange {
    fn of(base: &Side, new: &Side) -> Option<SpeedChange> {
        let change = |(old, new): (&Run, &Run)| 100.0 * (new.nps as f64 / old.nps.max(1) as f64 - 1.0);
        let changes: Vec<f64> = base.runs.iter().zip(&new.runs).map(change).collect();
        Some(SpeedChange { median: median(changes.clone())?, interval: interval(changes) })
    }
}

/// Says which build is faster, or that the rounds do not tell; nothing without rounds.
pub(super) fn conclusion(base: &Side, new: &Side) -> String {
    let Some(SpeedChange { median, interval }) = SpeedChange::of(base, new) else { return String::new() };
    let Some((low, high)) = interval else {
        return format!(
            "speed {median:+.1} %; its uncertainty takes {} --rounds or more\n",
            MIN_INTERVAL_VALUES
        );
    };
    let rounds = new.runs.len();
    let verdict = if low > 0.0 {
        "faster"
    } else if high < 0.0 {
        "slower"
    } else {
        "no difference can be told: use more --rounds, a quieter machine or --instructions"
    };
    format!("speed {median:+.1} %, 95 % interval {low:+.1} to {high:+.1} % ({rounds} rounds): {verdict}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tabiya_workspace::bench::Measurement;

    fn side(name: &str, nodes: u64, times: &[u64]) -> Side {
        let run = |&milliseconds: &u64| {
            let time = Duration::from_millis(milliseconds);
            let positions = ["opening", "end game", "opening"]
                .map(|phase| Measurement { phase: phase.to_owned(), nodes, time })
                .to_vec();
            Run { nodes: 3 * nodes, nps: 1000 * nodes / milliseconds, positions }
        };
        Side { name: name.to_owned(), runs: times.iter().map(run).collect() }
    }

    #[test]
    fn computes_medians_by_phase() {
        let side = side("x", 1000, &[100, 900, 200]);
        assert_eq!(side.row(Some("opening")), Some(Row { nodes: 2000, seconds: 0.4 }));
        assert_eq!(side.row(Some("end game")), Some(Row { nodes: 1000, seconds: 0.2 }));
        assert_eq!(side.row(Some("middle game")), None);
        assert_eq!(side.row(None).map(|row| row.nodes), Some(3000));
        assert_eq!(side.phases(), ["opening", "end game"]);
    }

    #[test]
    fn compares_builds_that_print_only_the_total() {
        let mut old = side("old", 1000, &[100]);
        old.runs[0].positions.clear();
        let table = table(&old, &side("new", 1000, &[50]));
        assert!(!table.contains("opening"), "{table}");
        let all = table.lines().last().unwrap();
        assert!(all.starts_with("all") && all.contains("+0.0%") && all.contains("-50.0%"), "{all}");
    }

    #[test]
    fn conclusion_depends_on_the_interval() {
        let base = side("old", 1_000_000, &[100; 6]);
        let text = |times: &[u64]| conclusion(&base, &side("new", 1_000_000, times));
        assert!(text(&[80, 82, 79, 81, 80, 78]).contains(": faster"));
        assert!(text(&[120, 122, 119, 121, 120, 118]).contains(": slower"));
        let unclear = text(&[90, 110, 105, 95, 102, 99]);
        assert!(unclear.contains("no difference can be told") && unclear.contains("(6 rounds)"), "{unclear}");
        assert!(text(&[80; 5]).contains("its uncertainty takes 6 --rounds or more"));
        assert_eq!(text(&[]), "");
    }

    #[test]
    fn detects_different_node_counts() {
        let mut side = side("x", 1000, &[100, 100]);
        assert!(side.is_deterministic());
        side.runs[1].nodes += 1;
        assert!(!side.is_deterministic());
    }
}
