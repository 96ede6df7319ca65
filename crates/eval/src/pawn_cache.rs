//! What was found out about pawns, kept by their key: they move seldom, so nearly every look-up finds it.

use crate::terms::pawns::Pawns;
use crate::tracer::Silent;
use tabiya_core::{Board, Key};

/// The number of entries: half a megabyte, which a core's own cache holds.
const ENTRIES: usize = 8192;

/// Pawn structures by key. A newer one replaces an older one in the same place.
pub(crate) struct PawnCache {
    places: Box<[Place]>,
}

/// Where one pawn structure can be kept.
#[derive(Clone, Default)]
pub(crate) struct Place(Option<(Key, Pawns)>);

impl PawnCache {
    pub(crate) fn new() -> PawnCache {
        PawnCache { places: vec![Place(None); ENTRIES].into_boxed_slice() }
    }

    /// Where the pawns of a board belong.
    #[inline(always)]
    pub(crate) fn place(&mut self, board: &Board) -> &mut Place {
        &mut self.places[board.pawn_key() as usize % ENTRIES]
    }

    pub(crate) fn clear(&mut self) {
        self.places.fill(Place(None));
    }
}

impl Place {
    /// The pawns of a board, found here or looked at.
    #[inline(always)]
    pub(crate) fn pawns(&mut self, board: &Board) -> &mut Pawns {
        let key = board.pawn_key();
        if self.0.as_ref().is_none_or(|(found, _)| *found != key) {
            self.0 = None;
        }
        let (_, pawns) = self.0.get_or_insert_with(|| (key, Pawns::of(board, &mut Silent)));
        pawns
    }
}
