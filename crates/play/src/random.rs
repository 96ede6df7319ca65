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
    // Between 0 and 1, exclusively.
    let uniform = ((random >> 12) as f64 + 0.5) / (1_u64 << 52) as f64;
    -(-uniform.ln()).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::SplitMix64;

    #[test]
    fn gumbel_noise_chooses_in_proportion() {
        let noise = |number: u64| gumbel(SplitMix64::hash(number));
        let chosen = (0..10_000).filter(|n| 3_f64.ln() + noise(2 * n) > noise(2 * n + 1)).count();
        assert!((7300..7700).contains(&chosen), "{chosen} of 10,000");
        assert!(gumbel(0).is_finite() && gumbel(u64::MAX).is_finite());
    }
}
