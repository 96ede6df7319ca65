//! The course of a match: Elo and log-likelihood ratio after each pair.

use super::plan::{GameId, Plan};
use super::run_folder::{self, GameLine, State};
use crate::sprt::summary::SprtSummary;
use crate::stats::{Estimate, FEWEST_RESULTS};
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::Path;
use tabiya_lab_common::plots::{Labels, Line, lines};

/// Maximum number of points per curve.
const MAX_POINTS: usize = 1000;

/// Characters of a [`sparkline`](Curve::sparkline).
const SPARKLINE_WIDTH: usize = 24;

/// Bars of rising height.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Estimates of each pairing over the course of the match.
#[derive(serde::Serialize)]
pub(crate) struct History {
    /// One curve per pairing, with a point after every pair or, in long matches, every `stride` pairs.
    pub(crate) curves: Vec<Curve>,
    #[serde(skip)]
    incomplete: BTreeMap<u64, (usize, usize)>,
}

/// The curve of a pairing.
#[derive(Clone, Default, serde::Serialize)]
pub(crate) struct Curve {
    /// Points, by number of games.
    pub(crate) points: Vec<Point>,
    #[serde(skip)]
    pairs: [u64; 5],
    /// Number of pairs between points.
    stride: u64,
}

/// The estimate after a number of games.
#[derive(Clone, Copy, serde::Serialize)]
pub(crate) struct Point {
    /// Games in complete pairs.
    pub(crate) games: u64,
    /// Log-likelihood ratio, if the match has an SPRT.
    pub(crate) llr: Option<f64>,
    /// Elo, if there are enough games.
    pub(crate) elo: Option<f64>,
    /// Half-width of its 95 % confidence interval.
    pub(crate) margin: Option<f64>,
}

impl History {
    pub(crate) fn new(plan: &Plan) -> History {
        let curve = Curve { stride: 1, ..Curve::default() };
        History { curves: vec![curve; plan.pairings.len()], incomplete: BTreeMap::new() }
    }

    /// Reads the course of the match in a folder, which another process may be playing, up to the games in its state.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(crate) fn read(folder: &Path, state: &State) -> Result<History> {
        let mut history = History::new(&state.plan);
        for line in run_folder::saved_games(folder, state)? {
            history.add(&state.plan, &line?);
        }
        Ok(history)
    }

    /// Adds a game, in the order of completion.
    pub(crate) fn add(&mut self, plan: &Plan, line: &GameLine) {
        let GameId { pair, .. } = line.id;
        let (games, half_points) = self.incomplete.entry(pair).or_default();
        *games += 1;
        *half_points += line.half_points();
        if *games == 2 {
            let sum = *half_points;
            self.incomplete.remove(&pair);
            self.curves[plan.pairing_of(pair)].add(plan, sum);
        }
    }
}

impl Curve {
    /// The log-likelihood ratio over the games so far, as a line of bars between the bounds of the test. Empty before the first pair.
    pub(crate) fn sparkline(&self, sprt: &SprtSummary) -> String {
        let values: Vec<f64> = self.points.iter().filter_map(|point| point.llr).collect();
        let width = values.len().min(SPARKLINE_WIDTH);
        let bar = |column: usize| {
            let last = (column + 1) * values.len() / width - 1;
            let share = (values[last] - sprt.lower) / (sprt.upper - sprt.lower);
            BARS[((share * BARS.len() as f64) as usize).min(BARS.len() - 1)]
        };
        (0..width).map(bar).collect()
    }

    /// Draws the log-likelihood ratio over the games, between the bounds of the test.
    ///
    /// # Errors
    /// If the plot cannot be drawn.
    pub(crate) fn llr_plot(&self, sprt: &SprtSummary) -> Result<Option<String>> {
        let point = |point: &Point| Some((point.games as f64, point.llr?));
        let points = self.points.iter().filter_map(point).collect();
        let labels = Labels { title: "Log-likelihood ratio", x: "games", y: "LLR" };
        let line = Line { name: "LLR".to_owned(), points, color: 0 };
        lines(labels, &[line], &[sprt.lower, 0.0, sprt.upper])
    }

    fn add(&mut self, plan: &Plan, half_points: usize) {
        self.pairs[half_points] += 1;
        let pairs: u64 = self.pairs.iter().sum();
        if !pairs.is_multiple_of(self.stride) {
            return;
        }
        let estimate = Estimate::new(&self.pairs).filter(|_| pairs >= FEWEST_RESULTS);
        let elo = estimate.and_then(|estimate| estimate.elo).filter(|elo| elo.margin.is_finite());
        self.points.push(Point {
            games: 2 * pairs,
            llr: plan.sprt.map(|sprt| sprt.llr(&self.pairs)),
            elo: elo.map(|elo| elo.value),
            margin: elo.map(|elo| elo.margin),
        });
        if self.points.len() >= 2 * MAX_POINTS {
            self.stride *= 2;
            let stride = 2 * self.stride;
            self.points.retain(|point| point.games.is_multiple_of(stride));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::test_data::plan;
    use crate::sprt::{Model, Sprt};
    use tabiya_lab_common::referee::Termination;

    #[test]
    fn sparkline_lies_between_the_bounds_of_the_test() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        let summary = SprtSummary::new(sprt, &[0; 5]);
        let curve = |values: &[f64]| {
            let point = |&llr: &f64| Point { games: 0, llr: Some(llr), elo: None, margin: None };
            Curve { points: values.iter().map(point).collect(), ..Curve::default() }
        };
        assert_eq!(curve(&[]).sparkline(&summary), "");
        assert_eq!(curve(&[-9.0, -2.9, -0.1, 0.1, 2.9, 9.0]).sparkline(&summary), "▁▁▄▅██");
        // A column shows the last of its values, so the last column shows the last value of all.
        let rising: Vec<f64> = (0..1000).map(|number| f64::from(number) / 1000.0 * 5.8 - 2.9).collect();
        let line = curve(&rising).sparkline(&summary);
        assert_eq!((line.chars().count(), line.chars().next_back()), (SPARKLINE_WIDTH, Some('█')));
        assert!(line.chars().is_sorted());
    }

    #[test]
    fn long_matches_are_thinned_evenly() {
        let plan = plan();
        let mut history = History::new(&plan);
        for pair in 0..10_000 {
            for (game, result) in [(0, "1-0"), (1, if pair % 3 == 0 { "1-0" } else { "1/2-1/2" })] {
                history.add(
                    &plan,
                    &GameLine {
                        id: GameId { pair, game },
                        white: String::new(),
                        black: String::new(),
                        result: result.to_owned(),
                        reason: Termination::Checkmate,
                        plies: 0,
                        fault: None,
                        transcript: Vec::new(),
                        warnings: Vec::new(),
                    },
                );
            }
        }
        let curve = &history.curves[0];
        assert_eq!(curve.pairs, [0, 0, 3334, 6666, 0]);
        assert!((MAX_POINTS..2 * MAX_POINTS).contains(&curve.points.len()));
        let steps: Vec<u64> = curve.points.windows(2).map(|pair| pair[1].games - pair[0].games).collect();
        assert!(steps.iter().all(|&step| step == steps[0]), "{steps:?}");
        assert!(curve.points.iter().all(|point| point.elo.is_some()));
    }
}
