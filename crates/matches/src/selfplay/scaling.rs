//! The result of a scaling match: Elo by nodes per move.

use super::plan::Plan;
use super::scoreboard::Score;
use crate::stats::{Estimate, Interval, LinearFit};
use anyhow::Result;
use indicatif::HumanCount;
use std::fmt;
use tabiya_lab_common::plots::{Labels, Line, lines, with_interval};

/// Elo of the player under test at each number of nodes per move, with the slope.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Scaling {
    /// The levels, by nodes.
    levels: Vec<Level>,
    /// Elo per doubling of the nodes. `None` until two levels have a finite interval.
    slope: Option<Interval>,
    #[serde(skip)]
    fit: Option<LinearFit>,
}

/// The match at one number of nodes.
#[derive(Clone, Debug, serde::Serialize)]
struct Level {
    /// Nodes per move of the player under test.
    nodes: u64,
    /// Limits of the opponent.
    opponent: String,
    /// Number of finished games.
    games: u64,
    /// Elo estimate from pairs.
    estimate: Option<Estimate>,
}

impl Level {
    fn elo(&self) -> Option<Interval> {
        self.estimate?.elo
    }
}

impl Scaling {
    /// Computes the result; `None` if the match is no scaling match.
    pub(crate) fn new(plan: &Plan, scores: &[Score]) -> Option<Scaling> {
        if !plan.scaling {
            return None;
        }
        let level = |(&[first, second], score): (&[usize; 2], &Score)| {
            Some(Level {
                nodes: plan.players[first].limits.nodes?,
                opponent: plan.players[second].limits.to_string(),
                games: score.games.iter().sum(),
                estimate: Estimate::new(&score.pairs),
            })
        };
        let levels: Vec<Level> = plan.pairings.iter().zip(scores).filter_map(level).collect();
        let points: Vec<(f64, Interval)> =
            levels.iter().filter_map(|level| Some(((level.nodes as f64).log2(), level.elo()?))).collect();
        let fit = LinearFit::new(&points);
        Some(Scaling { levels, slope: fit.map(|fit| fit.slope), fit })
    }

    /// Draws Elo over nodes on a logarithmic scale, with 95 % intervals and the fitted line. Returns `None` without results.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub(crate) fn plot(&self) -> Result<Option<String>> {
        let Some(first) = self.levels.first() else { return Ok(None) };
        let origin = (first.nodes as f64).log2();
        let x = |level: &Level| (level.nodes as f64).log2() - origin;
        let point = |level: &Level| level.elo().map(|elo| (x(level), elo.value, elo.margin));
        let points: Vec<_> = self.levels.iter().filter_map(point).collect();
        let mut curves = Vec::from(with_interval("Elo", &points));
        if let Some(fit) = self.fit {
            let points = self.levels.iter().map(|level| (x(level), fit.at(x(level) + origin))).collect();
            curves.push(Line { name: "fitted line".to_owned(), points, color: 1 });
        }
        let label = format!("doublings of the nodes from {}", HumanCount(first.nodes));
        let labels = Labels { title: "Elo by nodes per move, with 95 % intervals", x: &label, y: "Elo" };
        lines(labels, &curves, &[0.0])
    }
}

/// Formats as a table, with the slope below it.
impl fmt::Display for Scaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let opponents = self.levels.iter().map(|level| level.opponent.chars().count());
        let width = opponents.max().unwrap_or(0).max("Opponent".len());
        writeln!(f, "{:>11}  {:width$}  {:>7}  {:>8}  Elo (95 %)", "Nodes", "Opponent", "Games", "Score")?;
        for level in &self.levels {
            let (nodes, opponent, games) =
                (HumanCount(level.nodes).to_string(), &level.opponent, level.games);
            let score = level.estimate.map(|estimate| format!("{:.2} %", 100.0 * estimate.score));
            let elo = level.elo().map_or("unknown".to_owned(), |elo| elo.to_string());
            writeln!(
                f,
                "{nodes:>11}  {opponent:width$}  {games:>7}  {:>8}  {elo}",
                score.unwrap_or_default()
            )?;
        }
        match self.slope {
            Some(slope) => write!(f, "Slope     {slope} Elo (95 %) per doubling of the nodes"),
            None => f.write_str(
                "Slope     unknown: it needs two levels with a finite interval; more games make the intervals smaller",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::limits::Limits;
    use crate::selfplay::player::Player;
    use crate::selfplay::test_data;

    /// A match of `a` with 1,000 and 4,000 nodes and these counts of pairs against `b`.
    fn scaling(results: [[u64; 5]; 2]) -> Scaling {
        let player = |name: &str, nodes| Player {
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            ..Player::new(name, name.into())
        };
        let players = vec![
            player("a@1000", 1000),
            player("a@4000", 4000),
            player("b@1000", 1000),
            player("b@4000", 4000),
        ];
        let plan = Plan { players, pairings: vec![[0, 2], [1, 3]], scaling: true, ..test_data::plan() };
        let scores = results.map(|pairs| Score { pairs, ..Score::default() });
        Scaling::new(&plan, &scores).unwrap()
    }

    /// Both matches have the same variance. The second has fewer points, at four times the nodes.
    #[test]
    fn slope_is_elo_per_doubling() {
        let scaling = scaling([[0, 10, 20, 30, 40], [40, 30, 20, 10, 0]]);
        let elo = scaling.levels[0].elo().unwrap();
        let slope = scaling.slope.unwrap();
        assert!((slope.value + elo.value).abs() < 1e-9, "{slope:?} {elo:?}");
        assert!((slope.margin - elo.margin / 2.0_f64.sqrt()).abs() < 1e-9, "{slope:?} {elo:?}");
        let text = scaling.to_string();
        assert!(text.contains("      4,000  4000 nodes per move "), "{text}");
        assert!(text.ends_with(&format!("Slope     {slope} Elo (95 %) per doubling of the nodes")), "{text}");
        assert!(scaling.plot().unwrap().unwrap().contains("doublings of the nodes from 1,000"));
    }

    #[test]
    fn slope_is_unknown_without_variance() {
        let scaling = scaling([[0, 10, 20, 30, 40], [0, 0, 0, 0, 9]]);
        assert_eq!(scaling.slope, None);
        assert!(
            scaling.to_string().contains("Slope     unknown: it needs two levels with a finite interval")
        );
        assert!(scaling.plot().unwrap().is_some());
    }
}
