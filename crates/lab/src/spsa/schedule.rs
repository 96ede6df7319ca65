//! The arithmetic: simultaneous perturbation stochastic approximation.
//!
//! J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", IEEE Transactions on Automatic Control 37 (1992), and "Implementation of the
//! simultaneous perturbation algorithm for stochastic optimization" (1998) for the exponents. The gains
//! are given by their last values, as on the distributed frameworks of chess programming: `c_end` is how
//! far a parameter is moved to both sides in the last iteration, and a win there moves it by
//! `r_end * c_end`.

use crate::random;
use rand::RngExt;

/// How the gains fall.
const ALPHA: f64 = 0.602;
/// How the perturbations shrink.
const GAMMA: f64 = 0.101;
/// The part of all iterations in which the gains hardly fall.
const STABILITY: f64 = 0.1;

/// A number that is tuned.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Parameter {
    /// Its name, which is the name of the UCI option, too.
    pub(super) name: String,
    /// Where the walk begins.
    pub(super) start: f64,
    /// The least value.
    pub(super) min: f64,
    /// The greatest value.
    pub(super) max: f64,
    /// How far it is moved to both sides in the last iteration.
    pub(super) c_end: f64,
    /// By what part of `c_end` one win moves it in the last iteration.
    pub(super) r_end: f64,
}

/// A walk: what is tuned, in how many iterations, and the seed of all that is random in it.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Schedule {
    pub(super) parameters: Vec<Parameter>,
    /// How many pairs of games are played.
    pub(super) iterations: u64,
    pub(super) seed: u64,
}

/// What the two players of an iteration are set to, and what moves where one of them wins.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Perturbation {
    /// For each parameter, the values of the two players.
    pub(super) values: Vec<[i64; 2]>,
    /// For each parameter, what one win of the first player adds to it.
    pub(super) gains: Vec<f64>,
}

impl Schedule {
    /// Where the walk begins.
    pub(super) fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// The players of an iteration, from 0, around a point. The same for the same arguments.
    ///
    /// Engines take whole numbers. Both players' values are rounded by the same random number, up or down so
    /// that they are right on average: a perturbation of less than one is not lost then, and their
    /// difference varies as little as it can.
    pub(super) fn perturb(&self, iteration: u64, around: &[f64]) -> Perturbation {
        let mut random = random::substream(self.seed, iteration);
        let all = self.iterations as f64;
        let number = iteration as f64 + 1.0;
        let mut perturbation = Perturbation { values: Vec::new(), gains: Vec::new() };
        for (parameter, &value) in self.parameters.iter().zip(around) {
            let c = parameter.c_end * (all / number).powf(GAMMA);
            let a_end = parameter.r_end * parameter.c_end.powi(2);
            let a = a_end * ((STABILITY * all + all) / (STABILITY * all + number)).powf(ALPHA);
            let sign = if random.random() { 1.0 } else { -1.0 };
            let rounding: f64 = random.random();
            let player = |offset: f64| {
                ((value + offset).clamp(parameter.min, parameter.max) + rounding).floor().min(parameter.max)
                    as i64
            };
            perturbation.values.push([player(sign * c), player(-sign * c)]);
            perturbation.gains.push(sign * a / c);
        }
        perturbation
    }

    /// Where the walk goes from `point` after an iteration in which the first player won so many games more
    /// than it lost.
    pub(super) fn step(&self, point: &[f64], perturbation: &Perturbation, wins: i32) -> Vec<f64> {
        let moved = self.parameters.iter().zip(point).zip(&perturbation.gains);
        moved
            .map(|((parameter, value), gain)| {
                (value + gain * f64::from(wins)).clamp(parameter.min, parameter.max)
            })
            .collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A walk of a few parameters.
    pub(in super::super) fn schedule(iterations: u64, r_end: f64) -> Schedule {
        let parameter = |name: &str, start, min, max, c_end| Parameter {
            name: name.to_owned(),
            start,
            min,
            max,
            c_end,
            r_end,
        };
        let parameters = vec![
            parameter("razoring_base", 100.0, 0.0, 300.0, 10.0),
            parameter("razoring_slope", 10.0, -40.0, 100.0, 4.0),
            parameter("killer_bonus", 3.0, 1.0, 6.0, 0.4),
        ];
        Schedule { parameters, iterations, seed: 7 }
    }

    #[test]
    fn a_noisy_quadratic_is_climbed() {
        let schedule = schedule(6000, 0.01);
        let best = [140.0, -10.0, 4.0];
        // Elo lost by being off, in steps: one step costs 3 Elo, two cost 12.
        let loss = |values: &dyn Fn(usize) -> f64| -> f64 {
            (0..best.len())
                .map(|index| 3.0 * ((values(index) - best[index]) / schedule.parameters[index].c_end).powi(2))
                .sum()
        };
        let mut noise = random::seeded(3);
        let mut point = schedule.start();
        for iteration in 0..schedule.iterations {
            let players = schedule.perturb(iteration, &point);
            let elo = loss(&|index| players.values[index][1] as f64)
                - loss(&|index| players.values[index][0] as f64);
            let expected = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
            let wins = (0..2)
                .map(|_| match noise.random::<f64>() {
                    draw if draw < 0.4 => 0,
                    _ if noise.random::<f64>() < expected => 1,
                    _ => -1,
                })
                .sum();
            point = schedule.step(&point, &players, wins);
        }
        let before = loss(&|index| schedule.parameters[index].start);
        let after = loss(&|index| point[index]);
        assert!(after < 0.1 * before, "{before:.1} Elo lost before, {after:.1} after, at {point:?}");
    }

    #[test]
    fn the_last_gains_are_the_ones_asked_for() {
        let schedule = schedule(1000, 0.002);
        let last = schedule.perturb(999, &schedule.start());
        for ((parameter, gain), values) in schedule.parameters.iter().zip(&last.gains).zip(&last.values) {
            assert!((gain.abs() - parameter.r_end * parameter.c_end).abs() < 1e-9, "{parameter:?}: {gain}");
            let distance = (values[0] - values[1]) as f64;
            assert!((distance.abs() - 2.0 * parameter.c_end).abs() <= 1.0, "{parameter:?}: {values:?}");
            assert_eq!(distance > 0.0 || parameter.c_end < 1.0, *gain > 0.0 || parameter.c_end < 1.0);
        }
        let first = schedule.perturb(0, &schedule.start());
        let distance = (first.values[0][0] - first.values[0][1]) as f64;
        assert!((distance.abs() / 20.0 - 1000_f64.powf(GAMMA)).abs() < 0.1, "{first:?}");
        assert_eq!(first, schedule.perturb(0, &schedule.start()));
        assert_ne!(first, Schedule { seed: 8, ..schedule.clone() }.perturb(0, &schedule.start()));
    }

    #[test]
    fn whole_numbers_are_right_on_average() {
        let schedule = schedule(20_000, 0.002);
        let point = [100.3, 10.0, 3.25];
        let mut sums = [0.0; 3];
        let mut products = 0.0;
        for iteration in 0..schedule.iterations {
            let players = schedule.perturb(iteration, &point);
            for (sum, values) in sums.iter_mut().zip(&players.values) {
                *sum += (values[0] + values[1]) as f64 / 2.0;
            }
            let values = players.values[2];
            assert!((values[0] - values[1]).abs() <= 3, "{values:?}");
            products += (values[0] - values[1]) as f64 * players.gains[2].signum();
        }
        let count = schedule.iterations as f64;
        for (sum, value) in sums.iter().zip(point) {
            assert!((sum / count - value).abs() < 0.02, "{sums:?}");
        }
        // The perturbation of 0.4, and a little more in early iterations, is not lost by rounding.
        assert!((0.8..1.0).contains(&(products / count)), "{}", products / count);
    }

    #[test]
    fn ranges_are_kept() {
        let schedule = schedule(10, 50.0);
        let mut point = schedule.start();
        for iteration in 0..10 {
            let players = schedule.perturb(iteration, &point);
            for (parameter, values) in schedule.parameters.iter().zip(&players.values) {
                for &value in values {
                    assert!(
                        (parameter.min..=parameter.max).contains(&(value as f64)),
                        "{parameter:?}: {value}"
                    );
                }
            }
            point = schedule.step(&point, &players, 2);
            for (parameter, value) in schedule.parameters.iter().zip(&point) {
                assert!((parameter.min..=parameter.max).contains(value), "{parameter:?}: {value}");
            }
        }
    }
}
