//! The settings of a run.

use serde::Serialize;

/// Everything that determines the games, apart from the search and the evaluation themselves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Settings {
    /// Decimal text: TOML has no unsigned 64-bit numbers.
    pub(super) seed: String,
    pub(super) evaluation: String,
    pub(super) soft_nodes: u32,
    pub(super) hard_nodes: u32,
    pub(super) hash_mib: u32,
    /// The shares of start positions, or empty with a book.
    pub(super) mix: String,
    /// The hash of the opening book, or empty.
    pub(super) book: String,
    pub(super) random_plies: u32,
    pub(super) opening_nodes: u32,
    pub(super) opening_score: u32,
    pub(super) draw: String,
    pub(super) resign: String,
    pub(super) max_moves: u32,
    /// The tablebases that end games; left out without any, as in files of earlier versions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) syzygy: String,
    pub(super) play_on_percent: u32,
    /// The UCI engine that plays; left out if this program does, as in files of earlier versions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) engine: String,
    /// True if the search prunes moves of PV nodes; left out if so, as in files of earlier versions.
    #[serde(skip_serializing_if = "bool::clone")]
    pub(super) pv_pruning: bool,
}
