//! The accumulators of the line that a search follows.

use super::block::Block;
use super::features::Perspective;
use super::kernel::Kernel;
use super::network::Network;
use super::refresh_cache::RefreshCache;
use crate::dirty_pieces::DirtyPieces;
use tabiya_core::{Board, Color, Key, MAX_PLY};

/// A position of the line.
struct Entry {
    key: Key,
    /// The pieces that the move to this position adds and removes; `None` at the root and after a null move.
    dirty: Option<DirtyPieces>,
    perspectives: [Perspective; 2],
    /// True for each colour whose perspective is not that of the position before, so that all of its features change.
    is_refresh: [bool; 2],
    /// The index of the entry that has the accumulators: this one, or after a null move the one before.
    owner: usize,
    /// True for each colour whose accumulator has been computed.
    computed: [bool; 2],
}

/// Returns the perspectives of a board, and for each whether it differs from that of the position before.
#[inline(never)]
fn find_perspectives(
    network: &Network,
    board: &Board,
    before: Option<&Entry>,
) -> ([Perspective; 2], [bool; 2]) {
    let buckets = network.architecture().king_buckets();
    let perspectives = Color::ALL.map(|color| Perspective::new(buckets, color, board.king(color)));
    let is_refresh = Color::ALL.map(|color| {
        let index = color.index();
        before.is_none_or(|before| before.perspectives[index] != perspectives[index])
    });
    (perspectives, is_refresh)
}

/// The positions from the root to the current one, each with an accumulator for either perspective.
///
/// Making a move only records it. Accumulators are computed when a position is evaluated, from the last position of the line
/// that has one.
pub(super) struct Accumulators {
    entries: Vec<Entry>,
    /// Two rows for each entry, White's first; those of an entry that does not own its accumulators are not used. Rows past the last entry are
    /// kept for later ones.
    rows: Vec<Block>,
    /// The length of a row.
    row_blocks: usize,
}

impl Accumulators {
    /// Creates an empty line for a network.
    pub(super) fn new(network: &Network) -> Accumulators {
        let row_blocks = network.feature_bias().len();
        let plies = MAX_PLY as usize + 1;
        Accumulators {
            entries: Vec::with_capacity(plies),
            rows: vec![Block::ZERO; 2 * row_blocks * plies],
            row_blocks,
        }
    }

    /// Forgets the line.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Appends a position, which is reached by a move that changes these pieces.
    #[inline(always)]
    pub(super) fn push(&mut self, network: &Network, board: &Board, dirty: Option<DirtyPieces>) {
        let index = self.entries.len();
        let (perspectives, is_refresh) = match self.entries.last() {
            Some(last) if dirty.is_none_or(|dirty| !dirty.moves_king()) => (last.perspectives, [false; 2]),
            last => find_perspectives(network, board, last),
        };
        // A null move changes no piece.
        let owner = match self.entries.last() {
            Some(last) if dirty.is_none() => last.owner,
            _ => index,
        };
        let key = board.key();
        self.entries.push(Entry { key, dirty, perspectives, is_refresh, owner, computed: [false; 2] });
        if 2 * self.row_blocks * (index + 1) > self.rows.len() {
            self.add_rows();
        }
    }

    /// Makes room for the rows of a line that is longer than those of the search.
    #[cold]
    fn add_rows(&mut self) {
        self.rows.resize(2 * self.row_blocks * self.entries.len(), Block::ZERO);
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
        match self.last_computed(last) {
            Some(computed) => self.update_entries(network, kernel, computed + 1, last, &Color::ALL),
            None => {
                for color in Color::ALL {
                    self.compute_perspective(network, kernel, cache, board, last, color);
                }
            }
        }
        let rows = &self.rows[self.start(last, Color::White)..][..2 * self.row_blocks];
        let (white, black) = rows.split_at(self.row_blocks);
        [white, black]
    }

    /// Returns the last entry up to `index` whose accumulators have both been computed; `None` if a refresh comes after it.
    #[inline]
    fn last_computed(&self, index: usize) -> Option<usize> {
        let mut computed = index;
        while self.entries[computed].computed != [true; 2] {
            if self.entries[computed].is_refresh != [false; 2] {
                return None;
            }
            computed = self.entries[computed - 1].owner;
        }
        Some(computed)
    }

    /// Computes one accumulator of an entry, whose pieces are those of `board`. In a line with a refresh, each perspective starts from another
    /// entry.
    #[cold]
    fn compute_perspective(
        &mut self,
        network: &Network,
        kernel: Kernel,
        cache: &mut RefreshCache,
        board: &Board,
        index: usize,
        color: Color,
    ) {
        let mut computed = index;
        while !self.entries[computed].computed[color.index()] {
            if self.entries[computed].is_refresh[color.index()] {
                let perspective = self.entries[index].perspectives[color.index()];
                let start = self.start(index, color);
                let target = &mut self.rows[start..][..self.row_blocks];
                cache.refresh(network, kernel, board, perspective, target);
                self.entries[index].computed[color.index()] = true;
                return;
            }
            computed = self.entries[computed - 1].owner;
        }
        self.update_entries(network, kernel, computed + 1, index, &[color]);
    }

    /// Computes the accumulators of the entries from `first` to `last`, each from those of the entry before.
    #[inline]
    fn update_entries(
        &mut self,
        network: &Network,
        kernel: Kernel,
        first: usize,
        last: usize,
        colors: &[Color],
    ) {
        for index in first..=last {
            if self.entries[index].owner == index {
                colors.iter().for_each(|&color| self.update(network, kernel, index, color));
            }
        }
    }

    #[inline]
    fn update(&mut self, network: &Network, kernel: Kernel, index: usize, color: Color) {
        let source = self.start(self.entries[index - 1].owner, color);
        let target = self.start(index, color);
        let (before, after) = self.rows.split_at_mut(target);
        let (source, target) = (&before[source..][..self.row_blocks], &mut after[..self.row_blocks]);
        let entry = &mut self.entries[index];
        entry.computed[color.index()] = true;
        let Some(dirty) = &entry.dirty else {
            unreachable!("the root is refreshed, and after a null move the entry before has the accumulators")
        };
        let weights = network.feature_weights();
        let perspective = entry.perspectives[color.index()];
        let feature = |&(piece, square): &_| perspective.feature(piece, square);
        match (dirty.added(), dirty.removed()) {
            ([added], [removed]) => {
                kernel.update(weights, source, target, [feature(added)], [feature(removed)]);
            }
            ([added], [removed, captured]) => {
                kernel.update(weights, source, target, [feature(added)], [removed, captured].map(feature));
            }
            ([king, rook], [old_king, old_rook]) => {
                let added = [king, rook].map(feature);
                kernel.update(weights, source, target, added, [old_king, old_rook].map(feature));
            }
            _ => unreachable!("a move adds one piece, or castling two, and removes one or two"),
        }
    }

    /// The index of the first block of a row.
    #[inline]
    fn start(&self, index: usize, color: Color) -> usize {
        (2 * index + color.index()) * self.row_blocks
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
        line.push(&network, &position, None);
        let mv = position.parse_uci("g1f3").expect("a legal move");
        let dirty = DirtyPieces::of(&position, mv);
        position.play_unchecked(mv);
        line.push(&network, &position, Some(dirty));
        let before = addresses(&mut line, &position);
        position.play_null();
        line.push(&network, &position, None);
        assert_eq!(addresses(&mut line, &position), before);
    }
}
