//! Elo estimates with confidence intervals.

mod distribution;
mod linear_fit;

pub use distribution::Distribution;
pub use linear_fit::LinearFit;

use std::fmt;

/// Normalised Elo per standard deviation of a game result: `800 / ln 10`, so that it equals logistic Elo
/// for small differences without draws.
pub const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// Fewest pairs or games whose spread says something about the variance. With fewer, equal or similar results seem to be certain.
pub const FEWEST_RESULTS: u64 = 8;

/// Half-width of a 95 % confidence interval, in standard deviations.
pub const SIGMAS_95: f64 = 1.959_963_984_540_054;

/// An estimate of the Elo difference.
///
/// ```
/// use tabiya_matches::stats::Estimate;
///
/// // Losses, draws and wins.
/// let estimate = Estimate::new(&[96, 111, 136]).expect("there are results");
/// let elo = estimate.elo.expect("the results are not all equal");
/// assert_eq!(format!("{elo:.0}"), "+41 ± 30");
/// assert!(estimate.likelihood_of_superiority.is_some_and(|likelihood| likelihood > 0.99));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Estimate {
    /// Score per game, from 0 to 1.
    pub score: f64,
    /// Logistic Elo; `None` if all results are equal, since the variance is then unknown.
    pub elo: Option<Interval>,
    /// Normalised Elo; `None` if all results are equal.
    pub normalized_elo: Option<Interval>,
    /// Likelihood of superiority (LOS) of the first player; `None` with fewer than [`FEWEST_RESULTS`].
    pub likelihood_of_superiority: Option<f64>,
}

/// A value with its confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Interval {
    /// The value.
    pub value: f64,
    /// Half-width of the 95 % confidence interval.
    pub margin: f64,
}

impl Estimate {
    /// Estimates from pairs (`N` = 5: by points 0, ½, 1, 1½, 2) or games (`N` = 3: losses, draws, wins);
    /// `None` without results.
    pub fn new<const N: usize>(counts: &[u64; N]) -> Option<Estimate> {
        let total: u64 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let p = counts.map(|count| count as f64 / total as f64);
        let observed = Distribution { p, total: total as f64 };
        let (score, variance) = (observed.mean(), observed.variance());
        let is_known = total >= FEWEST_RESULTS;
        // Treat rounding errors as zero variance.
        if variance < 1e-12 {
            let likelihood = if score > 0.5 {
                1.0
            } else if score < 0.5 {
                0.0
            } else {
                0.5
            };
            let likelihood_of_superiority = is_known.then_some(likelihood);
            return Some(Estimate { score, elo: None, normalized_elo: None, likelihood_of_superiority });
        }
        let deviation = (variance / observed.total).sqrt();
        let (low, high) = (score - SIGMAS_95 * deviation, score + SIGMAS_95 * deviation);
        let games_per_result = if N == 5 { 2.0 } else { 1.0 };
        let normalized = NORMALIZED_ELO_PER_SIGMA / (games_per_result * variance).sqrt();
        Some(Estimate {
            score,
            elo: Some(Interval { value: elo(score), margin: (elo(high) - elo(low)) / 2.0 }),
            normalized_elo: Some(Interval {
                value: (score - 0.5) * normalized,
                margin: SIGMAS_95 * deviation * normalized,
            }),
            likelihood_of_superiority: is_known.then(|| normal_cdf((score - 0.5) / deviation)),
        })
    }
}

/// Formats as `+12.3 ± 4.5`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        if self.margin.is_finite() {
            write!(f, "{:+.decimals$} ± {:.decimals$}", self.value, self.margin)
        } else {
            write!(f, "{:+.decimals$} ± ∞", self.value)
        }
    }
}

/// Expected score of a player stronger by `elo`.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// Converts a score to logistic Elo; infinite at or beyond 0 and 1.
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// Standard normal distribution function, accurate to seven decimals.
pub fn normal_cdf(x: f64) -> f64 {
    // M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 26.2.17.
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let polynomial = t
        * (0.319_381_530
            + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let upper_tail = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt() * polynomial;
    if x >= 0.0 { 1.0 - upper_tail } else { upper_tail }
}

#[cfg(test)]
mod tests;
