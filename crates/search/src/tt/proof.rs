//! Results of the proof-number search in the transposition table.
//!
//! Proof entries and normal entries share the slots, so that a mate search allocates no memory. The caller salts the keys of
//! proof entries, which keeps the two kinds apart. In place of the depth, a proof entry has the size of the subtree: large results survive longest.

use super::{Packed, TranspositionTable};
use tabiya_core::Key;

/// The number of bits of a proof or disproof number.
const NUMBER_BITS: u32 = 24;
/// The bit that distinguishes an entry from an empty slot.
const OCCUPIED: u64 = 1 << 56;
/// The maximum proof and disproof number, which stands for "impossible".
pub(crate) const MAX_PROOF_NUMBER: u32 = (1 << NUMBER_BITS) - 1;

/// The proof and disproof number of a position, each at most [`MAX_PROOF_NUMBER`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProofEntry {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

impl Packed {
    fn from_proof(entry: ProofEntry, effort: u8, generation: u8) -> Packed {
        let numbers = u64::from(entry.proof) | u64::from(entry.disproof) << NUMBER_BITS;
        Packed(numbers | u64::from(effort) << 48 | OCCUPIED | u64::from(generation) << 59)
    }

    fn proof(self) -> ProofEntry {
        let number = |shift: u32| (self.0 >> shift) as u32 & MAX_PROOF_NUMBER;
        ProofEntry { proof: number(0), disproof: number(NUMBER_BITS) }
    }
}

impl TranspositionTable {
    /// Returns the proof and disproof number stored under this key.
    pub(crate) fn probe_proof(&self, key: Key) -> Option<ProofEntry> {
        let (_, packed) =
            self.cluster(key).iter().map(|slot| slot.load()).find(|&(slot_key, _)| slot_key == key)?;
        packed.bound().map(|_| packed.proof())
    }

    /// Stores proof and disproof number under this key; `nodes` is the size of the subtree.
    pub(crate) fn store_proof(&self, key: Key, entry: ProofEntry, nodes: u64) {
        let generation = self.generation();
        let effort = (nodes.max(1).ilog2() + 1) as u8;
        let slots = self.cluster(key).iter();
        let victim = slots.min_by_key(|slot| match slot.load() {
            (slot_key, _) if slot_key == key => -2,
            (_, packed) => packed.rank(generation),
        });
        if let Some(slot) = victim {
            slot.store(key, Packed::from_proof(entry, effort, generation));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tt::CLUSTER_SIZE;

    #[test]
    fn numbers_survive_the_round_trip() {
        let table = TranspositionTable::new(1, 1).expect("enough memory");
        for (number, &(proof, disproof)) in
            [(0, MAX_PROOF_NUMBER), (MAX_PROOF_NUMBER, 0), (1, 1), (0, 0), (123, 45_678)].iter().enumerate()
        {
            let (key, entry) = (number as Key + 1, ProofEntry { proof, disproof });
            table.store_proof(key, entry, u64::MAX);
            assert_eq!(table.probe_proof(key), Some(entry));
        }
        assert_eq!(table.probe_proof(0), None, "an empty slot has the key 0");
    }

    #[test]
    fn large_results_survive_small_ones() {
        let table = TranspositionTable::new(1, 1).expect("enough memory");
        let entry = ProofEntry { proof: 2, disproof: 3 };
        table.store_proof(1, entry, 1_000_000);
        (2..100).for_each(|key| table.store_proof(key, entry, 10));
        assert_eq!(table.probe_proof(1), Some(entry));
        let kept = (1..100).filter(|&key| table.probe_proof(key).is_some()).count();
        assert_eq!(kept, CLUSTER_SIZE);
        table.store_proof(1, ProofEntry { proof: 7, ..entry }, 1);
        assert_eq!(table.probe_proof(1).map(|entry| entry.proof), Some(7), "the same key is overwritten");
    }
}
