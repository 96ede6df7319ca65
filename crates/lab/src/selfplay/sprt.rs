//! The sequential test that decides a match: a generalised SPRT on pairs of games.
//!
//! The two hypotheses are strengths, `elo0` and `elo1`. Of everything else in the distribution of the
//! results (how drawish the openings are, how lopsided) nothing is assumed: each hypothesis takes the
//! distribution that explains the results best among those of its strength, and the log-likelihood
//! ratio (LLR) compares the two. The theory, and the equations named below, are in M. Van den Bergh,
//! "A practical introduction to normalized Elo" and "The generalized maximum likelihood ratio for the
//! expectation value of a distribution" (both on <https://www.cantate.be/Fishtest/>).
//!
//! All functions are pure.

use std::fmt;
use std::str::FromStr;

/// Normalised Elo for one standard deviation of a game's result: `800 / ln 10`, chosen so that without
/// draws and with small differences it is the same as logistic Elo.
pub(crate) const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// What is put in place of a count of 0, so that no result counts as impossible.
const PRIOR: f64 = 1e-3;

/// The scale of `elo0` and `elo1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Model {
    /// Elo as a multiple of the results' standard deviation. How long a test takes then depends on the
    /// bounds alone, not on how drawish the openings and the time control are.
    #[default]
    Normalized,
    /// Elo as in rating lists: the logistic function of the expected score.
    Logistic,
}

impl FromStr for Model {
    type Err = String;

    fn from_str(text: &str) -> Result<Model, String> {
        match text {
            "normalized" | "normalised" => Ok(Model::Normalized),
            "logistic" => Ok(Model::Logistic),
            _ => Err(format!("{text:?} is not a model: normalized or logistic")),
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
        })
    }
}

/// What a finished test has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) enum Verdict {
    /// The strength is `elo0` rather than `elo1`.
    H0,
    /// The strength is `elo1` rather than `elo0`.
    H1,
}

/// The parameters of a test.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Sprt {
    /// The strength under H0.
    pub(crate) elo0: f64,
    /// The strength under H1.
    pub(crate) elo1: f64,
    /// How often H1 may be accepted where H0 is true.
    pub(crate) alpha: f64,
    /// How often H0 may be accepted where H1 is true.
    pub(crate) beta: f64,
    /// The scale of the strengths.
    pub(crate) model: Model,
}

/// Why numbers are not the parameters of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum SprtError {
    /// `elo0` must be less than `elo1`, and both must be numbers.
    Bounds {
        /// What was given.
        elo0: f64,
        /// What was given.
        elo1: f64,
    },
    /// Strengths beyond [`Sprt::MAX_ELO`] leave no results that could tell them apart.
    Beyond(f64),
    /// `alpha` and `beta` must be greater than 0 and less than 0.5.
    Probability {
        /// Which.
        name: &'static str,
        /// What was given.
        value: f64,
    },
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SprtError::Bounds { elo0, elo1 } => {
                write!(f, "SPRT: elo0 must be less than elo1, but they are {elo0} and {elo1}")
            }
            SprtError::Beyond(elo) => {
                write!(f, "SPRT: elo bounds must lie from -{0} to {0}, not at {elo}", Sprt::MAX_ELO)
            }
            SprtError::Probability { name, value } => {
                write!(f, "SPRT: {name} must be greater than 0 and less than 0.5, not {value}")
            }
        }
    }
}

impl std::error::Error for SprtError {}

impl Sprt {
    /// The greatest `elo0` and `elo1` that make sense.
    pub(crate) const MAX_ELO: f64 = 400.0;

    /// Checks the parameters.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub(crate) fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, SprtError> {
        // Written so that NaN fails each of them.
        if !matches!(elo0.partial_cmp(&elo1), Some(std::cmp::Ordering::Less)) {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| elo.abs() > Sprt::MAX_ELO) {
            return Err(SprtError::Beyond(elo));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Probability { name, value });
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The LLR at which H0 and the LLR at which H1 is accepted (Wald).
    pub(crate) fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0, from the numbers of pairs (`N` = 5: by points 0, ½, 1, 1½,
    /// 2) or, less exactly where games come in pairs, of games (`N` = 3: losses, draws, wins).
    ///
    /// 0 where nothing has been played.
    pub(crate) fn llr<const N: usize>(&self, counts: &[u64; N]) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let distribution = Distribution::from_counts(counts);
        let constrained = |elo: f64| match self.model {
            Model::Logistic => distribution.with_mean(expected_score(elo)),
            Model::Normalized => {
                // A pair's standard deviation in points a game is √½ of a game's.
                let games_a_result = if N == 5 { 2.0_f64 } else { 1.0 };
                distribution.with_t_value(elo / NORMALIZED_ELO_PER_SIGMA * games_a_result.sqrt())
            }
        };
        let (at0, at1) = (constrained(self.elo0), constrained(self.elo1));
        let per_result: f64 = (0..N).map(|i| distribution.p[i] * (at1.p[i] / at0.p[i]).ln()).sum();
        distribution.total * per_result
    }

    /// What an LLR means: a hypothesis, or to go on.
    pub(crate) fn verdict(&self, llr: f64) -> Option<Verdict> {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Some(Verdict::H1)
        } else if llr <= lower {
            Some(Verdict::H0)
        } else {
            None
        }
    }
}

/// The score a player this much stronger expects.
pub(crate) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// Probabilities of the results `0, 1/(N-1), ..., 1`, and from how many results they come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distribution<const N: usize> {
    /// The probability of each result.
    pub(crate) p: [f64; N],
    /// The number of results.
    pub(crate) total: f64,
}

impl<const N: usize> Distribution<N> {
    /// The observed distribution, with a thousandth of a result in place of none.
    pub(crate) fn from_counts(counts: &[u64; N]) -> Distribution<N> {
        let counts = counts.map(|count| if count == 0 { PRIOR } else { count as f64 });
        let total = counts.iter().sum();
        Distribution { p: counts.map(|count| count / total), total }
    }

    /// The score of the result with this index, from 0 to 1.
    pub(crate) fn score(index: usize) -> f64 {
        index as f64 / (N - 1) as f64
    }

    /// The expected score.
    pub(crate) fn mean(&self) -> f64 {
        (0..N).map(|i| self.p[i] * Self::score(i)).sum()
    }

    /// The variance of the score.
    pub(crate) fn variance(&self) -> f64 {
        let mean = self.mean();
        (0..N).map(|i| self.p[i] * (Self::score(i) - mean).powi(2)).sum()
    }

    /// The distribution with this expected score under which the observed results are likeliest.
    pub(crate) fn with_mean(&self, mean: f64) -> Distribution<N> {
        self.constrained(std::array::from_fn(|i| Self::score(i) - mean))
    }

    /// The distribution for which `(mean - 1/2) / standard deviation` is `t` under which the observed
    /// results are likeliest.
    ///
    /// The condition is not linear in the probabilities; it is replaced by the one that touches it at
    /// the last approximation, until nothing changes any more. Starting from equal probabilities keeps
    /// the variance away from 0 where nearly all results are the same.
    pub(crate) fn with_t_value(&self, t: f64) -> Distribution<N> {
        let mut found = Distribution { p: [1.0 / N as f64; N], total: self.total };
        for _ in 0..50 {
            let (mean, sigma) = (found.mean(), found.variance().sqrt());
            let next = self.constrained(std::array::from_fn(|i| {
                let score = Self::score(i);
                score - 0.5 - t * sigma / 2.0 * (1.0 + ((score - mean) / sigma).powi(2))
            }));
            let change = (0..N).map(|i| (next.p[i] - found.p[i]).abs()).fold(0.0, f64::max);
            found = next;
            if change < 1e-12 {
                break;
            }
        }
        found
    }

    /// The distribution with `Σ pᵢ gᵢ = 0` under which the observed results are likeliest. It is
    /// `pᵢ / (1 + θ gᵢ)`, where θ makes the condition true.
    fn constrained(&self, g: [f64; N]) -> Distribution<N> {
        let least = g.iter().copied().fold(f64::INFINITY, f64::min);
        let most = g.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if least >= 0.0 || most <= 0.0 {
            // No distribution has it; only bounds far beyond `Sprt::MAX_ELO` ask for that.
            return *self;
        }
        // The sum falls from +∞ to -∞ between the poles, so there is exactly one root: Newton's steps
        // find it, and halving takes over where a step would leave what is known to hold the root.
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
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

#[cfg(test)]
mod tests;
