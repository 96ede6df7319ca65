//! Golden-section search for the minimum of a function of one variable.

/// The part of an interval that remains after each step.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// Returns the place of the minimum of a function that has only one in the range, to within half of `tolerance`.
pub(crate) fn minimum([mut low, mut high]: [f64; 2], tolerance: f64, function: impl Fn(f64) -> f64) -> f64 {
    let mut inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    let mut values = inner.map(&function);
    while high - low > tolerance {
        if values[0] <= values[1] {
            high = inner[1];
            inner = [high - GOLDEN * (high - low), inner[0]];
            values = [function(inner[0]), values[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + GOLDEN * (high - low)];
            values = [values[1], function(inner[1])];
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minima_inside_and_at_the_ends_are_found() {
        for place in [-3.0, 0.3, 7.0] {
            let found = minimum([-3.0, 7.0], 1e-4, |x| (x - place).powi(2));
            assert!((found - place).abs() < 1e-4, "{place}: {found}");
        }
    }

    #[test]
    fn each_step_evaluates_the_function_once() {
        let calls = std::cell::Cell::new(0);
        minimum([0.0, 1.0], 0.1, |x| {
            calls.set(calls.get() + 1);
            x
        });
        // 0.618 to the power of 5 is below 0.1.
        assert_eq!(calls.get(), 2 + 5);
    }
}
