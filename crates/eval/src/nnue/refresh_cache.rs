//! Accumulators by king bucket and mirror side, from which a refresh starts.
//!
//! When a king moves to another bucket or across the middle of the board, all features of its side change. The accumulator is
//! then computed from the last one with the same bucket and side, by the pieces that differ: a few in a search, while a whole
//! board has up to 32. (Also known as a Finny table, from the engine Koivisto.)

use super::block::Block;
use super::features::Perspective;
use super::kernel::Kernel;
use super::network::Network;
use super::row_list::RowList;
use tabiya_core::{Bitboard, Board, Color, Piece, PieceType};

/// For both colours and each king bucket and mirror side, an accumulator and its pieces.
pub(super) struct RefreshCache {
    /// A row for each entry.
    sums: Vec<Block>,
    entries: Vec<Pieces>,
}

/// The pieces in an accumulator, by colour and type.
type Pieces = [[Bitboard; PieceType::COUNT]; 2];

impl RefreshCache {
    /// Creates a cache in which all boards are empty.
    pub(super) fn new(network: &Network) -> RefreshCache {
        let entries = 2 * 2 * network.architecture().king_buckets().count();
        RefreshCache {
            sums: network.feature_bias().repeat(entries),
            entries: vec![[[Bitboard::EMPTY; PieceType::COUNT]; 2]; entries],
        }
    }

    /// Computes the accumulator of a board for one perspective and writes it to `target`.
    pub(super) fn refresh(
        &mut self,
        network: &Network,
        kernel: Kernel,
        board: &Board,
        perspective: Perspective,
        target: &mut [Block],
    ) {
        let side = usize::from(perspective.is_mirrored()) + 2 * perspective.color().index();
        let index = 4 * perspective.king_bucket() + side;
        let entry = &mut self.entries[index];
        let (mut added, mut removed) = (RowList::new(), RowList::new());
        for color in Color::ALL {
            for piece_type in PieceType::ALL {
                let piece = Piece::new(color, piece_type);
                let new = board.pieces(color, piece_type);
                let old = std::mem::replace(&mut entry[color.index()][piece_type.index()], new);
                (new & !old).into_iter().for_each(|square| added.push(perspective.feature(piece, square)));
                (old & !new).into_iter().for_each(|square| removed.push(perspective.feature(piece, square)));
            }
        }
        let sums = &mut self.sums[index * target.len()..][..target.len()];
        kernel.update_many(network.feature_weights(), sums, added.as_slice(), removed.as_slice());
        target.copy_from_slice(sums);
    }
}

const _: () =
    assert!(super::limits::FEATURES_PER_BUCKET * super::limits::MAX_KING_BUCKETS <= u16::MAX as usize);
