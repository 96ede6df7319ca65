//! Generalised sequential probability ratio test (GSPRT) on pairs of games.
//!
//! The hypotheses are the strengths `elo0` and `elo1`. Nothing else is assumed about the distribution of
//! the results, such as the draw rate or the bias of the openings: each hypothesis uses the
//! maximum-likelihood distribution among those of its strength, and the log-likelihood ratio (LLR)
//! compares the two. Theory: M. Van den Bergh, "A practical introduction to normalized Elo" and "The
//! generalized maximum likelihood ratio for the expectation value of a distribution"
//! (<https://www.cantate.be/Fishtest/>).

pub mod command;
pub(crate) mod forecast;
mod length;
pub(crate) mod summary;

pub use length::TestLength;

use crate::stats::{Distribution, NORMALIZED_ELO_PER_SIGMA, expected_score};
use std::fmt;
use std::str::FromStr;

/// Scale of `elo0` and `elo1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalised Elo: the score difference in standard deviations. The expected length of a test then
    /// depends on the bounds only, not on the draw rate.
    #[default]
    Normalized,
    /// Logistic Elo, as in rating lists.
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

/// Outcome of a finished test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Verdict {
    /// H0 accepted: the strength is `elo0` rather than `elo1`.
    H0,
    /// H1 accepted: the strength is `elo1` rather than `elo0`.
    H1,
}

/// Parameters of an SPRT.
///
/// ```
/// use tabiya_matches::sprt::{Model, Sprt, Verdict};
///
/// let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05, Model::Normalized)?;
/// // Pairs of games by points: 0, ½, 1, 1½, 2.
/// let llr = sprt.llr(&[379, 10170, 21828, 10640, 343]);
/// assert_eq!(sprt.verdict(llr), Some(Verdict::H1));
/// # Ok::<(), tabiya_matches::sprt::SprtError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Sprt {
    /// Elo difference under H0.
    pub elo0: f64,
    /// Elo difference under H1.
    pub elo1: f64,
    /// Probability of accepting H1 if H0 is true (type I error).
    pub alpha: f64,
    /// Probability of accepting H0 if H1 is true (type II error).
    pub beta: f64,
    /// Scale of the Elo differences.
    pub model: Model,
}

/// Invalid SPRT parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SprtError {
    /// `elo0` is not less than `elo1`, or one is NaN.
    Bounds {
        /// The given value.
        elo0: f64,
        /// The given value.
        elo1: f64,
    },
    /// `elo0` or `elo1` is beyond ±[`Sprt::MAX_ELO`].
    EloOutOfRange(f64),
    /// `alpha` or `beta` is not between 0 and 0.5.
    Probability {
        /// Name of the parameter.
        name: &'static str,
        /// The given value.
        value: f64,
    },
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SprtError::Bounds { elo0, elo1 } => {
                write!(f, "SPRT: elo0 must be less than elo1, but they are {elo0} and {elo1}")
            }
            SprtError::EloOutOfRange(elo) => {
                write!(f, "SPRT: elo0 and elo1 must be from -{0} to {0}, not {elo}", Sprt::MAX_ELO)
            }
            SprtError::Probability { name, value } => {
                write!(f, "SPRT: {name} must be greater than 0 and less than 0.5, not {value}")
            }
        }
    }
}

impl std::error::Error for SprtError {}

impl Sprt {
    /// Largest absolute value of `elo0` and `elo1`.
    pub const MAX_ELO: f64 = 400.0;

    /// Validates the parameters.
    ///
    /// # Errors
    /// The first violated condition.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, SprtError> {
        // Comparisons are written so that NaN fails them.
        if !matches!(elo0.partial_cmp(&elo1), Some(std::cmp::Ordering::Less)) {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| elo.abs() > Sprt::MAX_ELO) {
            return Err(SprtError::EloOutOfRange(elo));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Probability { name, value });
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// Returns the LLR bounds at which H0 and H1 are accepted (Wald).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the LLR of H1 against H0 from pairs (`N` = 5: by points 0, ½, 1, 1½, 2) or, less
    /// accurately for paired games, from games (`N` = 3: losses, draws, wins).
    ///
    /// 0 without results.
    pub fn llr<const N: usize>(&self, counts: &[u64; N]) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let distribution = Distribution::from_counts(counts);
        let constrained = |elo: f64| match self.model {
            Model::Logistic => distribution.with_mean(expected_score(elo)),
            Model::Normalized => {
                // The standard deviation of a pair, per game, is √½ that of a game.
                let games_per_result = if N == 5 { 2.0_f64 } else { 1.0 };
                distribution.with_t_value(elo / NORMALIZED_ELO_PER_SIGMA * games_per_result.sqrt())
            }
        };
        let (at0, at1) = (constrained(self.elo0), constrained(self.elo1));
        let per_result: f64 = (0..N).map(|i| distribution.p[i] * (at1.p[i] / at0.p[i]).ln()).sum();
        distribution.total * per_result
    }

    /// Returns the accepted hypothesis, or `None` to continue.
    pub fn verdict(&self, llr: f64) -> Option<Verdict> {
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

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::H0 => "H0 accepted",
            Verdict::H1 => "H1 accepted",
        })
    }
}

#[cfg(test)]
mod tests;
