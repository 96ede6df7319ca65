//! Resources that all sessions of a program share.

use std::sync::Arc;
use tabiya_eval::Evaluation;
use tabiya_syzygy::Tablebases;

/// Name and version of the program, for reports.
pub(crate) const GENERATOR: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"));

/// The tablebases and the evaluation that answers are taken from.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// The tablebases.
    pub tablebases: Option<Arc<Tablebases>>,
    /// The evaluation of the search.
    pub evaluation: Evaluation,
}
