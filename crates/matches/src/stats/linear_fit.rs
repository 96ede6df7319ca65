//! Weighted linear regression.

use super::{Interval, SIGMAS_95};

/// A line through values with known confidence intervals: least squares, each value weighted by the inverse of its variance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinearFit {
    /// The weighted mean of x, at which the height of the line is independent of its slope.
    center: f64,
    /// The height at `center`.
    height: f64,
    /// The slope.
    pub slope: Interval,
}

impl LinearFit {
    /// Fits a line to points `(x, value)`. Values with an infinite or empty interval are left out. Returns `None` if fewer than two
    /// different x remain.
    pub fn new(points: &[(f64, Interval)]) -> Option<LinearFit> {
        let weighted: Vec<(f64, f64, f64)> = points
            .iter()
            .filter(|(_, value)| value.value.is_finite() && value.margin.is_finite() && value.margin > 0.0)
            .map(|&(x, value)| ((SIGMAS_95 / value.margin).powi(2), x, value.value))
            .collect();
        let first = weighted.first()?.1;
        if weighted.iter().all(|&(_, x, _)| x == first) {
            return None;
        }
        let total: f64 = weighted.iter().map(|&(weight, ..)| weight).sum();
        let mean = |of: fn(&(f64, f64, f64)) -> f64| {
            weighted.iter().map(|point| point.0 * of(point)).sum::<f64>() / total
        };
        let (center, height) = (mean(|point| point.1), mean(|point| point.2));
        let spread: f64 = weighted.iter().map(|&(weight, x, _)| weight * (x - center).powi(2)).sum();
        let product: f64 = weighted.iter().map(|&(weight, x, y)| weight * (x - center) * (y - height)).sum();
        let slope = Interval { value: product / spread, margin: SIGMAS_95 / spread.sqrt() };
        Some(LinearFit { center, height, slope })
    }

    /// Returns the height of the line at `x`.
    pub fn at(&self, x: f64) -> f64 {
        self.height + self.slope.value * (x - self.center)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, value: f64, margin: f64) -> (f64, Interval) {
        (x, Interval { value, margin })
    }

    #[test]
    fn values_on_a_line_give_the_line() {
        let fit =
            LinearFit::new(&[point(0.0, 50.0, 20.0), point(2.0, 30.0, 5.0), point(5.0, 0.0, 40.0)]).unwrap();
        assert!((fit.slope.value + 10.0).abs() < 1e-9, "{fit:?}");
        assert!((fit.at(1.0) - 40.0).abs() < 1e-9 && (fit.at(5.0)).abs() < 1e-9, "{fit:?}");
    }

    /// Two values determine the line: the slope's variance is the sum of theirs, over the square of the distance.
    #[test]
    fn margin_follows_from_those_of_the_values() {
        let fit = LinearFit::new(&[point(3.0, 10.0, 3.0), point(5.0, 30.0, 4.0)]).unwrap();
        assert!((fit.slope.value - 10.0).abs() < 1e-9 && (fit.slope.margin - 2.5).abs() < 1e-9, "{fit:?}");
    }

    /// The precise values at 0 and 1 outweigh the third one, 100 above their line.
    #[test]
    fn precise_values_count_more() {
        let points = [point(0.0, 0.0, 1.0), point(1.0, 0.0, 1.0), point(2.0, 100.0, 100.0)];
        let slope = LinearFit::new(&points).unwrap().slope;
        assert!(slope.value > 0.0 && slope.value < 0.1, "{slope:?}");
    }

    #[test]
    fn line_needs_two_places_with_known_values() {
        let unknown = point(1.0, f64::INFINITY, f64::INFINITY);
        for points in [vec![], vec![point(0.0, 1.0, 1.0), unknown], vec![point(0.0, 1.0, 1.0); 2]] {
            assert_eq!(LinearFit::new(&points), None);
        }
    }
}
