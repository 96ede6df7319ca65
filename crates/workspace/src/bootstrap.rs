//! Confidence intervals by the bootstrap: the spread of a statistic over resampled measurements.

/// Number of resamples.
const RESAMPLES: usize = 10_000;

/// The fewest values whose whole range, which no resample leaves, holds their distribution's median in 95 % of cases: in all but
/// `2^(1 - n)`.
pub const MIN_VALUES: usize = 6;

/// Share of the resamples below the interval, and above it.
const TAIL: f64 = 0.025;

/// Returns the 95 % interval of a statistic (percentile bootstrap: B. Efron, "Bootstrap methods: another look at the
/// jackknife", 1979), or `None` with fewer than [`MIN_VALUES`]. The result depends only on the values.
pub fn interval(values: &[f64], statistic: impl Fn(Vec<f64>) -> Option<f64>) -> Option<(f64, f64)> {
    if values.len() < MIN_VALUES {
        return None;
    }
    let mut random = Random(0);
    let resample = |_| statistic((0..values.len()).map(|_| values[random.below(values.len())]).collect());
    let mut statistics: Vec<f64> = (0..RESAMPLES).map_while(resample).collect();
    statistics.sort_by(f64::total_cmp);
    let last = statistics.len().checked_sub(1)?;
    let cut = (TAIL * last as f64) as usize;
    Some((statistics[cut], statistics[last - cut]))
}

/// The SplitMix64 generator. `rand` and the engine's crates would delay the build of xtask.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::median::median;

    fn mean(values: Vec<f64>) -> Option<f64> {
        Some(values.iter().sum::<f64>() / values.len() as f64)
    }

    #[test]
    fn interval_of_the_mean_is_two_standard_errors_wide() {
        // Uniform from 0 to 1: the standard deviation is 0.289.
        let mut random = Random(7);
        let values: Vec<f64> = (0..400).map(|_| random.below(1 << 20) as f64 / f64::from(1 << 20)).collect();
        let (low, high) = interval(&values, mean).unwrap();
        let expected = 2.0 * 1.96 * 0.289 / 20.0;
        assert!(((high - low) / expected - 1.0).abs() < 0.1, "{low} {high}");
        assert!(low < 0.5 && 0.5 < high);
    }

    #[test]
    fn few_values_give_a_wide_interval_or_none() {
        assert_eq!(interval(&[5.0, 1.0, 2.0, 4.0, 3.0, 6.0], median), Some((1.5, 5.5)));
        assert_eq!(interval(&[1.0; 5], median), None);
        assert_eq!(interval(&[], median), None);
    }
}
