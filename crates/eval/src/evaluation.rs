//! The evaluations that can be selected by name.

use crate::evaluate::Evaluate;
use crate::nnue::{Kernel, Network};
use crate::{classic, handcrafted, nnue};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
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
/// assert_eq!(Evaluation::available()[0], Evaluation::default());
/// # Ok::<(), tabiya_eval::ParseEvaluationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Evaluation {
    /// A neural network: [`nnue`].
    Nnue(Arc<Network>),
    /// The tuned handcrafted evaluation (HCE): [`handcrafted`].
    Handcrafted,
    /// The evaluation of the ChessBin tutorial, number for number: [`classic`].
    Classic,
}

impl Evaluation {
    /// The names of all evaluations.
    pub const NAMES: [&'static str; 3] = ["nnue", "handcrafted", "classic"];

    /// The evaluations that need no file, the default first. `nnue` is among them if a network is
    /// [embedded](nnue::embedded).
    pub fn available() -> Vec<Evaluation> {
        let network = nnue::embedded().map(Evaluation::Nnue);
        network.into_iter().chain([Evaluation::Handcrafted, Evaluation::Classic]).collect()
    }

    /// Returns the evaluation with this [name](Self::name), ignoring case. `nnue` stands for `network` or, without one, for the embedded
    /// network.
    ///
    /// # Errors
    /// If it is not the name of an evaluation, or if it is `nnue` and there is no network.
    pub fn named(name: &str, network: Option<&Arc<Network>>) -> Result<Evaluation, ParseEvaluationError> {
        match name.to_ascii_lowercase().as_str() {
            "nnue" => {
                let network = network.cloned().or_else(nnue::embedded);
                network.map(Evaluation::Nnue).ok_or(ParseEvaluationError::NoNetwork)
            }
            "handcrafted" => Ok(Evaluation::Handcrafted),
            "classic" => Ok(Evaluation::Classic),
            _ => Err(ParseEvaluationError::UnknownName(name.to_owned())),
        }
    }

    /// The name by which the evaluation is selected, in lower case.
    pub const fn name(&self) -> &'static str {
        match self {
            Evaluation::Nnue(_) => "nnue",
            Evaluation::Handcrafted => "handcrafted",
            Evaluation::Classic => "classic",
        }
    }

    /// Returns the value of a position in centipawns from the point of view of the side to move, strictly
    /// between `-TB_WIN_IN_MAX_PLY` and `TB_WIN_IN_MAX_PLY`.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Value {
        match self {
            Evaluation::Nnue(network) => nnue::evaluate(network, position),
            Evaluation::Handcrafted => handcrafted::evaluate(position),
            Evaluation::Classic => classic::evaluate(position),
        }
    }

    /// Returns an evaluator for one thread.
    pub fn evaluator(&self) -> Box<dyn Evaluate> {
        match self {
            Evaluation::Nnue(network) => Box::new(nnue::Evaluator::new(Arc::clone(network))),
            Evaluation::Handcrafted => Box::new(handcrafted::Evaluator::new()),
            Evaluation::Classic => Box::new(self.clone()),
        }
    }

    /// Returns an evaluator for one thread that computes a network's values with this kernel. The values do not depend on it.
    pub fn evaluator_with_kernel(&self, kernel: Kernel) -> Box<dyn Evaluate> {
        match self {
            Evaluation::Nnue(network) => Box::new(nnue::Evaluator::with_kernel(Arc::clone(network), kernel)),
            Evaluation::Handcrafted | Evaluation::Classic => self.evaluator(),
        }
    }

    /// Returns all details of the evaluation of a position as text.
    pub fn explain(&self, position: &Position) -> String {
        match self {
            Evaluation::Nnue(network) => nnue::trace(network, position).to_string(),
            Evaluation::Handcrafted => handcrafted::trace(position).to_string(),
            Evaluation::Classic => classic::trace(position).to_string(),
        }
    }
}

/// The evaluation that Tabiya plays with.
impl Default for Evaluation {
    fn default() -> Evaluation {
        nnue::embedded().map_or(Evaluation::Handcrafted, Evaluation::Nnue)
    }
}

/// Evaluates without caches.
impl Evaluate for Evaluation {
    fn evaluate(&mut self, position: &Position) -> Value {
        Evaluation::evaluate(self, position)
    }
}

/// The [name](Evaluation::name).
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses a name as [`Evaluation::named`] does, with the embedded network.
impl FromStr for Evaluation {
    type Err = ParseEvaluationError;

    fn from_str(text: &str) -> Result<Evaluation, ParseEvaluationError> {
        Evaluation::named(text, None)
    }
}

/// The reason why a text does not select an [`Evaluation`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseEvaluationError {
    /// It is not the name of one.
    UnknownName(String),
    /// It is `nnue`, and no network is loaded or embedded.
    NoNetwork,
}

impl fmt::Display for ParseEvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseEvaluationError::UnknownName(name) => {
                write!(f, "unknown evaluation {name:?} (expected nnue, handcrafted or classic)")
            }
            ParseEvaluationError::NoNetwork => {
                f.write_str("evaluation nnue: there is no embedded network, and no file has been loaded")
            }
        }
    }
}

impl std::error::Error for ParseEvaluationError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{Architecture, KingBuckets, Parameters};

    fn network() -> Arc<Network> {
        let architecture = Architecture::new(32, KingBuckets::single(), 1, 400).expect("valid sizes");
        let parameters = Parameters::random(&architecture, 1);
        Arc::new(Network::new(architecture, "random", &parameters).expect("valid parameters"))
    }

    #[test]
    fn names_round_trip() {
        for evaluation in Evaluation::available() {
            assert_eq!(evaluation.to_string().parse(), Ok(evaluation));
        }
        let network = network();
        let names =
            Evaluation::NAMES.map(|name| Evaluation::named(name, Some(&network)).map(|found| found.name()));
        assert_eq!(names, Evaluation::NAMES.map(Ok));
    }

    #[test]
    fn parses_any_case() {
        assert_eq!("Classic".parse(), Ok(Evaluation::Classic));
        assert_eq!("HANDCRAFTED".parse(), Ok(Evaluation::Handcrafted));
    }

    #[test]
    fn network_is_the_given_or_the_embedded_one() {
        let network = network();
        assert_eq!(Evaluation::named("NNUE", Some(&network)), Ok(Evaluation::Nnue(Arc::clone(&network))));
        let embedded = nnue::embedded().map(Evaluation::Nnue).ok_or(ParseEvaluationError::NoNetwork);
        assert_eq!(Evaluation::named("nnue", None), embedded);
        let position = Position::startpos();
        let evaluation = Evaluation::Nnue(network);
        assert_eq!(evaluation.evaluator().evaluate(&position), evaluation.evaluate(&position));
        assert!(evaluation.explain(&position).contains(&evaluation.evaluate(&position).to_string()));
    }

    #[test]
    fn default_is_the_first_available() {
        assert_eq!(Evaluation::available().first(), Some(&Evaluation::default()));
    }

    #[test]
    fn rejects_unknown_names() {
        let error = "neural".parse::<Evaluation>().map_err(|error| error.to_string());
        let expected = "unknown evaluation \"neural\" (expected nnue, handcrafted or classic)";
        assert_eq!(error, Err(expected.to_owned()));
    }
}
