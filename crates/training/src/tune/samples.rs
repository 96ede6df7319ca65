//! Positions in memory, packed.

/// Samples per block. Blocks bound the memory that growing reserves.
const BLOCK: usize = 1 << 12;

/// The positions of the training set or the held-out set: the features that a [`Model`](super::model::Model) has
/// extracted, and targets.
#[derive(Default)]
pub(super) struct Samples {
    blocks: Vec<Block>,
    /// Targets of the sigmoid, from 0 to 1: White's game result, or its blend with the search score.
    targets: Vec<f32>,
}

/// The features of up to [`BLOCK`] samples.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    /// End of each sample's features in `bytes`.
    ends: Vec<u32>,
}

impl Samples {
    /// Appends a sample.
    pub(super) fn push(&mut self, features: &[u8], target: f32) {
        if self.targets.len().is_multiple_of(BLOCK) {
            if let Some(full) = self.blocks.last_mut() {
                full.bytes.shrink_to_fit();
            }
            self.blocks.push(Block { bytes: Vec::new(), ends: Vec::with_capacity(BLOCK) });
        }
        if let Some(block) = self.blocks.last_mut() {
            block.bytes.extend_from_slice(features);
            block.ends.push(block.bytes.len() as u32);
        }
        self.targets.push(target);
    }

    /// Number of samples.
    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns true if there is no sample.
    pub(super) fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the features and the target of a sample, given its index.
    pub(super) fn get(&self, index: usize) -> (&[u8], f32) {
        let Block { bytes, ends } = &self.blocks[index / BLOCK];
        let place = index % BLOCK;
        let start = place.checked_sub(1).map_or(0, |before| ends[before]);
        (&bytes[start as usize..ends[place] as usize], self.targets[index])
    }

    /// Targets, in the order of the samples.
    pub(super) fn targets_mut(&mut self) -> &mut [f32] {
        &mut self.targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_returned_in_order() {
        let features = |index: usize| vec![index as u8; index % 7];
        let count = 2 * BLOCK + 3;
        let mut samples = Samples::default();
        for index in 0..count {
            samples.push(&features(index), index as f32);
        }
        assert_eq!(samples.len(), count);
        for index in 0..count {
            assert_eq!(samples.get(index), (features(index).as_slice(), index as f32));
        }
    }
}
