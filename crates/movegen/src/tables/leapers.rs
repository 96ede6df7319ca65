//! Attacks of pawns, knights and kings, which do not depend on the occupancy.

use tabiya_core::{Bitboard, Color, Square};

/// Returns the table of a piece that makes these steps, each of (files, ranks).
const fn leaper_attacks(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut step = 0;
        while step < steps.len() {
            if let Some(to) = Square::wrapping(from).offset(steps[step].0, steps[step].1) {
                table[from as usize] = table[from as usize].with(to.bitboard());
            }
            step += 1;
        }
        from += 1;
    }
    table
}

static PAWN_ATTACKS: [[Bitboard; 64]; 2] =
    [leaper_attacks(&[(-1, 1), (1, 1)]), leaper_attacks(&[(-1, -1), (1, -1)])];

static KNIGHT_ATTACKS: [Bitboard; 64] =
    leaper_attacks(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);

static KING_ATTACKS: [Bitboard; 64] =
    leaper_attacks(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);

#[inline]
pub(crate) const fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN_ATTACKS[color.index()][square.index()]
}

#[inline]
pub(crate) const fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT_ATTACKS[square.index()]
}

#[inline]
pub(crate) const fn king_attacks(square: Square) -> Bitboard {
    KING_ATTACKS[square.index()]
}
