//! The sigmoid that maps centipawns to expected points, and the fit of its scaling constant K.

use crate::golden_section;

/// The expected points of a value in centipawns: `1 / (1 + 10^(-K * value / 400))`.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub(super) struct Sigmoid {
    /// Scaling constant. With K = 1, 400 centipawns are odds of ten to one.
    pub(super) k: f64,
}

impl Sigmoid {
    /// Returns the expected points, from 0 to 1.
    pub(super) fn expected_points(self, value: f64) -> f64 {
        1.0 / (1.0 + (-self.slope() * value).exp())
    }

    /// Returns the derivative of the expected points with respect to the value, given the expected points.
    pub(super) fn derivative(self, expected_points: f64) -> f64 {
        self.slope() * expected_points * (1.0 - expected_points)
    }

    fn slope(self) -> f64 {
        self.k * std::f64::consts::LN_10 / 400.0
    }

    /// Returns the sigmoid that minimises `mean_squared_error`, by golden-section search over the logarithm of K.
    pub(super) fn fit(mean_squared_error: impl Fn(Sigmoid) -> f64) -> Sigmoid {
        let sigmoid = |logarithm: f64| Sigmoid { k: logarithm.exp() };
        let error = |logarithm: f64| mean_squared_error(sigmoid(logarithm));
        sigmoid(golden_section::minimum([0.02, 20.0].map(f64::ln), 1e-4, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_elo_curve_and_its_derivative() {
        let sigmoid = Sigmoid { k: 1.0 };
        assert!((sigmoid.expected_points(0.0) - 0.5).abs() < 1e-12);
        assert!((sigmoid.expected_points(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert!((sigmoid.expected_points(-400.0) - 1.0 / 11.0).abs() < 1e-12);
        let slope = (sigmoid.expected_points(100.01) - sigmoid.expected_points(99.99)) / 0.02;
        assert!((sigmoid.derivative(sigmoid.expected_points(100.0)) - slope).abs() < 1e-9);
        assert_eq!([sigmoid.expected_points(1e9), sigmoid.expected_points(-1e9)], [1.0, 0.0]);
    }

    #[test]
    fn fit_recovers_k() {
        for k in [0.1, 0.7, 1.3, 6.0] {
            let truth = Sigmoid { k };
            // Each value occurs with both results, weighted by their probability.
            let error = |sigmoid: Sigmoid| {
                (-60..=60)
                    .map(|step| f64::from(step) * 10.0)
                    .map(|value| {
                        let (expected, points) =
                            (truth.expected_points(value), sigmoid.expected_points(value));
                        expected * (1.0 - points).powi(2) + (1.0 - expected) * points.powi(2)
                    })
                    .sum::<f64>()
            };
            let fitted = Sigmoid::fit(error).k;
            assert!((fitted / k - 1.0).abs() < 1e-3, "{k}: {fitted}");
        }
    }
}
