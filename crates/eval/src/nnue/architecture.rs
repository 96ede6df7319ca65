//! The sizes of a network.

use super::error::ArchitectureError;
use super::king_buckets::KingBuckets;
use super::limits::{
    FEATURES_PER_BUCKET, HIDDEN_STEP, MAX_HIDDEN, MAX_OUTPUT_BUCKETS, MAX_SCALE, THREAT_FEATURES,
};
use std::fmt;

/// The sizes of a network and its scale: everything that determines the number and meaning of its parameters.
///
/// ```
/// use tabiya_eval::nnue::{Architecture, ArchitectureError, KingBuckets};
///
/// let architecture = Architecture::new(128, KingBuckets::single(), 8, 80)?;
/// assert_eq!(architecture.to_string(), "(768x1hm -> 128)x2 -> 1x8");
/// assert_eq!(architecture.output_bucket(32), 7);
/// assert_eq!(architecture.with_threats(32)?.to_string(), "(768x1hm+t32 -> 128)x2 -> 1x8");
/// assert_eq!(Architecture::new(100, KingBuckets::single(), 8, 400), Err(ArchitectureError::Hidden { found: 100 }));
/// # Ok::<(), ArchitectureError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Architecture {
    hidden: usize,
    threat_neurons: usize,
    king_buckets: KingBuckets,
    output_buckets: usize,
    scale: i32,
}

impl Architecture {
    /// Checks the sizes and the scale.
    ///
    /// # Errors
    /// If one of them is out of range.
    pub fn new(
        hidden: usize,
        king_buckets: KingBuckets,
        output_buckets: usize,
        scale: i32,
    ) -> Result<Architecture, ArchitectureError> {
        if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(HIDDEN_STEP) {
            return Err(ArchitectureError::Hidden { found: hidden });
        }
        if output_buckets == 0 || output_buckets > MAX_OUTPUT_BUCKETS {
            return Err(ArchitectureError::OutputBuckets { found: output_buckets });
        }
        if !(1..=MAX_SCALE).contains(&scale) {
            return Err(ArchitectureError::Scale { found: scale.into() });
        }
        Ok(Architecture { hidden, threat_neurons: 0, king_buckets, output_buckets, scale })
    }

    /// The same sizes with [threats](super::ThreatStates) as inputs of the first `neurons` of the hidden layer.
    ///
    /// # Errors
    /// If `neurons` is above the size of the hidden layer or not a multiple of [`HIDDEN_STEP`].
    pub fn with_threats(self, neurons: usize) -> Result<Architecture, ArchitectureError> {
        if neurons > self.hidden || !neurons.is_multiple_of(HIDDEN_STEP) {
            return Err(ArchitectureError::ThreatNeurons { found: neurons, hidden: self.hidden });
        }
        Ok(Architecture { threat_neurons: neurons, ..self })
    }

    /// The size N of the hidden layer, for each perspective.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// The number T of neurons with threats, the first of the hidden layer; 0 without threats.
    pub fn threat_neurons(&self) -> usize {
        self.threat_neurons
    }

    /// The king buckets.
    pub fn king_buckets(&self) -> &KingBuckets {
        &self.king_buckets
    }

    /// The number B of output buckets.
    pub fn output_buckets(&self) -> usize {
        self.output_buckets
    }

    /// Centipawns per 1.0 of the output.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// The number of features of a perspective, 768 for each king bucket: one more than the greatest feature index.
    pub fn features(&self) -> usize {
        FEATURES_PER_BUCKET * self.king_buckets.count()
    }

    /// Returns the output bucket of a board with this number of pieces, kings included.
    #[inline]
    pub fn output_bucket(&self, pieces: usize) -> usize {
        pieces.saturating_sub(2).min(30) * self.output_buckets / 31
    }

    /// The bytes of all parameters.
    pub fn parameter_bytes(&self) -> usize {
        let feature_layer = 2 * (self.hidden * (self.features() + 1) + self.threat_neurons * THREAT_FEATURES);
        feature_layer + self.output_buckets * (2 * 2 * self.hidden + 4)
    }
}

/// As `(768x4hm+t32 -> 128)x2 -> 1x8`, with `hm` for horizontal mirroring and `t32` for 32 neurons with threats, if there are any.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (buckets, outputs) = (self.king_buckets.count(), self.output_buckets);
        let mirroring = if self.king_buckets.mirrors() { "hm" } else { "" };
        write!(f, "({FEATURES_PER_BUCKET}x{buckets}{mirroring}")?;
        if self.threat_neurons > 0 {
            write!(f, "+t{}", self.threat_neurons)?;
        }
        write!(f, " -> {})x2 -> 1x{outputs}", self.hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_buckets_cover_all_piece_counts() {
        for buckets in 1..=MAX_OUTPUT_BUCKETS {
            let architecture =
                Architecture::new(32, KingBuckets::single(), buckets, 400).expect("valid sizes");
            let found: Vec<usize> = (2..=32).map(|pieces| architecture.output_bucket(pieces)).collect();
            assert!(found.is_sorted());
            assert_eq!((found[0], found[30]), (0, buckets - 1), "{found:?}");
            assert_eq!(found, (0..31).map(|index| index * buckets / 31).collect::<Vec<_>>());
        }
    }

    #[test]
    fn rejects_sizes_out_of_range() {
        let new = |hidden, outputs, scale| Architecture::new(hidden, KingBuckets::single(), outputs, scale);
        for hidden in [0, 16, 33, 1056] {
            assert_eq!(new(hidden, 1, 400), Err(ArchitectureError::Hidden { found: hidden }));
        }
        for outputs in [0, 17] {
            assert_eq!(new(32, outputs, 400), Err(ArchitectureError::OutputBuckets { found: outputs }));
        }
        for scale in [0, -400, 10_001] {
            assert_eq!(new(32, 1, scale), Err(ArchitectureError::Scale { found: scale.into() }));
        }
        let largest = new(1024, 16, 10_000).expect("valid sizes");
        for neurons in [1, 33, 1056] {
            let error = ArchitectureError::ThreatNeurons { found: neurons, hidden: 1024 };
            assert_eq!(largest.clone().with_threats(neurons), Err(error));
        }
        assert_eq!(largest.with_threats(1024).map(|architecture| architecture.threat_neurons()), Ok(1024));
    }
}
