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

    /// Finds the changes from another board to this one.
    #[inline]
    pub(super) fn changes_since(&self, before: &ActivePieces, changes: &mut Changes) {
        changes.added.len = 0;
        changes.removed.len = 0;
        let other_state = self.states.differences(before.states);
        for color in Color::ALL {
            for piece_type in PieceType::ALL {
                let piece = Piece::new(color, piece_type);
                let old = before.sets[color.index()][piece_type.index()];
                let new = self.sets[color.index()][piece_type.index()];
                let changed = (old ^ new) | (old & other_state);
                for square in old & changed {
                    changes.removed.push(piece, square, before.states);
                }
                for square in new & changed {
                    changes.added.push(piece, square, self.states);
                }
            }
        }
    }
}

/// The pieces that one board has and another has not, or has in another threat state. Working memory, reused for each pair of boards.
pub(super) struct Changes {
    added: PieceList,
    removed: PieceList,
    added_features: [u16; MAX_PIECES],
    removed_features: [u16; MAX_PIECES],
}

impl Changes {
    pub(super) fn new() -> Changes {
        let list = || PieceList { pieces: [(Piece::WhitePawn, Square::A1, 0); MAX_PIECES], len: 0 };
        let features = [0; MAX_PIECES];
        Changes { added: list(), removed: list(), added_features: features, removed_features: features }
    }

    /// The features added and removed from a perspective.
    #[inline]
    pub(super) fn features(&mut self, perspective: Perspective) -> [&[u16]; 2] {
        let added = self.added.features(perspective, &mut self.added_features);
        [added, self.removed.features(perspective, &mut self.removed_features)]
    }
}

/// Up to 32 pieces on their squares, with their threat states.
struct PieceList {
    pieces: [(Piece, Square, u8); MAX_PIECES],
    len: usize,
}

impl PieceList {
    #[inline]
    fn push(&mut self, piece: Piece, square: Square, states: ThreatStates) {
        self.pieces[self.len] = (piece, square, states.state(square) as u8);
        self.len += 1;
    }

    /// Writes the features of the pieces from a perspective, and returns them.
    #[inline]
    fn features<'a>(&self, perspective: Perspective, features: &'a mut [u16; MAX_PIECES]) -> &'a [u16] {
        for (feature, &(piece, square, state)) in features.iter_mut().zip(&self.pieces[..self.len]) {
            *feature = perspective.feature(piece, square, state.into()) as u16;
        }
        &features[..self.len]
    }
}

const _: () = assert!(FEATURES_PER_BUCKET * MAX_FEATURE_BUCKETS <= u16::MAX as usize);
