//! Units and limits of the parameters and of the file.

use super::threat_states::ThreatStates;
use tabiya_core::{PieceType, Square};

/// Units per 1.0 of feature weights, feature biases and activations.
pub const QA: i32 = 255;

/// Units per 1.0 of output weights.
pub const QB: i32 = 64;

/// The largest magnitude of an output weight in units of 1/[`QB`]: an activation times a weight is at most 255 * 127 = 32,385,
/// which fits in an `i16`.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;

/// The largest magnitude of a threat weight in units of 1/[`QA`]: it fits in a byte.
pub const MAX_THREAT_WEIGHT: i16 = 127;

/// The size of the hidden layer is a multiple of this: the 16-bit numbers in 64 bytes.
pub const HIDDEN_STEP: usize = 32;

/// The largest size of the hidden layer, for each perspective.
pub const MAX_HIDDEN: usize = 1024;

/// The largest number of king buckets: the squares that a king on files a to d can stand on.
pub const MAX_KING_BUCKETS: usize = 32;

/// The largest number of output buckets.
pub const MAX_OUTPUT_BUCKETS: usize = 16;

/// The largest scale, in centipawns per 1.0 of the output.
pub const MAX_SCALE: i32 = 10_000;

/// The features of one king bucket: own and enemy pieces of six types on 64 squares.
pub const FEATURES_PER_BUCKET: usize = 2 * PieceType::COUNT * Square::COUNT;

/// The threat features: the features of one king bucket, for each of the threat states 1 to 3.
pub const THREAT_FEATURES: usize = (ThreatStates::COUNT - 1) * FEATURES_PER_BUCKET;

/// The largest number of pieces on a board.
pub(super) const MAX_PIECES: usize = 32;

/// The largest length of a network's description, in bytes.
pub const MAX_DESCRIPTION_BYTES: usize = 1 << 16;

/// The version of the file's format.
pub(super) const FORMAT_VERSION: u32 = 3;
