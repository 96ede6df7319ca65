//! The principal variation (PV) table.

use tabiya_core::{MAX_PLY, Move};

/// A triangular PV table: one line per ply. When a move becomes the best of a node, the node's line is that
/// move followed by the line of the ply below.
#[derive(Debug)]
pub(crate) struct PvTable {
    lines: Vec<Vec<Move>>,
}

impl PvTable {
    pub(crate) fn new() -> PvTable {
        // One line more than there are plies, because the deepest node copies the empty line below it. All
        // memory is allocated here, so that the search allocates none.
        let plies = MAX_PLY as usize + 1;
        PvTable { lines: (0..plies).map(|ply| Vec::with_capacity(plies - ply)).collect() }
    }

    /// Empties the line at `ply`.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// Sets the line at `ply` to `mv` followed by the line at the next ply.
    pub(crate) fn update(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        if let Some(rest) = below.first() {
            line.extend_from_slice(rest);
        }
    }

    /// Returns the line at `ply`.
    pub(crate) fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    #[test]
    fn lines_are_copied_upwards() {
        let moves: Vec<Move> = Position::startpos().legal_moves().into_iter().take(2).collect();
        let mut pv = PvTable::new();
        pv.update(1, moves[1]);
        pv.update(0, moves[0]);
        assert_eq!((pv.line(0), pv.line(1)), (&moves[..], &moves[1..]));
        pv.clear(1);
        pv.update(0, moves[0]);
        assert_eq!(pv.line(0), &moves[..1]);
    }
}
