//! The accumulators of the line that a search follows.

use super::active_pieces::{ActivePieces, Changes};
use super::architecture::Architecture;
use super::block::Block;
use super::features::Perspective;
use super::kernel::Kernel;
use super::network::Network;
use super::refresh_cache::RefreshCache;
use tabiya_core::{Board, Color, Key, MAX_PLY, Square};

/// A position of the line.
struct Entry {
    key: Key,
    /// The index of the entry that has the accumulators: this one, or after a null move the one before.
    owner: usize,
    /// True if the accumulators have been computed.
    computed: bool,
}

/// The pieces and perspectives that the accumulators of an entry were computed from.
#[derive(Clone, Copy)]
struct Source {
    pieces: ActivePieces,
    perspectives: [Perspective; 2],
}

/// The positions from the root to the current one, each with an accumulator for either perspective.
///
/// Making a move only records it. Accumulators are computed when a position is evaluated, from the last position of the line
/// that has them.
pub(super) struct Accumulators {
    entries: Vec<Entry>,
    /// One for each entry. Those past the last entry are kept for later ones, as are the rows.
    sources: Vec<Source>,
    /// Two rows for each entry, White's first; those of an entry that does not own its accumulators are not used.
    rows: Vec<Block>,
    /// The length of a row.
    row_blocks: usize,
    changes: Changes,
}

impl Accumulators {
    /// Creates an empty line for a network.
    pub(super) fn new(network: &Network) -> Accumulators {
        let mut line = Accumulators {
            entries: Vec::new(),
            sources: Vec::new(),
            rows: Vec::new(),
            row_blocks: network.feature_bias().len(),
            changes: Changes::new(),
        };
        line.make_room(network.architecture(), MAX_PLY as usize + 1);
        line
    }

    /// Forgets the line.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Appends the position after a move, or the root.
    #[inline]
    pub(super) fn push(&mut self, board: &Board) {
        self.entries.push(Entry { key: board.key(), owner: self.entries.len(), computed: false });
    }

    /// Appends the position after a null move, which changes no piece.
    #[inline]
    pub(super) fn push_null(&mut self, board: &Board) {
        let owner = self.entries.last().map_or(0, |last| last.owner);
        self.entries.push(Entry { key: board.key(), owner, computed: false });
    }

    /// Makes room for this many entries.
    #[cold]
    fn make_room(&mut self, architecture: &Architecture, entries: usize) {
        let start = Square::A1;
        let perspectives = Color::ALL.map(|color| Perspective::new(architecture, color, start));
        self.sources.resize(entries, Source { pieces: ActivePieces::NONE, perspectives });
        self.rows.resize(2 * self.row_blocks * entries, Block::ZERO);
    }

    /// Removes the last position.
    pub(super) fn pop(&mut self) {
        self.entries.pop();
    }

    /// Returns true if the line leads to this board.
    #[inline]
    pub(super) fn is_current(&self, board: &Board) -> bool {
        self.entries.last().is_some_and(|entry| entry.key == board.key())
    }

    /// Computes the accumulators of the last position, `board`, and returns them, White's first.
    ///
    /// # Panics
    /// If the line is empty.
    pub(super) fn compute(
        &mut self,
        network: &Network,
        kernel: Kernel,
        cache: &mut RefreshCache,
        board: &Board,
    ) -> [&[Block]; 2] {
        let last = self.entries[self.entries.len() - 1].owner;
        if !self.entries[last].computed {
            self.update(network, kernel, cache, board, last);
        }
        let rows = &self.rows[2 * last * self.row_blocks..][..2 * self.row_blocks];
        let (white, black) = rows.split_at(self.row_blocks);
        [white, black]
    }

    /// Computes the accumulators of an entry, whose pieces are those of `board`.
    #[inline]
    fn update(
        &mut self,
        network: &Network,
        kernel: Kernel,
        cache: &mut RefreshCache,
        board: &Board,
        index: usize,
    ) {
        let architecture = network.architecture();
        if index >= self.sources.len() {
            // A line that is longer than those of the search.
            self.make_room(architecture, 2 * index);
        }
        let before = self.entries[..index].iter().rposition(|entry| entry.computed);
        self.entries[index].computed = true;
        let (earlier_sources, sources) = self.sources.split_at_mut(index);
        let source = &mut sources[0];
        source.pieces = ActivePieces::new(architecture, board);
        for color in Color::ALL {
            source.perspectives[color.index()] = Perspective::new(architecture, color, board.king(color));
        }
        let before = before.map(|index| (index, &earlier_sources[index]));
        if let Some((_, before)) = before {
            source.pieces.changes_since(&before.pieces, &mut self.changes);
        }
        let (earlier_rows, rows) = self.rows.split_at_mut(2 * index * self.row_blocks);
        for (color, target) in Color::ALL.into_iter().zip(rows.chunks_exact_mut(self.row_blocks)) {
            let perspective = source.perspectives[color.index()];
            match before {
                Some((index, before)) if before.perspectives[color.index()] == perspective => {
                    let row = (2 * index + color.index()) * self.row_blocks;
                    let row = &earlier_rows[row..][..self.row_blocks];
                    kernel.update(network.feature_layer(), row, target, self.changes.features(perspective));
                }
                _ => cache.refresh(network, kernel, &source.pieces, perspective, target),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::test_data::random_network;
    use crate::nnue::{Architecture, KingBuckets};
    use tabiya_movegen::Position;

    #[test]
    fn null_move_shares_the_accumulators_of_the_position_before() {
        let architecture = Architecture::new(32, KingBuckets::single(), 1, 400).expect("valid sizes");
        let network = random_network(architecture, 1);
        let (mut line, mut cache) = (Accumulators::new(&network), RefreshCache::new(&network));
        let mut addresses = |line: &mut Accumulators, board: &Board| {
            line.compute(&network, Kernel::PORTABLE, &mut cache, board).map(<[Block]>::as_ptr)
        };
        let mut position = Position::startpos();
        line.push(&position);
        position.play_unchecked(position.parse_uci("g1f3").expect("a legal move"));
        line.push(&position);
        let before = addresses(&mut line, &position);
        position.play_null();
        line.push_null(&position);
        assert_eq!(addresses(&mut line, &position), before);
    }
}
