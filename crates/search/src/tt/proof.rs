//! Results of the proof-number search in the transposition table.
//!
//! Proof entries and normal entries share the slots, so that a mate search allocates no memory. The caller salts the keys of
//! proof entries, which keeps the two kinds apart. In place of the depth, a proof entry has the size of the subtree: large results survive longest.

use super::{Packed, TranspositionTable};
use tabiya_core::{Key, Move};

/// The number of bits of a proof or disproof number.
const NUMBER_BITS: u32 = 24;
/// The bit that distinguishes an entry from an empty slot.
const OCCUPIED: u64 = 1 << 56;
/// The maximum proof and disproof number, which stands for "impossible".
pub(crate) const MAX_PROOF_NUMBER: u32 = (1 << NUMBER_BITS) - 1;

/// The result of a proof-number search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProofEntry {
    /// A proof, by its length in plies, at most 255, and the attacker's move.
    Proven { length: u32, mv: Option<Move> },
    /// The proof number, not 0, and the disproof number, each at most [`MAX_PROOF_NUMBER`].
    Unproven { proof: u32, disproof: u32 },
}

impl Packed {
    fn from_proof(entry: ProofEntry, effort: u8, generation: u8) -> Packed {
        let (proof, other) = match entry {
            ProofEntry::Proven { length, mv } => (0, length << 16 | u32::from(mv.map_or(0, Move::to_bits))),
            ProofEntry::Unproven { proof, disproof } => (proof, disproof),
        };
        let numbers = u64::from(proof) | u64::from(other) << NUMBER_BITS;
        Packed(numbers | u64::from(effort) << 48 | OCCUPIED | u64::from(generation) << 59)
    }

    fn proof(self) -> ProofEntry {
        let number = |shift: u32| (self.0 >> shift) as u32 & MAX_PROOF_NUMBER;
        match (number(0), number(NUMBER_BITS)) {
            (0, other) => ProofEntry::Proven { length: other >> 16, mv: Move::from_bits(other as u16) },
            (proof, disproof) => ProofEntry::Unproven { proof, disproof },
        }
    }
}

impl TranspositionTable {
    /// Returns the result stored under this key.
    pub(crate) fn probe_proof(&self, key: Key) -> Option<ProofEntry> {
        let (_, packed) =
            self.cluster(key).iter().map(|slot| slot.load()).find(|&(slot_key, _)| slot_key == key)?;
        packed.bound().map(|_| packed.proof())
    }

    /// Stores a result under this key; `nodes` is the size of the subtree.
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

    const OPEN: ProofEntry = ProofEntry::Unproven { proof: 2, disproof: 3 };

    #[test]
    fn results_survive_the_round_trip() {
        let table = TranspositionTable::new(1, 1).expect("enough memory");
        let unproven = [(MAX_PROOF_NUMBER, 0), (1, 1), (1, MAX_PROOF_NUMBER), (123, 45_678)]
            .map(|(proof, disproof)| ProofEntry::Unproven { proof, disproof });
        let mv = Move::from_bits(0x0123);
        assert!(mv.is_some());
        let proven = [(0, None), (1, mv), (255, mv)].map(|(length, mv)| ProofEntry::Proven { length, mv });
        for (number, entry) in unproven.into_iter().chain(proven).enumerate() {
            let key = number as Key + 1;
            table.store_proof(key, entry, u64::MAX);
            assert_eq!(table.probe_proof(key), Some(entry));
        }
        assert_eq!(table.probe_proof(0), None, "an empty slot has the key 0");
    }

    #[test]
    fn large_results_survive_small_ones() {
        let table = TranspositionTable::new(1, 1).expect("enough memory");
        table.store_proof(1, OPEN, 1_000_000);
        (2..100).for_each(|key| table.store_proof(key, OPEN, 10));
        assert_eq!(table.probe_proof(1), Some(OPEN));
        let kept = (1..100).filter(|&key| table.probe_proof(key).is_some()).count();
        assert_eq!(kept, CLUSTER_SIZE);
        let refuted = ProofEntry::Unproven { proof: MAX_PROOF_NUMBER, disproof: 0 };
        table.store_proof(1, refuted, 1);
        assert_eq!(table.probe_proof(1), Some(refuted), "the same key is overwritten");
    }
}
