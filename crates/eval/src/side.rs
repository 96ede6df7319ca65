//! Each term is written for one side and compiled for both.

use tabiya_core::{Bitboard, Color, File, Rank, Square};

/// One of the two sides, known to the compiler.
pub(crate) trait Side {
    /// The other one.
    type Them: Side;
    /// Its colour.
    const US: Color;
    /// The other's colour.
    const THEM: Color;

    /// All squares that pawns on these attack.
    #[inline(always)]
    fn pawn_attacks(pawns: Bitboard) -> Bitboard {
        let ahead = pawns.forward(Self::US);
        ahead.east() | ahead.west()
    }

    /// All squares that two of these pawns attack.
    #[inline(always)]
    fn pawn_double_attacks(pawns: Bitboard) -> Bitboard {
        let ahead = pawns.forward(Self::US);
        ahead.east() & ahead.west()
    }

    /// All squares ahead of these on their files.
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

    /// This side's rank `number`, 0 for its first.
    #[inline(always)]
    fn rank(number: u8) -> Bitboard {
        Rank::wrapping(number).relative_to(Self::US).bitboard()
    }

    /// The number of a square's rank as this side counts.
    #[inline(always)]
    fn rank_of(square: Square) -> usize {
        square.rank().relative_to(Self::US).index()
    }
}

/// White.
pub(crate) struct White;

/// Black.
pub(crate) struct Black;

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

/// A file's distance from the nearer edge, 0 to 3.
#[inline(always)]
pub(crate) fn from_edge(file: File) -> usize {
    file.index().min(7 - file.index())
}

/// The files beside this one.
#[inline(always)]
pub(crate) fn files_beside(file: File) -> Bitboard {
    file.bitboard().east() | file.bitboard().west()
}
