//! What was found out about pawns, kept by their key: they move seldom, so nearly every look-up finds it.

use crate::side::Side;
use crate::terms::pawns::Pawns;
use crate::terms::shelter::{Shelter, shelter};
use crate::tracer::Silent;
use tabiya_core::{Board, Key};

/// The number of places of each kind: less than a megabyte, which a core's own cache holds. A power of two.
const PLACES: usize = 8192;

/// Pawn structures, and shelters, which change with the square of the king as well. A newer one replaces an older one
/// in the same place.
pub(crate) struct PawnCache {
    structures: Box<[Place<Pawns>]>,
    shelters: Box<[Place<Shelter>]>,
}

/// Where one thing can be kept.
type Place<T> = Option<(Key, T)>;

impl PawnCache {
    pub(crate) fn new() -> PawnCache {
        PawnCache::of_size(PLACES)
    }

    /// A cache that holds one position, for those who have only one.
    pub(crate) fn for_one() -> PawnCache {
        PawnCache::of_size(1)
    }

    fn of_size(places: usize) -> PawnCache {
        PawnCache { structures: vec![None; places].into(), shelters: vec![None; places].into() }
    }

    /// The pawns of a board, looked up or looked at.
    #[inline(always)]
    pub(crate) fn pawns(&mut self, board: &Board) -> &Pawns {
        find(&mut self.structures, board.pawn_key(), || Pawns::of(board, &mut Silent))
    }

    /// The shelter of `S`'s king, looked up or looked at.
    #[inline(always)]
    pub(crate) fn shelter<S: Side>(&mut self, board: &Board) -> Shelter {
        let king = board.king(S::US);
        // Neighbours must not collide: the golden ratio spreads the few numbers of squares and colours over all bits.
        let number = 1 + king.index() + 64 * S::US.index();
        let key = board.pawn_key() ^ (number as Key).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
        *find(&mut self.shelters, key, || shelter::<S, Silent>(board, king, &mut Silent))
    }

    pub(crate) fn clear(&mut self) {
        self.structures.fill(None);
        self.shelters.fill(None);
    }
}

/// What belongs to a key, found in its place or put there.
#[inline(always)]
fn find<T>(places: &mut [Place<T>], key: Key, look: impl FnOnce() -> T) -> &T {
    let index = key as usize & (places.len() - 1);
    let place = &mut places[index];
    if place.as_ref().is_none_or(|(found, _)| *found != key) {
        *place = None;
    }
    let (_, kept) = place.get_or_insert_with(|| (key, look()));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::{Black, White};

    #[test]
    fn a_king_that_moves_finds_his_shelter_again() {
        let board = |fen: &str| fen.parse::<Board>().unwrap_or_else(|error| panic!("{fen}: {error}"));
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
        let full = |places: &[Place<Shelter>]| places.iter().flatten().count();
        assert_eq!(full(&cache.shelters), 3, "two squares of White's king, one of Black's");
    }
}
