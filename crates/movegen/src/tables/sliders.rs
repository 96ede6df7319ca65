//! Bishop and rook attacks: one look-up in a table indexed by the relevant occupancy (magic bitboards).
//!
//! The relevant squares, the *mask*, are those on the piece's rays except the last of each ray, where a piece
//! blocks nothing: 5 to 12 squares. Each subset of a mask has an entry in [`ATTACKS`], whose index is computed
//! in one of two ways:
//!
//! - **PEXT**, where the target is known to have a fast one: one instruction gathers the bits of the mask.
//! - **Magic multiplication** elsewhere: the high bits of the product of the subset and a magic number
//!   differ between any two subsets with different attacks. `examples/find_magics.rs` found the numbers.
//!
//! The build script decides by the target which one is used (`cfg(pext)`) and computes [`ATTACKS`]: as a program it does so in
//! milliseconds, while the compiler takes half a second to evaluate the table as a constant. The tests check the magic numbers on every target.

// SAFETY (of the module): `unsafe` is used for the one unchecked look-up, whose index is in range
// by construction (see `Slider::look_up`), for the PEXT instruction, and to read the bytes of the table as numbers. The look-up is the
// innermost operation of move generation; a bounds check adds 8 % to the instructions of perft.
#![allow(unsafe_code)]

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::rays::{DIAGONAL, ORTHOGONAL, ray};
use core::mem::transmute;
use tabiya_core::{Bitboard, Square};

const BISHOP_ENTRIES: usize = 5_248;
const ROOK_ENTRIES: usize = 102_400;
const ENTRIES: usize = BISHOP_ENTRIES + ROOK_ENTRIES;

/// Look-up parameters of a bishop on each square.
static BISHOPS: [Slider; 64] = sliders(&DIAGONAL, &BISHOP_MAGICS, 0);
/// Look-up parameters of a rook on each square.
static ROOKS: [Slider; 64] = sliders(&ORTHOGONAL, &ROOK_MAGICS, BISHOP_ENTRIES as u32);
/// The attacks for each subset of each mask: those of the bishop on a1 first, those of the rook on h8 last.
// SAFETY: every sequence of bytes is an array of numbers.
static ATTACKS: [u64; ENTRIES] = unsafe {
    transmute::<[u8; 8 * ENTRIES], _>(*include_bytes!(concat!(env!("OUT_DIR"), "/slider_attacks.bin")))
};

/// Returns the squares that a bishop on `square` attacks, given the occupied squares.
#[inline]
pub(crate) fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOPS[square.index()].look_up(occupied)
}

/// Returns the squares that a rook on `square` attacks, given the occupied squares.
#[inline]
pub(crate) fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ROOKS[square.index()].look_up(occupied)
}

/// Look-up parameters of one slider on one square.
#[derive(Clone, Copy)]
#[cfg_attr(pext, allow(dead_code))]
struct Slider {
    /// The squares whose occupancy matters.
    mask: Bitboard,
    /// Magic number, unused with PEXT.
    magic: u64,
    /// Index of the first of its entries in [`ATTACKS`].
    offset: u32,
    /// 64 minus the number of squares in `mask`.
    shift: u32,
}

impl Slider {
    #[inline]
    fn look_up(&self, occupied: Bitboard) -> Bitboard {
        let index = self.offset as usize + self.index(occupied);
        debug_assert!(index < ENTRIES);
        // SAFETY: `self.index` has n bits and is below 2^n, and `offset` is the sum of 2^n over the
        // squares (and pieces) before this one; the sum over all is `ENTRIES`. `offset` is computed at
        // compile time; the test `every_entry_is_in_range` checks it.
        Bitboard(unsafe { *ATTACKS.get_unchecked(index) })
    }

    #[inline]
    fn index(&self, occupied: Bitboard) -> usize {
        #[cfg(pext)]
        // SAFETY: this is compiled only for targets that have BMI2.
        return unsafe { core::arch::x86_64::_pext_u64(occupied.0, self.mask.0) as usize };
        #[cfg(not(pext))]
        self.magic_index(occupied.0)
    }

    #[cfg(any(test, not(pext)))]
    #[inline]
    fn magic_index(&self, occupied: u64) -> usize {
        ((occupied & self.mask.0).wrapping_mul(self.magic) >> self.shift) as usize
    }
}

/// Returns the look-up parameters of a piece with these directions; its entries start at `offset`.
const fn sliders(directions: &[(i8, i8); 4], magics: &[u64; 64], mut offset: u32) -> [Slider; 64] {
    let mut table = [Slider { mask: Bitboard::EMPTY, magic: 0, offset: 0, shift: 0 }; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::wrapping(index);
        let mut mask = 0;
        let mut direction = 0;
        while direction < 4 {
            // The last square of a ray is left out: a piece there blocks nothing.
            let squares = ray(square, directions[direction]).0;
            let last = match squares {
                0 => 0,
                _ if is_upward(directions[direction]) => 1 << (63 - squares.leading_zeros()),
                _ => squares & squares.wrapping_neg(),
            };
            mask |= squares & !last;
            direction += 1;
        }
        let bits = mask.count_ones();
        table[index as usize] =
            Slider { mask: Bitboard(mask), magic: magics[index as usize], offset, shift: 64 - bits };
        offset += 1 << bits;
        index += 1;
    }
    table
}

/// Returns true if steps in this direction make square indices larger.
const fn is_upward((files, ranks): (i8, i8)) -> bool {
    ranks * 8 + files > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Step width through the subsets: all of them, except under Miri, where that takes minutes.
    const STEP: usize = if cfg!(miri) { 61 } else { 1 };

    /// Reference implementation: walks each direction up to the first occupied square.
    fn slow_attacks(square: Square, occupied: Bitboard, directions: &[(i8, i8); 4]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for &(files, ranks) in directions {
            let mut at = square;
            while let Some(next) = at.offset(files, ranks) {
                attacks |= next.bitboard();
                if occupied.contains(next) {
                    break;
                }
                at = next;
            }
        }
        attacks
    }

    #[test]
    fn attacks_of_every_subset_match_reference() {
        for square in Square::ALL {
            for subset in BISHOPS[square.index()].mask.subsets().step_by(STEP) {
                assert_eq!(
                    bishop_attacks(square, subset),
                    slow_attacks(square, subset, &DIAGONAL),
                    "{square}"
                );
            }
            for subset in ROOKS[square.index()].mask.subsets().step_by(STEP) {
                assert_eq!(
                    rook_attacks(square, subset),
                    slow_attacks(square, subset, &ORTHOGONAL),
                    "{square}"
                );
            }
        }
    }

    #[test]
    fn every_entry_is_in_range() {
        let mut offset = 0;
        for slider in BISHOPS.iter().chain(&ROOKS) {
            assert_eq!(slider.offset as usize, offset);
            assert_eq!(64 - slider.shift, slider.mask.count());
            offset += 1 << slider.mask.count();
        }
        assert_eq!(offset, ENTRIES);
    }

    #[test]
    fn ignores_squares_outside_the_mask() {
        for square in Square::ALL {
            let outside = !ROOKS[square.index()].mask;
            assert_eq!(rook_attacks(square, outside), rook_attacks(square, Bitboard::EMPTY));
            let outside = !BISHOPS[square.index()].mask;
            assert_eq!(bishop_attacks(square, outside), bishop_attacks(square, Bitboard::EMPTY));
        }
    }

    /// Covers targets that use PEXT too.
    #[test]
    fn magics_have_no_collision() {
        for (slider, directions) in
            BISHOPS.iter().map(|s| (s, &DIAGONAL)).chain(ROOKS.iter().map(|s| (s, &ORTHOGONAL)))
        {
            let square = Square::ALL
                [BISHOPS.iter().chain(&ROOKS).position(|other| core::ptr::eq(other, slider)).unwrap() % 64];
            let mut seen = vec![None; 1 << slider.mask.count()];
            for subset in slider.mask.subsets().step_by(STEP) {
                let attacks = slow_attacks(square, subset, directions);
                let entry = &mut seen[slider.magic_index(subset.0)];
                assert_eq!(*entry.get_or_insert(attacks), attacks);
            }
        }
    }
}
