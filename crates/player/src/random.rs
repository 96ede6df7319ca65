//! Random numbers with given distributions.

use tabiya_core::Value;

/// Maps 64 random bits to a uniform number from `-limit` to `limit`.
pub(super) fn uniform(random: u64, limit: Value) -> Value {
    let span = 2 * u64::from(limit.unsigned_abs()) + 1;
    (random % span) as Value - limit
}

/// Maps 64 random bits to a number with the standard Gumbel distribution. Of several numbers with such noise added, each is the
/// largest with a probability in proportion to its exponential (softmax).
pub(super) fn gumbel(random: u64) -> f64 {
    -(-open_unit(random).ln()).ln()
}

/// Maps two times 64 random bits to a number with the standard normal distribution (Box and Muller 1958).
pub(super) fn normal(first: u64, second: u64) -> f64 {
    (-2.0 * open_unit(first).ln()).sqrt() * (std::f64::consts::TAU * open_unit(second)).cos()
}

/// Maps 64 random bits to a uniform number between 0 and 1, exclusively.
fn open_unit(random: u64) -> f64 {
    ((random >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::SplitMix64;

    #[test]
    fn normal_noise_has_mean_0_and_deviation_1() {
        let mut random = SplitMix64::new(1);
        let count = 20_000;
        let values: Vec<f64> = (0..count).map(|_| normal(random.next_u64(), random.next_u64())).collect();
        let mean = values.iter().sum::<f64>() / f64::from(count);
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / f64::from(count);
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean}, {variance}");
        assert!(normal(0, 0).is_finite() && normal(u64::MAX, u64::MAX).is_finite());
    }

    #[test]
    fn gumbel_noise_chooses_in_proportion() {
        let noise = |number: u64| gumbel(SplitMix64::hash(number));
        let chosen = (0..10_000).filter(|n| 3_f64.ln() + noise(2 * n) > noise(2 * n + 1)).count();
        assert!((7300..7700).contains(&chosen), "{chosen} of 10,000");
        assert!(gumbel(0).is_finite() && gumbel(u64::MAX).is_finite());
    }
}
