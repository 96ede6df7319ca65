//! The errors of an architecture, of a network's parameters and of its file.

use super::limits::{
    FORMAT_VERSION, HIDDEN_STEP, MAX_DESCRIPTION_BYTES, MAX_HIDDEN, MAX_KING_BUCKETS, MAX_OUTPUT_BUCKETS,
    MAX_OUTPUT_WEIGHT, MAX_SCALE, MAX_THREAT_WEIGHT,
};
use std::fmt;

/// The reason why sizes or king buckets do not describe a network that can be evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ArchitectureError {
    /// The size of the hidden layer is 0, above [`MAX_HIDDEN`] or not a multiple of [`HIDDEN_STEP`].
    Hidden {
        /// The size.
        found: usize,
    },
    /// The number of neurons with threats is above the size of the hidden layer or not a multiple of [`HIDDEN_STEP`].
    ThreatNeurons {
        /// The number.
        found: usize,
        /// The size of the hidden layer.
        hidden: usize,
    },
    /// The number of output buckets is 0 or above [`MAX_OUTPUT_BUCKETS`].
    OutputBuckets {
        /// The number.
        found: usize,
    },
    /// The scale is below 1 or above [`MAX_SCALE`].
    Scale {
        /// The scale.
        found: i64,
    },
    /// A king bucket is [`MAX_KING_BUCKETS`] or more.
    KingBucket {
        /// The index in the map, 0 (a1) to 31 (d8).
        square: usize,
        /// The bucket.
        found: u8,
    },
    /// No square has this king bucket, although one has a greater one.
    UnusedKingBucket {
        /// The bucket.
        bucket: u8,
    },
}

impl fmt::Display for ArchitectureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ArchitectureError::Hidden { found } => {
                write!(f, "hidden layer of {found} (expected a multiple of {HIDDEN_STEP} up to {MAX_HIDDEN})")
            }
            ArchitectureError::ThreatNeurons { found, hidden } => {
                write!(
                    f,
                    "{found} neurons with threats (expected a multiple of {HIDDEN_STEP} up to {hidden})"
                )
            }
            ArchitectureError::OutputBuckets { found } => {
                write!(f, "{found} output buckets (expected 1 to {MAX_OUTPUT_BUCKETS})")
            }
            ArchitectureError::Scale { found } => write!(f, "scale {found} (expected 1 to {MAX_SCALE})"),
            ArchitectureError::KingBucket { square, found } => {
                let file = ["a", "b", "c", "d"][square % 4];
                let rank = square / 4 + 1;
                write!(f, "king bucket {found} on {file}{rank} (expected 0 to {})", MAX_KING_BUCKETS - 1)
            }
            ArchitectureError::UnusedKingBucket { bucket } => {
                write!(f, "no square has king bucket {bucket} (expected every number up to the greatest)")
            }
        }
    }
}

impl std::error::Error for ArchitectureError {}

/// The reason why bytes are not a network file, or parameters not those of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file does not start with the magic bytes.
    Magic,
    /// The format's version is unknown.
    Version {
        /// The version in the file.
        found: u32,
    },
    /// The file ends early.
    Truncated {
        /// The length that the header demands, in bytes; that of the header itself if it is not complete.
        expected: u64,
        /// The length of the file in bytes.
        found: u64,
    },
    /// Bytes follow the end of the network.
    TrailingBytes {
        /// The length that the header demands, in bytes.
        expected: u64,
        /// The length of the file in bytes.
        found: u64,
    },
    /// A field of the header has a value that this version does not support.
    Unsupported {
        /// The field.
        field: &'static str,
        /// Its offset in the file, in bytes.
        offset: usize,
        /// The only supported value.
        expected: u32,
        /// The value in the file.
        found: u32,
    },
    /// The header's sizes or king buckets are invalid.
    Architecture(ArchitectureError),
    /// The number of king buckets differs from that of the bucket map.
    KingBucketCount {
        /// The number in the map.
        expected: usize,
        /// The number in the header.
        found: usize,
    },
    /// The description is longer than [`MAX_DESCRIPTION_BYTES`].
    DescriptionLength {
        /// Its length in bytes.
        found: u64,
    },
    /// The description is not UTF-8.
    Description {
        /// The offset in the file of the first byte that is not valid.
        offset: usize,
    },
    /// The contents do not match the checksum.
    Checksum {
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the contents.
        computed: u32,
    },
    /// The compressed parameters cannot be decompressed, or not to the length that the architecture demands.
    Compression {
        /// The expected length, in bytes.
        expected: usize,
    },
    /// The number of parameters differs from that of the architecture.
    ParameterCount {
        /// The kind of parameter.
        kind: &'static str,
        /// The number that the architecture has.
        expected: usize,
        /// The number given.
        found: usize,
    },
    /// A threat weight exceeds [`MAX_THREAT_WEIGHT`] in magnitude.
    ThreatWeight {
        /// The index of the weight.
        index: usize,
        /// The weight.
        found: i16,
    },
    /// An output weight exceeds [`MAX_OUTPUT_WEIGHT`] in magnitude.
    OutputWeight {
        /// The index of the weight, over all output buckets.
        index: usize,
        /// The weight.
        found: i16,
    },
    /// The output weights of a bucket are so large that its sum could exceed an `i32`.
    OutputOverflow {
        /// The output bucket.
        bucket: usize,
    },
    /// Feature and threat weights are so large that an accumulator could exceed an `i16`.
    AccumulatorOverflow {
        /// The king bucket of the weights.
        king_bucket: usize,
        /// The index in the hidden layer.
        neuron: usize,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            NetworkError::Magic => {
                f.write_str("not a Tabiya network: it does not start with the magic bytes")
            }
            NetworkError::Version { found } => {
                write!(f, "format version {found} is unknown (expected {FORMAT_VERSION})")
            }
            NetworkError::Truncated { expected, found } => {
                write!(f, "truncated: {found} bytes (expected {expected})")
            }
            NetworkError::TrailingBytes { expected, found } => {
                write!(f, "{found} bytes, but the network ends after {expected}")
            }
            NetworkError::Unsupported { field, offset, expected, found } => {
                write!(f, "{field} (byte {offset}) is {found}, which is not supported (expected {expected})")
            }
            NetworkError::Architecture(error) => write!(f, "unsupported architecture: {error}"),
            NetworkError::KingBucketCount { expected, found } => {
                write!(f, "{found} king buckets, but the bucket map has {expected}")
            }
            NetworkError::DescriptionLength { found } => {
                write!(f, "a description of {found} bytes (expected at most {MAX_DESCRIPTION_BYTES})")
            }
            NetworkError::Description { offset } => {
                write!(f, "the description is not UTF-8 (byte {offset})")
            }
            NetworkError::Checksum { stored, computed } => {
                write!(
                    f,
                    "the contents are damaged: their checksum is {computed:08x} (expected {stored:08x})"
                )
            }
            NetworkError::Compression { expected } => {
                write!(f, "the compressed parameters are invalid (expected {expected} bytes in them)")
            }
            NetworkError::ParameterCount { kind, expected, found } => {
                write!(f, "{found} {kind} (expected {expected})")
            }
            NetworkError::ThreatWeight { index, found } => {
                write!(
                    f,
                    "threat weight {index} is {found} (expected at most {MAX_THREAT_WEIGHT} in magnitude)"
                )
            }
            NetworkError::OutputWeight { index, found } => {
                write!(
                    f,
                    "output weight {index} is {found} (expected at most {MAX_OUTPUT_WEIGHT} in magnitude)"
                )
            }
            NetworkError::OutputOverflow { bucket } => {
                write!(f, "the weights of output bucket {bucket} are so large that its sum could overflow")
            }
            NetworkError::AccumulatorOverflow { king_bucket, neuron } => write!(
                f,
                "the weights of king bucket {king_bucket} are so large that sum {neuron} could overflow"
            ),
        }
    }
}

impl std::error::Error for NetworkError {}

impl From<ArchitectureError> for NetworkError {
    fn from(error: ArchitectureError) -> NetworkError {
        NetworkError::Architecture(error)
    }
}
