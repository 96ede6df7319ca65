use super::{CLUSTER_SIZE, OutOfMemory, Slot, huge_pages, memory};

/// Slots that share a cache line.
pub(super) type Cluster = [Slot; CLUSTER_SIZE];

/// The size of a cache line, on nearly every machine.
const CACHE_LINE: usize = size_of::<Cluster>();

/// The memory of the table.
///
/// It is asked for slot by slot, which the system answers with memory that is zero and not there yet, and
/// lined up with the cache afterwards. To ask for aligned memory would mean to write the zeros here, all
/// of them, with one thread.
#[derive(Default, Debug)]
pub(super) struct Clusters {
    slots: Box<[Slot]>,
    /// The slots in front of the first cluster.
    start: usize,
    len: usize,
}

impl Clusters {
    /// So many empty clusters.
    pub(super) fn new(len: usize) -> Result<Clusters, OutOfMemory> {
        let size = len.checked_mul(CACHE_LINE).ok_or(OutOfMemory)?;
        // Systems that promise memory they may not have would end the process when it is first used.
        if memory::available().is_some_and(|available| size as u64 > available) {
            return Err(OutOfMemory);
        }
        let count = len * CLUSTER_SIZE + CLUSTER_SIZE - 1;
        let slots = bytemuck::try_zeroed_slice_box(count).map_err(|()| OutOfMemory)?;
        huge_pages::ask_for(&slots);
        Ok(Clusters::line_up(slots, len))
    }

    /// A single one, for want of memory.
    pub(super) fn single() -> Clusters {
        Clusters::line_up((1..2 * CLUSTER_SIZE).map(|_| Slot::default()).collect(), 1)
    }

    fn line_up(slots: Box<[Slot]>, len: usize) -> Clusters {
        let start = slots.as_ptr().addr().wrapping_neg() % CACHE_LINE / size_of::<Slot>();
        Clusters { slots, start, len }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn all(&self) -> &[Cluster] {
        &self.slots[self.start..].as_chunks().0[..self.len]
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> &Cluster {
        &self.all()[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_cache_lines() {
        assert_eq!(CACHE_LINE, 64);
        for clusters in [Clusters::new(1), Clusters::new(3), Clusters::new(1 << 15), Ok(Clusters::single())] {
            let clusters = clusters.expect("there is memory");
            assert!(clusters.all().as_ptr().addr().is_multiple_of(64));
            assert_eq!(clusters.all().len(), clusters.len());
        }
        assert_eq!(Clusters::new(usize::MAX / 8).err(), Some(OutOfMemory));
    }
}
