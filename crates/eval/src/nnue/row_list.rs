//! A short list of rows of weights.

use super::limits::MAX_PIECES;

/// The rows of up to 32 features, one for each piece of a board.
pub(super) struct RowList {
    rows: [u16; MAX_PIECES],
    len: usize,
}

impl RowList {
    #[inline]
    pub(super) fn new() -> RowList {
        RowList { rows: [0; MAX_PIECES], len: 0 }
    }

    /// Appends the row of a feature.
    ///
    /// # Panics
    /// If there are 32.
    #[inline]
    pub(super) fn push(&mut self, feature: usize) {
        self.rows[self.len] = feature as u16;
        self.len += 1;
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[u16] {
        &self.rows[..self.len]
    }
}
