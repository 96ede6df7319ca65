//! The pieces of a board with their threat states, which determine the features, and what differs between two boards.

use super::architecture::Architecture;
use super::features::Perspective;
use super::limits::{FEATURES_PER_BUCKET, MAX_FEATURE_BUCKETS, MAX_PIECES};
use super::threats::{PieceSets, ThreatStates};
use tabiya_core::{Bitboard, Board, Color, Piece, PieceType, Square};

/// The pieces of a board and their threat states.
#[derive(Clone, Copy)]
pub(super) struct ActivePieces {
    sets: PieceSets,
    states: ThreatStates,
}

impl ActivePieces {
    /// An empty board.
    pub(super) const NONE: ActivePieces =
        ActivePieces { sets: [[Bitboard::EMPTY; PieceType::COUNT]; 2], states: ThreatStates::NONE };

    /// The pieces of a board, with the states that the architecture sees.
    #[inline]
    pub(super) fn new(architecture: &Architecture, board: &Board) -> ActivePieces {
        let mut sets = ActivePieces::NONE.sets;
        for color in Color::ALL {
            for piece_type in PieceType::ALL {
                sets[color.index()][piece_type.index()] = board.pieces(color, piece_type);
            }
        }
        ActivePieces { sets, states: architecture.threat_states(&sets) }
    }

    /// The changes from another board to this one.
    #[inline]
    pub(super) fn changes_since(&self, before: &ActivePieces) -> Changes {
        let mut changes = Changes { added: PieceList::new(), removed: PieceList::new() };
        let other_state = self.states.differences(before.states);
        for color in Color::ALL {
            for piece_type in PieceType::ALL {
                let piece = Piece::new(color, piece_type);
                let [old, new] = [before, self].map(|pieces| pieces.sets[color.index()][piece_type.index()]);
                let changed = (old ^ new) | (old & other_state);
                for square in old & changed {
                    changes.removed.push(piece, square, before.states);
                }
                for square in new & changed {
                    changes.added.push(piece, square, self.states);
                }
            }
        }
        changes
    }
}

/// The pieces that one board has and another has not, or has in another threat state.
pub(super) struct Changes {
    pub(super) added: PieceList,
    pub(super) removed: PieceList,
}

/// Up to 32 pieces on their squares, with their threat states.
pub(super) struct PieceList {
    pieces: [(Piece, Square, u8); MAX_PIECES],
    len: usize,
}

impl PieceList {
    #[inline]
    fn new() -> PieceList {
        PieceList { pieces: [(Piece::WhitePawn, Square::A1, 0); MAX_PIECES], len: 0 }
    }

    #[inline]
    fn push(&mut self, piece: Piece, square: Square, states: ThreatStates) {
        self.pieces[self.len] = (piece, square, states.state(square) as u8);
        self.len += 1;
    }

    /// The features of the pieces from a perspective.
    #[inline]
    pub(super) fn features(&self, perspective: Perspective) -> FeatureList {
        let mut list = FeatureList { features: [0; MAX_PIECES], len: self.len };
        for (feature, &(piece, square, state)) in list.features.iter_mut().zip(&self.pieces[..self.len]) {
            *feature = perspective.feature(piece, square, state.into()) as u16;
        }
        list
    }
}

/// Up to 32 features: those of a whole board.
pub(super) struct FeatureList {
    features: [u16; MAX_PIECES],
    len: usize,
}

impl FeatureList {
    #[inline]
    pub(super) fn as_slice(&self) -> &[u16] {
        &self.features[..self.len]
    }
}

const _: () = assert!(FEATURES_PER_BUCKET * MAX_FEATURE_BUCKETS <= u16::MAX as usize);
