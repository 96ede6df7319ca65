//! Cache of the attack tables by king square: everything the legality computation looks up about a king,
//! in one cache line.

use super::leapers::{king_attacks, knight_attacks, pawn_attacks};
use super::rays::{anti_diagonal, bishop_rays, diagonal, rook_rays};
use tabiya_core::{Bitboard, Color, Square};

/// The attack tables' entries for one king square.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(crate) struct KingAttackCache {
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

static KING_ATTACK_CACHES: [KingAttackCache; 64] = king_attack_caches();

const fn king_attack_caches() -> [KingAttackCache; 64] {
    let mut table = [KingAttackCache::new(Square::A1); 64];
    let mut index = 0;
    while index < 64 {
        table[index] = KingAttackCache::new(Square::wrapping(index as u8));
        index += 1;
    }
    table
}

impl KingAttackCache {
    const fn new(square: Square) -> KingAttackCache {
        KingAttackCache {
            rook_rays: rook_rays(square),
            bishop_rays: bishop_rays(square),
            knight_attacks: knight_attacks(square),
            king_attacks: king_attacks(square),
            pawn_attacks: [pawn_attacks(Color::White, square), pawn_attacks(Color::Black, square)],
            diagonal: diagonal(square),
            anti_diagonal: anti_diagonal(square),
        }
    }

    /// Returns the entry for a king on this square.
    #[inline]
    pub(crate) fn of(king: Square) -> &'static KingAttackCache {
        &KING_ATTACK_CACHES[king.index()]
    }
}
