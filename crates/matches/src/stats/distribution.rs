//! Distributions of the results of games and pairs.

/// Pseudo-count that replaces a count of 0: every result has a positive probability.
const PRIOR: f64 = 1e-3;

/// A distribution of the results `0, 1/(N-1), ..., 1`, with the sample size.
#[derive(Clone, Copy, Debug)]
pub struct Distribution<const N: usize> {
    /// Probability of each result.
    pub p: [f64; N],
    /// Number of results.
    pub total: f64,
}

impl<const N: usize> Distribution<N> {
    /// The observed distribution, with pseudo-counts for zeros.
    pub fn from_counts(counts: &[u64; N]) -> Distribution<N> {
        let counts = counts.map(|count| if count == 0 { PRIOR } else { count as f64 });
        let total = counts.iter().sum();
        Distribution { p: counts.map(|count| count / total), total }
    }

    /// Score of the result with this index, from 0 to 1.
    pub fn score(index: usize) -> f64 {
        index as f64 / (N - 1) as f64
    }

    /// Expected score.
    pub fn mean(&self) -> f64 {
        (0..N).map(|i| self.p[i] * Self::score(i)).sum()
    }

    /// Variance of the score.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        (0..N).map(|i| self.p[i] * (Self::score(i) - mean).powi(2)).sum()
    }

    /// Returns the maximum-likelihood distribution with this expected score, which lies between 0 and 1.
    pub fn with_mean(&self, mean: f64) -> Distribution<N> {
        self.constrained(std::array::from_fn(|i| Self::score(i) - mean)).unwrap_or(*self)
    }

    /// Returns `(mean - 1/2) / standard deviation`.
    fn t_value(&self) -> f64 {
        (self.mean() - 0.5) / self.variance().sqrt()
    }

    /// Returns the maximum-likelihood distribution with `(mean - 1/2) / standard deviation = t`.
    ///
    /// The condition is not linear in the probabilities; it is linearised at the current distribution
    /// until the iteration converges. Starting at or near the uniform distribution keeps the variance away
    /// from 0 if nearly all results are equal.
    pub fn with_t_value(&self, t: f64) -> Distribution<N> {
        let mut current = self.start_for_t_value(t);
        for _ in 0..50 {
            let (mean, sigma) = (current.mean(), current.variance().sqrt());
            let linearised = std::array::from_fn(|i| {
                let score = Self::score(i);
                score - 0.5 - t * sigma / 2.0 * (1.0 + ((score - mean) / sigma).powi(2))
            });
            let Some(next) = self.constrained(linearised) else { break };
            let change = (0..N).map(|i| (next.p[i] - current.p[i]).abs()).fold(0.0, f64::max);
            current = next;
            if change < 1e-12 {
                break;
            }
        }
        current
    }

    /// The distribution from which [`with_t_value`](Self::with_t_value) starts: the uniform one, or for a large `t`, where the condition
    /// linearised there has no solution, the nearest one with this t-value.
    fn start_for_t_value(&self, t: f64) -> Distribution<N> {
        let uniform = Distribution { p: [1.0 / N as f64; N], total: self.total };
        if t.abs() < 0.5 {
            return uniform;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            if uniform.with_mean(middle).t_value() < t {
                low = middle;
            } else {
                high = middle;
            }
        }
        uniform.with_mean(low)
    }

    /// Returns the maximum-likelihood distribution with `Σ pᵢ gᵢ = 0`: `pᵢ / (1 + θ gᵢ)`, where θ solves
    /// the condition. `None` if there is none.
    fn constrained(&self, g: [f64; N]) -> Option<Distribution<N>> {
        let min = g.iter().copied().fold(f64::INFINITY, f64::min);
        let max = g.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if min >= 0.0 || max <= 0.0 {
            return None;
        }
        // The sum falls from +∞ to -∞ between the poles, so there is exactly one root. Newton's method,
        // with bisection if a step would leave the bracket.
        let (mut low, mut high) = (-1.0 / max, -1.0 / min);
        let mut theta = 0.0;
        for _ in 0..200 {
            let (mut sum, mut slope) = (0.0, 0.0);
            for (p, g) in self.p.into_iter().zip(g) {
                let quotient = g / (1.0 + theta * g);
                sum += p * quotient;
                slope -= p * quotient * quotient;
            }
            if sum > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
            let newton = theta - sum / slope;
            let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
            let step = (next - theta).abs();
            theta = next;
            if step <= 1e-14 * (1.0 + theta.abs()) {
                break;
            }
        }
        Some(Distribution { p: std::array::from_fn(|i| self.p[i] / (1.0 + theta * g[i])), total: self.total })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constrained_distributions_have_the_required_values() {
        for counts in [
            [0, 238, 1282, 4, 3],
            [0, 60, 0, 0, 0],
            [0, 0, 500, 0, 0],
            [10, 20, 30, 25, 12],
            [1, 0, 0, 0, 99],
        ] {
            let observed = Distribution::from_counts(&counts);
            for step in -20..=20 {
                let t = f64::from(step) / 10.0;
                let actual = observed.with_t_value(t);
                assert!(
                    (actual.t_value() - t).abs() < 1e-6,
                    "{counts:?}: {} instead of {t}",
                    actual.t_value()
                );
                let sum: f64 = actual.p.iter().sum();
                assert!(
                    (sum - 1.0).abs() < 1e-6 && actual.p.iter().all(|&p| p >= 0.0),
                    "{counts:?}, {t}: {:?}",
                    actual.p
                );
                let mean = 0.5 + t / 5.0;
                assert!((observed.with_mean(mean).mean() - mean).abs() < 1e-6, "{counts:?}: {mean}");
            }
        }
    }
}
