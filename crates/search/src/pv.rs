//! Principal variations: the best lines found so far, from each ply of the current path on.

use tabiya_core::{MAX_PLY, Move};

/// One line for each ply, the triangular PV table of the literature: when a move proves best at a
/// node, its line is that move followed by the line of the node below.
#[derive(Debug)]
pub(crate) struct PvTable {
    lines: Vec<Vec<Move>>,
}

impl PvTable {
    pub(crate) fn new() -> PvTable {
        // One more than there are plies: the deepest node copies the empty line below it. The room is
        // taken here, so that the search allocates nothing.
        let plies = MAX_PLY as usize + 1;
        PvTable { lines: (0..plies).map(|ply| Vec::with_capacity(plies - ply)).collect() }
    }

    /// The line from the node at `ply` is unknown, or ends there.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// `mv` is best at `ply`, and the line continues as the one below.
    pub(crate) fn update(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        if let Some(rest) = below.first() {
            line.extend_from_slice(rest);
        }
    }

    /// The line from the node at `ply` on.
    pub(crate) fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }
}
