//! From centipawns to expected points, and how steep that curve is.

/// `1 / (1 + 10^(-K value / 400))`: the points that are expected where an evaluation says `value`.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub(super) struct Sigmoid {
    /// The steepness, 1 where 400 centipawns mean ten to one.
    pub(super) k: f64,
}

impl Sigmoid {
    /// The expected points, from 0 to 1.
    pub(super) fn points(self, value: f64) -> f64 {
        1.0 / (1.0 + (-self.slope() * value).exp())
    }

    /// The derivative of the points by the value, where the points are known.
    pub(super) fn derivative(self, points: f64) -> f64 {
        self.slope() * points * (1.0 - points)
    }

    fn slope(self) -> f64 {
        self.k * std::f64::consts::LN_10 / 400.0
    }

    /// The curve with the least mean squared error of values and results; `mean_squared_error` works it
    /// out for a given curve.
    ///
    /// The steepness is searched for on a logarithmic scale by the golden section.
    pub(super) fn fit(mean_squared_error: impl Fn(Sigmoid) -> f64) -> Sigmoid {
        const GOLDEN: f64 = 0.618_033_988_749_894_8;
        let curve = |logarithm: f64| Sigmoid { k: logarithm.exp() };
        let (mut low, mut high) = (0.02_f64.ln(), 20_f64.ln());
        let mut inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
        let mut errors = inner.map(|logarithm| mean_squared_error(curve(logarithm)));
        while high - low > 1e-4 {
            if errors[0] <= errors[1] {
                high = inner[1];
                inner = [high - GOLDEN * (high - low), inner[0]];
                errors = [mean_squared_error(curve(inner[0])), errors[0]];
            } else {
                low = inner[0];
                inner = [inner[1], low + GOLDEN * (high - low)];
                errors = [errors[1], mean_squared_error(curve(inner[1]))];
            }
        }
        curve((low + high) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_is_the_known_one() {
        let sigmoid = Sigmoid { k: 1.0 };
        assert!((sigmoid.points(0.0) - 0.5).abs() < 1e-12);
        assert!((sigmoid.points(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert!((sigmoid.points(-400.0) - 1.0 / 11.0).abs() < 1e-12);
        let slope = (sigmoid.points(100.01) - sigmoid.points(99.99)) / 0.02;
        assert!((sigmoid.derivative(sigmoid.points(100.0)) - slope).abs() < 1e-9);
        assert_eq!([sigmoid.points(1e9), sigmoid.points(-1e9)], [1.0, 0.0]);
    }

    #[test]
    fn the_steepness_is_found_again() {
        for k in [0.1, 0.7, 1.3, 6.0] {
            let truth = Sigmoid { k };
            // Every value with both results, as often as they are expected.
            let error = |sigmoid: Sigmoid| {
                (-60..=60)
                    .map(|step| f64::from(step) * 10.0)
                    .map(|value| {
                        let (expected, points) = (truth.points(value), sigmoid.points(value));
                        expected * (1.0 - points).powi(2) + (1.0 - expected) * points.powi(2)
                    })
                    .sum::<f64>()
            };
            let found = Sigmoid::fit(error).k;
            assert!((found / k - 1.0).abs() < 1e-3, "{k}: {found}");
        }
    }
}
