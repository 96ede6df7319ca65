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

    /// Returns the maximum-likelihood distribution with this expected score.
    pub fn with_mean(&self, mean: f64) -> Distribution<N> {
        self.constrained(std::array::from_fn(|i| Self::score(i) - mean))
    }

    /// Returns the maximum-likelihood distribution with `(mean - 1/2) / standard deviation = t`.
    ///
    /// The condition is not linear in the probabilities; it is linearised at the current distribution
    /// until the iteration converges. Starting from the uniform distribution keeps the variance away
    /// from 0 if nearly all results are equal.
    pub fn with_t_value(&self, t: f64) -> Distribution<N> {
        let mut current = Distribution { p: [1.0 / N as f64; N], total: self.total };
        for _ in 0..50 {
            let (mean, sigma) = (current.mean(), current.variance().sqrt());
            let next = self.constrained(std::array::from_fn(|i| {
                let score = Self::score(i);
                score - 0.5 - t * sigma / 2.0 * (1.0 + ((score - mean) / sigma).powi(2))
            }));
            let change = (0..N).map(|i| (next.p[i] - current.p[i]).abs()).fold(0.0, f64::max);
            current = next;
            if change < 1e-12 {
                break;
            }
        }
        current
    }

    /// Returns the maximum-likelihood distribution with `Σ pᵢ gᵢ = 0`: `pᵢ / (1 + θ gᵢ)`, where θ solves
    /// the condition.
    fn constrained(&self, g: [f64; N]) -> Distribution<N> {
        let min = g.iter().copied().fold(f64::INFINITY, f64::min);
        let max = g.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if min >= 0.0 || max <= 0.0 {
            // No such distribution exists; happens only for Elo bounds far beyond the limit of an SPRT.
            return *self;
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
        Distribution { p: std::array::from_fn(|i| self.p[i] / (1.0 + theta * g[i])), total: self.total }
    }
}
