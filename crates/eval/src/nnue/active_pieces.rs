//! The pieces of a board with their threat states, which determine the features, and what differs between two boards.

use super::architecture::Architecture;
use super::features::Perspective;
use super::limits::{FEATURES_PER_BUCKET, MAX_KING_BUCKETS, MAX_KING_BUCKETS_WITH_THREATS, MAX_PIECES};
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
        let Changes { added, removed, threats_added, threats_removed } = changes;
        for list in [&mut *added, removed, threats_added, threats_removed] {
            list.len = 0;
        }
        let other_state = self.states.differences(before.states);
        for color in Color::ALL {
            for piece_type in PieceType::ALL {
                let piece = Piece::new(color, piece_type);
                let old = before.sets[color.index()][piece_type.index()];
                let new = self.sets[color.index()][piece_type.index()];
                let moved = old ^ new;
                for square in old & moved {
                    removed.push(piece, square, 0);
                }
                for square in new & moved {
                    added.push(piece, square, 0);
                }
                let changed = moved | (old & other_state);
                for square in old & changed & before.states.attacked() {
                    threats_removed.push(piece, square, before.states.state(square));
                }
                for square in new & changed & self.states.attacked() {
                    threats_added.push(piece, square, self.states.state(square));
                }
            }
        }
    }
}

/// The pieces that one board has and another has not, and those in threat states 1 to 3 that have another state in the other. Working
/// memory, reused for each pair of boards.
pub(super) struct Changes {
    added: PieceList,
    removed: PieceList,
    threats_added: PieceList,
    threats_removed: PieceList,
}

impl Changes {
    pub(super) fn new() -> Changes {
        Changes {
            added: PieceList::new(),
            removed: PieceList::new(),
            threats_added: PieceList::new(),
            threats_removed: PieceList::new(),
        }
    }

    /// The features that change for a perspective.
    #[inline]
    pub(super) fn features(&mut self, perspective: Perspective) -> FeatureChanges<'_> {
        let feature = |piece, square, _| perspective.feature(piece, square);
        let threat_feature = |piece, square, state| perspective.threat_feature(piece, square, state);
        FeatureChanges {
            added: self.added.features(feature),
            removed: self.removed.features(feature),
            threats_added: self.threats_added.features(threat_feature),
            threats_removed: self.threats_removed.features(threat_feature),
        }
    }
}

/// The indices of features and threat features that lead from one accumulator to another.
#[derive(Clone, Copy)]
pub(super) struct FeatureChanges<'a> {
    pub(super) added: &'a [u16],
    pub(super) removed: &'a [u16],
    pub(super) threats_added: &'a [u16],
    pub(super) threats_removed: &'a [u16],
}

/// Up to 32 pieces on their squares, with their threat states.
struct PieceList {
    pieces: [(Piece, Square, u8); MAX_PIECES],
    features: [u16; MAX_PIECES],
    len: usize,
}

impl PieceList {
    fn new() -> PieceList {
        PieceList {
            pieces: [(Piece::WhitePawn, Square::A1, 0); MAX_PIECES],
            features: [0; MAX_PIECES],
            len: 0,
        }
    }

    #[inline]
    fn push(&mut self, piece: Piece, square: Square, state: usize) {
        self.pieces[self.len] = (piece, square, state as u8);
        self.len += 1;
    }

    /// The features of the pieces, by a function of piece, square and state.
    #[inline]
    fn features(&mut self, index: impl Fn(Piece, Square, usize) -> usize) -> &[u16] {
        for (feature, &(piece, square, state)) in self.features.iter_mut().zip(&self.pieces[..self.len]) {
            *feature = index(piece, square, state.into()) as u16;
        }
        &self.features[..self.len]
    }
}

const _: () = assert!(FEATURES_PER_BUCKET * MAX_KING_BUCKETS <= u16::MAX as usize);
const _: () = assert!(
    FEATURES_PER_BUCKET * MAX_KING_BUCKETS_WITH_THREATS * (ThreatStates::COUNT - 1) <= u16::MAX as usize
);
