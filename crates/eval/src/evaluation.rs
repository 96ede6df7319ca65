//! The evaluations that can be selected by name.

use crate::evaluate::Evaluate;
use crate::{classic, handcrafted};
use std::fmt;
use std::str::FromStr;
use tabiya_core::Value;
use tabiya_movegen::Position;

/// An evaluation, selectable at run time.
///
/// ```
/// use tabiya_eval::Evaluation;
/// use tabiya_movegen::Position;
///
/// let evaluation: Evaluation = "classic".parse()?;
/// assert_eq!(evaluation.evaluate(&Position::startpos()), 10);
/// assert_eq!(Evaluation::default().to_string(), "handcrafted");
/// # Ok::<(), tabiya_eval::ParseEvaluationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Evaluation {
    /// The tuned handcrafted evaluation (HCE), which Tabiya plays with: [`handcrafted`].
    #[default]
    Handcrafted,
    /// The evaluation of the ChessBin tutorial, number for number: [`classic`].
    Classic,
}

impl Evaluation {
    /// All evaluations, the default first.
    pub const ALL: &'static [Evaluation] = &[Evaluation::Handcrafted, Evaluation::Classic];

    /// The name by which the evaluation is selected, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Evaluation::Handcrafted => "handcrafted",
            Evaluation::Classic => "classic",
        }
    }

    /// Returns the value of a position in centipawns from the point of view of the side to move, strictly
    /// between `-TB_WIN_IN_MAX_PLY` and `TB_WIN_IN_MAX_PLY`.
    #[inline]
    pub fn evaluate(self, position: &Position) -> Value {
        match self {
            Evaluation::Handcrafted => handcrafted::evaluate(position),
            Evaluation::Classic => classic::evaluate(position),
        }
    }

    /// Returns an evaluator for one thread.
    pub fn evaluator(self) -> Box<dyn Evaluate> {
        match self {
            Evaluation::Handcrafted => Box::new(handcrafted::Evaluator::new()),
            Evaluation::Classic => Box::new(self),
        }
    }

    /// Returns all terms of the evaluation of a position as a text table.
    pub fn explain(self, position: &Position) -> String {
        match self {
            Evaluation::Handcrafted => handcrafted::trace(position).to_string(),
            Evaluation::Classic => classic::trace(position).to_string(),
        }
    }
}

/// Evaluates without caches.
impl Evaluate for Evaluation {
    fn evaluate(&mut self, position: &Position) -> Value {
        Evaluation::evaluate(*self, position)
    }
}

/// The [name](Evaluation::name).
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses a [name](Evaluation::name), ignoring case. `main`, the former name of `handcrafted`, is accepted as
/// well.
impl FromStr for Evaluation {
    type Err = ParseEvaluationError;

    fn from_str(text: &str) -> Result<Evaluation, ParseEvaluationError> {
        let name = if text.eq_ignore_ascii_case("main") { "handcrafted" } else { text };
        Evaluation::ALL
            .iter()
            .copied()
            .find(|evaluation| evaluation.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| ParseEvaluationError { found: text.to_owned() })
    }
}

/// The error of parsing an [`Evaluation`] from a text that is not the name of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseEvaluationError {
    found: String,
}

impl fmt::Display for ParseEvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown evaluation {:?} (expected handcrafted or classic)", self.found)
    }
}

impl std::error::Error for ParseEvaluationError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for &evaluation in Evaluation::ALL {
            assert_eq!(evaluation.to_string().parse(), Ok(evaluation));
        }
    }

    #[test]
    fn parses_any_case_and_the_former_name() {
        assert_eq!("Classic".parse(), Ok(Evaluation::Classic));
        assert_eq!("main".parse(), Ok(Evaluation::Handcrafted));
        assert_eq!("MAIN".parse(), Ok(Evaluation::Handcrafted));
    }

    #[test]
    fn rejects_unknown_names() {
        let error = "nnue".parse::<Evaluation>().map_err(|error| error.to_string());
        assert_eq!(error, Err("unknown evaluation \"nnue\" (expected handcrafted or classic)".to_owned()));
    }
}
