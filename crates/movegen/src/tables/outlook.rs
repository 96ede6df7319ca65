//! What a king looks out on from its square: everything that the legality of moves asks about it, side
//! by side in one line of the processor's cache.

use super::leapers::{king_attacks, knight_attacks, pawn_attacks};
use super::rays::{anti_diagonal, bishop_rays, diagonal, rook_rays};
use tabiya_core::{Bitboard, Color, Square};

#[repr(align(64))]
#[derive(Clone, Copy)]
pub(crate) struct Outlook {
    pub(crate) rook_rays: Bitboard,
    pub(crate) bishop_rays: Bitboard,
    pub(crate) knight_attacks: Bitboard,
    pub(crate) king_attacks: Bitboard,
    /// The squares that a pawn of each colour would attack from here.
    pub(crate) pawn_attacks: [Bitboard; 2],
    /// The diagonal through the square from the lower left to the upper right.
    pub(crate) diagonal: Bitboard,
    /// The diagonal through the square from the upper left to the lower right.
    pub(crate) anti_diagonal: Bitboard,
}

static OUTLOOKS: [Outlook; 64] = outlooks();

const fn outlooks() -> [Outlook; 64] {
    let mut table = [Outlook::from(Square::A1); 64];
    let mut index = 0;
    while index < 64 {
        table[index] = Outlook::from(Square::wrapping(index as u8));
        index += 1;
    }
    table
}

impl Outlook {
    const fn from(square: Square) -> Outlook {
        Outlook {
            rook_rays: rook_rays(square),
            bishop_rays: bishop_rays(square),
            knight_attacks: knight_attacks(square),
            king_attacks: king_attacks(square),
            pawn_attacks: [pawn_attacks(Color::White, square), pawn_attacks(Color::Black, square)],
            diagonal: diagonal(square),
            anti_diagonal: anti_diagonal(square),
        }
    }

    /// What a king on this square looks out on.
    #[inline]
    pub(crate) fn of(king: Square) -> &'static Outlook {
        &OUTLOOKS[king.index()]
    }
}
