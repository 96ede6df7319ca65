use crate::selfplay::plan::Plan;
use crate::selfplay::run_folder::GameLine;
use crate::selfplay::scoreboard::GameId;
use crate::stats::Estimate;
use std::collections::BTreeMap;

/// Maximum number of points per curve.
const MAX_POINTS: usize = 1000;

/// Pairs before the first Elo estimate; with fewer it is meaningless.
const FIRST_PAIRS: u64 = 8;

/// Estimates of each pairing over the course of the match.
#[derive(serde::Serialize)]
pub(super) struct History {
    /// One curve per pairing, with a point after every pair or, in long matches, every `stride` pairs.
    pub(super) curves: Vec<Curve>,
    #[serde(skip)]
    incomplete: BTreeMap<u64, (usize, usize)>,
}

/// The curve of a pairing.
#[derive(Clone, Default, serde::Serialize)]
pub(super) struct Curve {
    /// Points, by number of games.
    pub(super) points: Vec<Point>,
    #[serde(skip)]
    pairs: [u64; 5],
    /// Number of pairs between points.
    stride: u64,
}

/// The estimate after a number of games.
#[derive(Clone, Copy, serde::Serialize)]
pub(super) struct Point {
    /// Games in complete pairs.
    pub(super) games: u64,
    /// Log-likelihood ratio, if the match has an SPRT.
    pub(super) llr: Option<f64>,
    /// Elo, if there are enough games.
    pub(super) elo: Option<f64>,
    /// Half-width of its 95 % confidence interval.
    pub(super) margin: Option<f64>,
}

impl History {
    pub(super) fn new(plan: &Plan) -> History {
        let curve = Curve { stride: 1, ..Curve::default() };
        History { curves: vec![curve; plan.pairings.len()], incomplete: BTreeMap::new() }
    }

    /// Adds a game, in the order of completion.
    pub(super) fn add(&mut self, plan: &Plan, line: &GameLine) {
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
    fn add(&mut self, plan: &Plan, half_points: usize) {
        self.pairs[half_points] += 1;
        let pairs: u64 = self.pairs.iter().sum();
        if !pairs.is_multiple_of(self.stride) {
            return;
        }
        let estimate = Estimate::new(&self.pairs).filter(|_| pairs >= FIRST_PAIRS);
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
    use tabiya_lab_common::referee::Termination;

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
