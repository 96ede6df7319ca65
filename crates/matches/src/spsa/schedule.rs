//! The arithmetic of SPSA: gain sequences, perturbations and steps.
//!
//! Sources: J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", IEEE Transactions on Automatic Control 37 (1992); "Implementation of the simultaneous
//! perturbation algorithm for stochastic optimization" (1998) for the exponents. As in fishtest and OpenBench,
//! the gain sequences are given by their final values: in the last iteration a parameter is perturbed by
//! `c_end` in both directions, and a win moves it by `r_end * c_end`.

use rand::RngExt;
use tabiya_lab_common::random;

/// Decay exponent of the step sizes a_k.
const ALPHA: f64 = 0.602;
/// Decay exponent of the perturbations c_k.
const GAMMA: f64 = 0.101;
/// The stability constant A, as a fraction of the iterations.
const A_RATIO: f64 = 0.1;

/// A parameter to tune.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Parameter {
    /// Name of the parameter and of its UCI option.
    pub(super) name: String,
    /// Start value.
    pub(super) start: f64,
    /// Smallest value.
    pub(super) min: f64,
    /// Largest value.
    pub(super) max: f64,
    /// Perturbation in the last iteration.
    pub(super) c_end: f64,
    /// Learning rate: the fraction of `c_end` by which one win moves the parameter in the last iteration.
    pub(super) r_end: f64,
}

/// The parameters, the number of iterations and the seed of a run.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Schedule {
    pub(super) parameters: Vec<Parameter>,
    /// Number of iterations, each a pair of games.
    pub(super) iterations: u64,
    pub(super) seed: u64,
}

/// The parameter values of the two players of an iteration, and the step for a win.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Perturbation {
    /// For each parameter, the values of the two players.
    pub(super) values: Vec<[i64; 2]>,
    /// For each parameter, the change for one win of the first player.
    pub(super) gains: Vec<f64>,
}

impl Schedule {
    /// Returns the start values.
    pub(super) fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// Returns the two players of an iteration (numbered from 0), perturbed around `theta`. The result is the same
    /// for the same seed.
    ///
    /// UCI options are integers. Both players' values are rounded stochastically with the same random number:
    /// the rounding is unbiased, a perturbation below 1 has an effect, and the difference of the two values has
    /// minimal variance.
    pub(super) fn perturb(&self, iteration: u64, theta: &[f64]) -> Perturbation {
        let mut random = random::substream(self.seed, iteration);
        let iterations = self.iterations as f64;
        // Spall numbers the iterations from 1.
        let k = iteration as f64 + 1.0;
        let mut perturbation = Perturbation { values: Vec::new(), gains: Vec::new() };
        for (parameter, &value) in self.parameters.iter().zip(theta) {
            let c = parameter.c_end * (iterations / k).powf(GAMMA);
            let a_end = parameter.r_end * parameter.c_end.powi(2);
            let a = a_end * ((A_RATIO * iterations + iterations) / (A_RATIO * iterations + k)).powf(ALPHA);
            let sign = if random.random() { 1.0 } else { -1.0 };
            let rounding: f64 = random.random();
            let perturbed = |offset: f64| {
                ((value + offset).clamp(parameter.min, parameter.max) + rounding).floor().min(parameter.max)
                    as i64
            };
            perturbation.values.push([perturbed(sign * c), perturbed(-sign * c)]);
            perturbation.gains.push(sign * a / c);
        }
        perturbation
    }

    /// Returns the parameters after an iteration from `theta`; `net_wins` is the first player's wins minus losses.
    pub(super) fn step(&self, theta: &[f64], perturbation: &Perturbation, net_wins: i32) -> Vec<f64> {
        let current = self.parameters.iter().zip(theta).zip(&perturbation.gains);
        current
            .map(|((parameter, value), gain)| {
                (value + gain * f64::from(net_wins)).clamp(parameter.min, parameter.max)
            })
            .collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A schedule of three parameters.
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
    fn converges_on_a_noisy_quadratic() {
        let schedule = schedule(6000, 0.01);
        let optimum = [140.0, -10.0, 4.0];
        // Elo loss, quadratic in the distance: 3 Elo for a distance of one step, 12 for two.
        let loss = |values: &dyn Fn(usize) -> f64| -> f64 {
            (0..optimum.len())
                .map(|index| {
                    3.0 * ((values(index) - optimum[index]) / schedule.parameters[index].c_end).powi(2)
                })
                .sum()
        };
        let mut noise = random::seeded(3);
        let mut theta = schedule.start();
        for iteration in 0..schedule.iterations {
            let perturbation = schedule.perturb(iteration, &theta);
            let elo = loss(&|index| perturbation.values[index][1] as f64)
                - loss(&|index| perturbation.values[index][0] as f64);
            let expected = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
            let net_wins = (0..2)
                .map(|_| match noise.random::<f64>() {
                    draw if draw < 0.4 => 0,
                    _ if noise.random::<f64>() < expected => 1,
                    _ => -1,
                })
                .sum();
            theta = schedule.step(&theta, &perturbation, net_wins);
        }
        let before = loss(&|index| schedule.parameters[index].start);
        let after = loss(&|index| theta[index]);
        assert!(after < 0.1 * before, "Elo loss {before:.1} before, {after:.1} after, at {theta:?}");
    }

    #[test]
    fn final_gains_match_c_end_and_r_end() {
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
    fn rounding_is_unbiased() {
        let schedule = schedule(20_000, 0.002);
        let theta = [100.3, 10.0, 3.25];
        let mut sums = [0.0; 3];
        let mut products = 0.0;
        for iteration in 0..schedule.iterations {
            let perturbation = schedule.perturb(iteration, &theta);
            for (sum, values) in sums.iter_mut().zip(&perturbation.values) {
                *sum += (values[0] + values[1]) as f64 / 2.0;
            }
            let values = perturbation.values[2];
            assert!((values[0] - values[1]).abs() <= 3, "{values:?}");
            products += (values[0] - values[1]) as f64 * perturbation.gains[2].signum();
        }
        let count = schedule.iterations as f64;
        for (sum, value) in sums.iter().zip(theta) {
            assert!((sum / count - value).abs() < 0.02, "{sums:?}");
        }
        // Rounding preserves the perturbation of 0.4, which is slightly larger in early iterations.
        assert!((0.8..1.0).contains(&(products / count)), "{}", products / count);
    }

    #[test]
    fn values_stay_within_their_ranges() {
        let schedule = schedule(10, 50.0);
        let mut theta = schedule.start();
        for iteration in 0..10 {
            let perturbation = schedule.perturb(iteration, &theta);
            for (parameter, values) in schedule.parameters.iter().zip(&perturbation.values) {
                for &value in values {
                    assert!(
                        (parameter.min..=parameter.max).contains(&(value as f64)),
                        "{parameter:?}: {value}"
                    );
                }
            }
            theta = schedule.step(&theta, &perturbation, 2);
            for (parameter, value) in schedule.parameters.iter().zip(&theta) {
                assert!((parameter.min..=parameter.max).contains(value), "{parameter:?}: {value}");
            }
        }
    }
}
