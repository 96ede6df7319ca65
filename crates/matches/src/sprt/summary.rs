//! The state of an SPRT after some results.

use super::{Sprt, Verdict};
use std::fmt;

/// State of an SPRT.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct SprtSummary {
    /// Parameters.
    #[serde(flatten)]
    pub(crate) parameters: Sprt,
    /// Log-likelihood ratio.
    pub(crate) llr: f64,
    /// Lower LLR bound: H0 is accepted.
    pub(crate) lower: f64,
    /// Upper LLR bound: H1 is accepted.
    pub(crate) upper: f64,
    /// The accepted hypothesis.
    pub(crate) verdict: Option<Verdict>,
}

impl SprtSummary {
    /// Evaluates an SPRT on counts of pairs or games.
    pub(crate) fn new<const N: usize>(sprt: Sprt, counts: &[u64; N]) -> SprtSummary {
        let llr = sprt.llr(counts);
        let (lower, upper) = sprt.bounds();
        SprtSummary { parameters: sprt, llr, lower, upper, verdict: sprt.verdict(llr) }
    }
}

/// Formats as `LLR 1.23 (-2.94, 2.94) [0, 5] normalized`.
impl fmt::Display for SprtSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, model, .. } = self.parameters;
        let decimals = f.precision().unwrap_or(2);
        write!(
            f,
            "LLR {:.decimals$} ({:.2}, {:.2}) [{elo0}, {elo1}] {model}",
            self.llr, self.lower, self.upper
        )
    }
}
