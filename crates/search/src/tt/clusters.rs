//! The memory of the transposition table, aligned to cache lines.

use super::{CLUSTER_SIZE, Slot, huge_pages};
use crate::memory::{self, OutOfMemory};

/// The slots of one cache line.
pub(super) type Cluster = [Slot; CLUSTER_SIZE];

/// The size of a cache line in bytes, on nearly every processor.
const CACHE_LINE: usize = size_of::<Cluster>();

/// The memory of the table.
///
/// It is allocated as zeroed slots, of which those before a cache-line boundary are not used. The system maps
/// such memory lazily. With the alignment of a cache line, the allocator would write the zeros itself, in one
/// thread.
#[derive(Default, Debug)]
pub(super) struct Clusters {
    slots: Box<[Slot]>,
    /// The number of slots before the first cluster.
    start: usize,
}

impl Clusters {
    /// Allocates empty clusters.
    pub(super) fn new(len: usize) -> Result<Clusters, OutOfMemory> {
        let size = len.checked_mul(CACHE_LINE).ok_or(OutOfMemory)?;
        // On a system that overcommits memory the allocation would succeed, and the process be killed when it
        // uses the memory.
        if memory::available().is_some_and(|available| size as u64 > available) {
            return Err(OutOfMemory);
        }
        let count = len * CLUSTER_SIZE + CLUSTER_SIZE - 1;
        let slots = bytemuck::try_zeroed_slice_box(count).map_err(|()| OutOfMemory)?;
        memory::check_reserve()?;
        huge_pages::advise(&slots);
        Ok(Clusters::align(slots))
    }

    /// Allocates a single cluster.
    pub(super) fn single() -> Clusters {
        Clusters::align((1..2 * CLUSTER_SIZE).map(|_| Slot::default()).collect())
    }

    fn align(slots: Box<[Slot]>) -> Clusters {
        let start = slots.as_ptr().addr().wrapping_neg() % CACHE_LINE / size_of::<Slot>();
        Clusters { slots, start }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.slots.len() / CLUSTER_SIZE
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[Cluster] {
        self.slots[self.start..].as_chunks().0
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> &Cluster {
        &self.as_slice()[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_aligned_to_cache_lines() {
        assert_eq!(CACHE_LINE, 64);
        for clusters in [Clusters::new(1), Clusters::new(3), Clusters::new(1 << 15), Ok(Clusters::single())] {
            let clusters = clusters.expect("enough memory");
            assert!(clusters.as_slice().as_ptr().addr().is_multiple_of(64));
            assert_eq!(clusters.as_slice().len(), clusters.len());
        }
        assert_eq!(Clusters::new(usize::MAX / 8).err(), Some(OutOfMemory));
    }
}
