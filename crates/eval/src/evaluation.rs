use crate::{MainEvaluator, classic};
use std::fmt;
use std::str::FromStr;
use tabiya_core::Value;
use tabiya_movegen::Position;

/// A judge of positions, with whatever memory it keeps to be faster.
///
/// Each thread of a search owns one. Whatever is remembered may only save time: a position's value must
/// not depend on what was judged before it.
///
/// ```
/// use tabiya_core::Value;
/// use tabiya_eval::{Evaluate, Evaluation};
/// use tabiya_movegen::Position;
///
/// /// Counts moves.
/// struct Mobility;
///
/// impl Evaluate for Mobility {
///     fn evaluate(&mut self, position: &Position) -> Value {
///         position.count_legal_moves() as Value
///     }
/// }
///
/// assert_eq!(Mobility.evaluate(&Position::startpos()), 20);
/// assert!(Evaluation::Main.evaluator().evaluate(&Position::startpos()) > 0);
/// ```
pub trait Evaluate: Send {
    /// The value of a position from the point of view of the side to move, in centipawns, strictly
    /// between `-MATE_IN_MAX_PLY` and `MATE_IN_MAX_PLY`. The search never asks in check.
    fn evaluate(&mut self, position: &Position) -> Value;

    /// Forgets what is remembered, so that the next search takes as long as the first.
    fn clear(&mut self) {}
}

/// Which evaluation to use: they can be exchanged at run time.
///
/// ```
/// use tabiya_eval::Evaluation;
/// use tabiya_movegen::Position;
///
/// let evaluation: Evaluation = "classic".parse()?;
/// assert_eq!(evaluation.evaluate(&Position::startpos()), 10);
/// assert_eq!(Evaluation::default().to_string(), "main");
/// # Ok::<(), tabiya_eval::ParseEvaluationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Evaluation {
    /// The evaluation that plays: [`evaluate`](crate::evaluate).
    #[default]
    Main,
    /// The guide's evaluation, number for number: [`classic`].
    Classic,
}

impl Evaluation {
    /// Both, the default first.
    pub const ALL: [Evaluation; 2] = [Evaluation::Main, Evaluation::Classic];

    /// The value of a position from the point of view of the side to move, in centipawns, strictly
    /// between `-MATE_IN_MAX_PLY` and `MATE_IN_MAX_PLY`.
    #[inline]
    pub fn evaluate(self, position: &Position) -> Value {
        match self {
            Evaluation::Main => crate::evaluate(position),
            Evaluation::Classic => classic::evaluate(position),
        }
    }

    /// A judge for one thread.
    pub fn evaluator(self) -> Box<dyn Evaluate> {
        match self {
            Evaluation::Main => Box::new(MainEvaluator::new()),
            Evaluation::Classic => Box::new(self),
        }
    }
}

/// Judges by itself, with no memory.
impl Evaluate for Evaluation {
    fn evaluate(&mut self, position: &Position) -> Value {
        Evaluation::evaluate(*self, position)
    }
}

/// `main` or `classic`.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Evaluation::Main => "main",
            Evaluation::Classic => "classic",
        })
    }
}

/// `main` or `classic`, in letters of either case.
impl FromStr for Evaluation {
    type Err = ParseEvaluationError;

    fn from_str(text: &str) -> Result<Evaluation, ParseEvaluationError> {
        Evaluation::ALL
            .into_iter()
            .find(|evaluation| evaluation.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseEvaluationError { found: text.to_owned() })
    }
}

/// The text names no evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseEvaluationError {
    found: String,
}

impl fmt::Display for ParseEvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no evaluation called {:?}: expected main or classic", self.found)
    }
}

impl std::error::Error for ParseEvaluationError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for evaluation in Evaluation::ALL {
            assert_eq!(evaluation.to_string().parse(), Ok(evaluation));
        }
        assert_eq!("Classic".parse(), Ok(Evaluation::Classic));
        let error = "nnue".parse::<Evaluation>().map_err(|error| error.to_string());
        assert_eq!(error, Err("there is no evaluation called \"nnue\": expected main or classic".to_owned()));
    }
}
