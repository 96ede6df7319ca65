//! The pawn cache (pawn hash table). Pawns rarely move, so nearly every probe hits.

use super::side::Side;
use super::terms::pawns::Pawns;
use super::terms::shelter::{Shelter, shelter};
use super::tracer::Silent;
use tabiya_core::{Board, Key};

/// The number of slots of each table, a power of two. Both tables together take less than a megabyte and fit
/// into a typical L2 cache.
const SLOTS: usize = 8192;

/// Two direct-mapped tables, which always replace: pawn structures by pawn key, and king shelters by pawn key
/// and king square.
pub(super) struct PawnCache {
    structures: Box<[Slot<Pawns>]>,
    shelters: Box<[Slot<Shelter>]>,
}

/// A slot of a table, with the full key to detect collisions.
type Slot<T> = Option<(Key, T)>;

impl PawnCache {
    pub(super) fn new() -> PawnCache {
        PawnCache::with_slots(SLOTS)
    }

    /// A cache with a single slot, to evaluate one position.
    pub(super) fn with_one_slot() -> PawnCache {
        PawnCache::with_slots(1)
    }

    fn with_slots(slots: usize) -> PawnCache {
        PawnCache { structures: vec![None; slots].into(), shelters: vec![None; slots].into() }
    }

    /// The pawn structure of a board.
    #[inline(always)]
    pub(super) fn pawns(&mut self, board: &Board) -> &Pawns {
        get_or_insert(&mut self.structures, board.pawn_key(), || Pawns::of(board, &mut Silent))
    }

    /// The pawn shelter of `S`'s king.
    #[inline(always)]
    pub(super) fn shelter<S: Side>(&mut self, board: &Board) -> Shelter {
        let king = board.king(S::US);
        // Multiplying by the golden ratio spreads the few king squares over all bits, so that neighbouring
        // squares do not share a slot.
        let number = 1 + king.index() + 64 * S::US.index();
        let key = board.pawn_key() ^ (number as Key).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
        *get_or_insert(&mut self.shelters, key, || shelter::<S, Silent>(board, king, &mut Silent))
    }

    pub(super) fn clear(&mut self) {
        self.structures.fill(None);
        self.shelters.fill(None);
    }
}

/// Returns the entry with this key, computing it if its slot is empty or holds another entry.
#[inline(always)]
fn get_or_insert<T>(slots: &mut [Slot<T>], key: Key, compute: impl FnOnce() -> T) -> &T {
    let index = key as usize & (slots.len() - 1);
    let slot = &mut slots[index];
    if slot.as_ref().is_none_or(|(stored, _)| *stored != key) {
        *slot = None;
    }
    let (_, entry) = slot.get_or_insert_with(|| (key, compute()));
    entry
}

#[cfg(test)]
mod tests {
    use super::super::side::{Black, White};
    use super::super::test_board::board;
    use super::*;

    #[test]
    fn returns_the_computed_shelters_and_structures() {
        let boards =
            ["rk6/pp4pp/8/8/8/8/PP4PP/6KR w - - 0 1", "rk6/pp4pp/8/8/8/8/PP4PP/5K1R b - - 0 1"].map(board);
        let mut cache = PawnCache::new();
        for _ in 0..2 {
            for board in &boards {
                let white =
                    shelter::<White, Silent>(board, board.king(tabiya_core::Color::White), &mut Silent);
                let black =
                    shelter::<Black, Silent>(board, board.king(tabiya_core::Color::Black), &mut Silent);
                assert_eq!(cache.shelter::<White>(board), white);
                assert_eq!(cache.shelter::<Black>(board), black);
                assert_eq!(cache.pawns(board).score, Pawns::of(board, &mut Silent).score);
            }
        }
        let used = |slots: &[Slot<Shelter>]| slots.iter().flatten().count();
        assert_eq!(used(&cache.shelters), 3, "two squares of White's king, one of Black's");
    }
}
