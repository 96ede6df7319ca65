//! The arithmetic: simultaneous perturbation stochastic approximation.
//!
//! J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", IEEE Transactions on Automatic Control 37 (1992), and "Implementation of the
//! simultaneous perturbation algorithm for stochastic optimization" (1998) for the exponents. The gains
//! are given by their last values, as on the distributed frameworks of chess programming: `c_end` is how
//! far a parameter is moved to both sides in the last iteration, and a win there moves it by
//! `r_end * c_end`.

use crate::random::SplitMix64;

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
        let mut random = self.random(iteration);
        let all = self.iterations as f64;
        let number = iteration as f64 + 1.0;
        let mut perturbation = Perturbation { values: Vec::new(), gains: Vec::new() };
        for (parameter, &value) in self.parameters.iter().zip(around) {
            let c = parameter.c_end * (all / number).powf(GAMMA);
            let a_end = parameter.r_end * parameter.c_end.powi(2);
            let a = a_end * ((STABILITY * all + all) / (STABILITY * all + number)).powf(ALPHA);
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let rounding = random.unit();
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

    /// Numbers that belong to one iteration.
    fn random(&self, iteration: u64) -> SplitMix64 {
        // A seed next to another would give the same stream, shifted; one stream makes the other's seed.
        let seed = SplitMix64::new(self.seed).next();
        SplitMix64::new(SplitMix64::new(seed ^ iteration.rotate_left(32)).next())
    }
}
