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
    /// True for each colour whose accumulator has been computed.
    computed: [bool; 2],
}

/// The positions from the root to the current one, each with an accumulator for either perspective.
///
/// Making a move only records it. Accumulators are computed when a position is evaluated, from the last position of the line
/// that has one.
pub(super) struct Accumulators {
    entries: Vec<Entry>,
    /// Two rows for each entry, White's first. Rows past the last entry are kept for later ones.
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
    pub(super) fn push(&mut self, network: &Network, board: &Board, dirty: Option<DirtyPieces>) {
        let (perspectives, is_refresh) = match self.entries.last() {
            Some(last) if dirty.is_none_or(|dirty| !dirty.moves_king()) => (last.perspectives, [false; 2]),
            last => {
                let buckets = network.architecture().king_buckets();
                let new = Color::ALL.map(|color| Perspective::new(buckets, color, board.king(color)));
                let is_refresh = Color::ALL.map(|color| {
                    let index = color.index();
                    last.is_none_or(|last| last.perspectives[index] != new[index])
                });
                (new, is_refresh)
            }
        };
        self.entries.push(Entry { key: board.key(), dirty, perspectives, is_refresh, computed: [false; 2] });
        let blocks = 2 * self.row_blocks * self.entries.len();
        // Lines longer than those of the search.
        if blocks > self.rows.len() {
            self.rows.resize(blocks, Block::ZERO);
        }
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
        for color in Color::ALL {
            self.compute_perspective(network, kernel, cache, board, color);
        }
        let last = self.entries.len() - 1;
        Color::ALL.map(|color| &self.rows[self.start(last, color)..][..self.row_blocks])
    }

    fn compute_perspective(
        &mut self,
        network: &Network,
        kernel: Kernel,
        cache: &mut RefreshCache,
        board: &Board,
        color: Color,
    ) {
        let last = self.entries.len() - 1;
        let mut computed = last;
        while !self.entries[computed].computed[color.index()] {
            if self.entries[computed].is_refresh[color.index()] {
                let perspective = self.entries[last].perspectives[color.index()];
                let start = self.start(last, color);
                let target = &mut self.rows[start..][..self.row_blocks];
                cache.refresh(network, kernel, board, perspective, target);
                self.entries[last].computed[color.index()] = true;
                return;
            }
            computed -= 1;
        }
        for ply in computed + 1..=last {
            self.update(network, kernel, ply, color);
        }
    }

    /// Computes an accumulator from that of the position before.
    fn update(&mut self, network: &Network, kernel: Kernel, ply: usize, color: Color) {
        let start = self.start(ply, color);
        let (before, after) = self.rows.split_at_mut(start);
        let source = &before[start - 2 * self.row_blocks..][..self.row_blocks];
        let target = &mut after[..self.row_blocks];
        let entry = &mut self.entries[ply];
        entry.computed[color.index()] = true;
        let weights = network.feature_weights();
        let Some(dirty) = &entry.dirty else {
            target.copy_from_slice(source);
            return;
        };
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
    fn start(&self, ply: usize, color: Color) -> usize {
        (2 * ply + color.index()) * self.row_blocks
    }
}
