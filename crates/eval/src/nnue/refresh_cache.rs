//! Accumulators by king bucket and mirror side, from which a refresh starts.
//!
//! When a king moves to another bucket or across the middle of the board, all features of its side change. The accumulator is
//! then computed from the last one with the same bucket and side, by the pieces that differ: a few in a search, while a whole
//! board has up to 32. (Also known as a Finny table, from the engine Koivisto.)

use super::active_pieces::{ActivePieces, Changes};
use super::block::Block;
use super::features::Perspective;
use super::kernel::Kernel;
use super::network::Network;

/// For both colours and each king bucket and mirror side, an accumulator and its pieces.
pub(super) struct RefreshCache {
    /// A row for each entry.
    sums: Vec<Block>,
    entries: Vec<ActivePieces>,
    changes: Changes,
}

impl RefreshCache {
    /// Creates a cache in which all boards are empty.
    pub(super) fn new(network: &Network) -> RefreshCache {
        let entries = 2 * 2 * network.architecture().king_buckets().count();
        RefreshCache {
            sums: network.feature_bias().repeat(entries),
            entries: vec![ActivePieces::NONE; entries],
            changes: Changes::new(),
        }
    }

    /// Computes the accumulator of a board's pieces for one perspective and writes it to `target`.
    pub(super) fn refresh(
        &mut self,
        network: &Network,
        kernel: Kernel,
        pieces: &ActivePieces,
        perspective: Perspective,
        target: &mut [Block],
    ) {
        let side = usize::from(perspective.is_mirrored()) + 2 * perspective.color().index();
        let index = 4 * perspective.king_bucket() + side;
        let entry = &mut self.entries[index];
        pieces.changes_since(entry, &mut self.changes);
        *entry = *pieces;
        let sums = &mut self.sums[index * target.len()..][..target.len()];
        kernel.update(network.feature_layer(), sums, target, self.changes.features(perspective));
        sums.copy_from_slice(target);
    }
}
