//! Evaluation by an efficiently updatable neural network (NNUE).
//!
//! # Architecture
//! ```text
//! side to move:  features (768 x K) -> N -> SCReLU -+
//!                                                   +-> 1 output of B
//! opponent:      features (768 x K) -> N -> SCReLU -+
//! ```
//! Each side sees the board from its own perspective: a feature is a piece (own or enemy, of one of six types) on a square.
//! Squares are flipped for Black, and mirrored so that the side's own king stands on files a to d; the king's square also
//! selects one of K copies of the feature weights ([`KingBuckets`]). Both perspectives share their weights. The N sums of a
//! perspective, its *accumulator*, change by a few rows of weights when a piece moves. They pass through a squared clipped
//! ReLU (SCReLU) into one of B outputs, which the number of pieces selects.
//!
//! The first T neurons may also have *threats* as inputs: how each piece is attacked and defended ([`ThreatStates`]). Their sums change
//! with every move, so they are computed at each evaluation. T is small, to keep that fast.
//!
//! [`Architecture`] has the sizes, which a network's file chooses. [`Perspective`] computes feature indices. [`Network`] has the
//! parameters, reads and writes the file, and evaluates a board from scratch.
//!
//! # Integers
//! Feature weights, threat weights and feature biases are multiples of 1/[`QA`] and stored as `i16` in files. Threat weights are at most
//! [`MAX_THREAT_WEIGHT`] in magnitude, so that a [`Network`] keeps them in bytes. Output weights are multiples of 1/[`QB`], at
//! most [`MAX_OUTPUT_WEIGHT`] in magnitude, so that an activation times a weight fits in an `i16`. Output biases are
//! multiples of 1/([`QA`] [`QB`]). A [`Network`] cannot be built from parameters with which any sum could overflow:
//! - an accumulator of 32 pieces, with any threats, fits in an `i16`, so the order of additions does not matter, even if they wrap;
//! - an output's sum of products fits in an `i32`.
//!
//! ```
//! use tabiya_core::Board;
//! use tabiya_eval::nnue::{Architecture, KingBuckets, Network, Parameters};
//!
//! // A network that only knows the right to move: the output bias is 0.05 pawns.
//! let architecture = Architecture::new(32, KingBuckets::single(), 1, 400)?;
//! let mut parameters = Parameters::zero(&architecture);
//! parameters.output_bias[0] = 255 * 64 * 5 / 400;
//! let network = Network::new(architecture, "an example", &parameters)?;
//! assert_eq!(network.evaluate(&Board::startpos()), 5);
//!
//! let mut file = Vec::new();
//! network.write(&mut file)?;
//! assert_eq!(Network::read(&file)?, network);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accumulators;
mod architecture;
mod block;
mod embedded;
mod error;
mod evaluator;
mod features;
mod file;
mod kernel;
mod king_buckets;
mod knowledge;
mod limits;
mod network;
mod refresh_cache;
mod row_list;
#[cfg(test)]
mod test_data;
mod threat_layer;
mod threat_states;
mod trace;

pub use architecture::Architecture;
pub use embedded::embedded;
pub use error::{ArchitectureError, NetworkError};
pub use evaluator::Evaluator;
pub use features::Perspective;
pub use file::MAX_FILE_BYTES;
pub use kernel::Kernel;
pub use king_buckets::KingBuckets;
pub use knowledge::evaluate;
pub use limits::{
    FEATURES_PER_BUCKET, HIDDEN_STEP, MAX_DESCRIPTION_BYTES, MAX_HIDDEN, MAX_KING_BUCKETS,
    MAX_OUTPUT_BUCKETS, MAX_OUTPUT_WEIGHT, MAX_SCALE, MAX_THREAT_WEIGHT, QA, QB, THREAT_FEATURES,
};
pub use network::{Network, Parameters};
pub use threat_states::ThreatStates;
pub use trace::{PieceWorth, Trace, trace};
