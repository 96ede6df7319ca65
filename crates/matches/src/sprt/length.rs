//! The expected length of a test.
//!
//! The log-likelihood ratio of an SPRT with close bounds is nearly a Brownian motion with drift. The distribution of
//! the time until it leaves the interval between the bounds is known in closed form (D. Cox, H. Miller, "The Theory of
//! Stochastic Processes", 1965, section 5.7).

use super::{Model, Sprt};
use crate::stats::{NORMALIZED_ELO_PER_SIGMA, expected_score};
use std::f64::consts::{PI, SQRT_2};

/// Standard deviation of a pair's score, from 0 to 1, that is assumed for logistic Elo: typical for engines of similar
/// strength with balanced openings. Normalised Elo needs no assumption.
const TYPICAL_DEVIATION: f64 = 0.2;

/// Largest drift per variance. Tests with a larger one end within a few games, where the series is inaccurate.
const MAX_DRIFT: f64 = 8.0;

/// Maximum number of terms of the series.
const MAX_TERMS: u32 = 5000;

/// The distribution of the length of an SPRT for one true difference in strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TestLength {
    /// Drift of the LLR divided by its variance.
    drift: f64,
    /// Variance of the LLR per pair.
    variance: f64,
    /// Distance from 0 to the lower bound.
    below: f64,
    /// Distance between the bounds.
    width: f64,
}

impl TestLength {
    /// The length of a test on pairs of games if the true difference is `elo`, in the model of the test.
    ///
    /// ```
    /// use tabiya_matches::sprt::{Model, Sprt, TestLength};
    ///
    /// let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized)?;
    /// let length = TestLength::new(&sprt, 2.5);
    /// assert!((30_000.0..35_000.0).contains(&length.games(0.5)));
    /// assert!(length.decided(4000.0) < 0.01);
    /// # Ok::<(), tabiya_matches::sprt::SprtError>(())
    /// ```
    pub fn new(sprt: &Sprt, elo: f64) -> TestLength {
        // The difference in standard deviations of a pair's score.
        let deviations = |elo: f64| match sprt.model {
            Model::Normalized => elo / NORMALIZED_ELO_PER_SIGMA * SQRT_2,
            Model::Logistic => (expected_score(elo) - 0.5) / TYPICAL_DEVIATION,
        };
        let [at0, at1, truth] = [sprt.elo0, sprt.elo1, elo].map(deviations);
        let (lower, upper) = sprt.bounds();
        TestLength {
            drift: ((truth - f64::midpoint(at0, at1)) / (at1 - at0)).clamp(-MAX_DRIFT, MAX_DRIFT),
            variance: (at1 - at0).powi(2),
            below: -lower,
            width: upper - lower,
        }
    }

    /// Returns the probability that the test has ended after this many games.
    pub fn decided(&self, games: f64) -> f64 {
        let time = games / 2.0 * self.variance;
        if time <= 0.0 {
            return 0.0;
        }
        let TestLength { drift, below, width, .. } = *self;
        let above = width - below;
        let mut undecided = 0.0;
        for term in 1..=MAX_TERMS {
            let frequency = f64::from(term) * PI / width;
            let decay = (-(drift * drift + frequency * frequency) * time / 2.0).exp();
            let sign = if term % 2 == 0 { 1.0 } else { -1.0 };
            let ends = (-drift * below).exp() - sign * (drift * above).exp();
            undecided += 2.0 / width * (frequency * below).sin() * decay * frequency * ends
                / (drift * drift + frequency * frequency);
            if decay < 1e-18 {
                break;
            }
        }
        1.0 - undecided.clamp(0.0, 1.0)
    }

    /// Returns the number of games within which this share of the tests ends.
    pub fn games(&self, share: f64) -> f64 {
        let (mut low, mut high) = (0.0_f64, 2.0);
        while self.decided(high) < share && high < 1e15 {
            low = high;
            high *= 2.0;
        }
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if self.decided(middle) < share { low = middle } else { high = middle }
        }
        high
    }

    /// Returns the probability that H1 is accepted.
    pub fn power(&self) -> f64 {
        let TestLength { drift, below, width, .. } = *self;
        if drift.abs() < 1e-9 {
            return below / width;
        }
        (1.0 - (-2.0 * drift * below).exp()) / (1.0 - (-2.0 * drift * width).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{simulate, sprt};
    use super::*;
    use crate::stats::Distribution;
    use tabiya_lab_common::openings::Book;

    #[test]
    fn power_is_one_minus_beta_and_alpha_at_the_bounds() {
        let sprt = Sprt::new(-1.0, 3.0, 0.05, 0.1, Model::Normalized).unwrap();
        let power = |elo| TestLength::new(&sprt, elo).power();
        assert!((power(-1.0) - 0.05).abs() < 1e-9 && (power(3.0) - 0.9).abs() < 1e-9);
        assert!((TestLength::new(&self::sprt(0.0, 5.0, Model::Logistic), 2.5).power() - 0.5).abs() < 0.01);
    }

    #[test]
    fn lengths_agree_with_simulated_tests() {
        let shape = Distribution::from_counts(&[20, 215, 500, 235, 30]);
        let elo1 = 50.0;
        let tests = 800;
        for (seed, elo) in [(1, 0.0), (2, 25.0), (3, 50.0)] {
            let sprt = sprt(0.0, elo1, Model::Normalized);
            let truth = shape.with_t_value(elo / NORMALIZED_ELO_PER_SIGMA * SQRT_2);
            let mut games: Vec<f64> = simulate(&sprt, &truth, tests, seed)
                .into_iter()
                .map(|(pairs, _)| 2.0 * pairs as f64)
                .collect();
            games.sort_by(f64::total_cmp);
            let length = TestLength::new(&sprt, elo);
            for share in [0.25, 0.5, 0.75, 0.9] {
                let simulated = games[(share * tests as f64) as usize];
                let expected = length.games(share);
                // The simulation overshoots the bounds, the more because it looks at every fourth pair only.
                let ratio = simulated / expected;
                assert!((0.9..1.35).contains(&ratio), "{elo}, {share}: {simulated} {expected}");
                assert!((length.decided(expected) - share).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn default_book_is_large_enough_for_the_default_test() {
        let sprt = sprt(0.0, 5.0, Model::Normalized);
        let games = 2.0 * Book::default_book().unwrap().len() as f64;
        for elo in [-5.0, 0.0, 5.0, 10.0] {
            let length = TestLength::new(&sprt, elo);
            assert!(length.decided(games) > 0.95, "{elo}: {}", length.decided(games));
            assert!(length.decided(4000.0) < 0.1, "{elo}: {}", length.decided(4000.0));
        }
    }

    #[test]
    fn extreme_differences_and_lengths_are_finite() {
        for (elo0, elo1) in [(0.0, 0.01), (-400.0, 400.0), (0.0, 5.0)] {
            for model in [Model::Normalized, Model::Logistic] {
                for elo in [-400.0, 0.0, 1.0, 400.0] {
                    let length = TestLength::new(&sprt(elo0, elo1, model), elo);
                    let [median, most] = [length.games(0.5), length.games(0.95)];
                    assert!(median.is_finite() && median <= most, "{elo0} {elo1} {elo}: {median} {most}");
                    assert!((0.0..=1.0).contains(&length.power()));
                }
            }
        }
    }
}
