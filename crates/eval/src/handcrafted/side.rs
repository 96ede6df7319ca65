//! The sides as types: each term is written once and compiled for both sides.

use tabiya_core::{Bitboard, Color, File, Rank, Square};

/// The files c to f.
pub(super) const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// Returns true if all pawns are on files a to d, or all on files e to h.
#[inline(always)]
pub(super) fn on_one_wing(pawns: Bitboard) -> bool {
    const QUEEN_SIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
    pawns.is_subset_of(QUEEN_SIDE) || pawns.is_disjoint(QUEEN_SIDE)
}

/// A side that is known at compile time.
pub(super) trait Side {
    /// The opponent.
    type Them: Side;
    /// The colour of this side.
    const US: Color;
    /// The colour of the opponent.
    const THEM: Color;

    /// All squares attacked by this side's `pawns`.
    #[inline(always)]
    fn pawn_attacks(pawns: Bitboard) -> Bitboard {
        let ahead = pawns.forward(Self::US);
        ahead.east() | ahead.west()
    }

    /// All squares attacked by two of this side's `pawns`.
    #[inline(always)]
    fn pawn_double_attacks(pawns: Bitboard) -> Bitboard {
        let ahead = pawns.forward(Self::US);
        ahead.east() & ahead.west()
    }

    /// All squares ahead of those in `set` on the same files (the front span).
    #[inline(always)]
    fn ahead(set: Bitboard) -> Bitboard {
        let mut span = set.forward(Self::US);
        match Self::US {
            Color::White => {
                span |= Bitboard(span.0 << 8);
                span |= Bitboard(span.0 << 16);
                span | Bitboard(span.0 << 32)
            }
            Color::Black => {
                span |= Bitboard(span.0 >> 8);
                span |= Bitboard(span.0 >> 16);
                span | Bitboard(span.0 >> 32)
            }
        }
    }

    /// The rank with this relative number, 0 for the side's back rank.
    #[inline(always)]
    fn rank(number: u8) -> Bitboard {
        Rank::wrapping(number).relative_to(Self::US).bitboard()
    }

    /// The relative rank number of a square, 0 for the side's back rank.
    #[inline(always)]
    fn rank_of(square: Square) -> usize {
        square.rank().relative_to(Self::US).index()
    }
}

/// White.
pub(super) struct White;

/// Black.
pub(super) struct Black;

impl Side for White {
    type Them = Black;
    const US: Color = Color::White;
    const THEM: Color = Color::Black;
}

impl Side for Black {
    type Them = White;
    const US: Color = Color::Black;
    const THEM: Color = Color::White;
}

/// The distance of a file from the nearer edge, 0 to 3.
#[inline(always)]
pub(super) fn edge_distance(file: File) -> usize {
    file.index().min(7 - file.index())
}

/// The files next to a file.
#[inline(always)]
pub(super) fn adjacent_files(file: File) -> Bitboard {
    file.bitboard().east() | file.bitboard().west()
}
