//! What was found out about pawns, kept by their key: they move seldom, so nearly every look-up finds it.

use crate::terms::pawns::Pawns;
use crate::tracer::Silent;
use tabiya_core::{Board, Key};

/// The number of entries: half a megabyte, which a core's own cache holds.
const ENTRIES: usize = 8192;

/// Pawn structures by key. A newer one replaces an older one in the same place.
pub(crate) struct PawnCache {
    entries: Box<[Option<(Key, Pawns)>]>,
}

impl PawnCache {
    pub(crate) fn new() -> PawnCache {
        PawnCache { entries: vec![None; ENTRIES].into_boxed_slice() }
    }

    /// The pawns of a board, looked up or looked at.
    #[inline(always)]
    pub(crate) fn get(&mut self, board: &Board) -> &mut Pawns {
        let key = board.pawn_key();
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.as_ref().is_none_or(|(found, _)| *found != key) {
            *entry = None;
        }
        let (_, pawns) = entry.get_or_insert_with(|| (key, Pawns::of(board, &mut Silent)));
        pawns
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(None);
    }
}
