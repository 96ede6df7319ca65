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
//! The target decides at compile time which one is used; the tests check the magic numbers on every target.

// SAFETY (of the module): `unsafe` is used for the one unchecked look-up, whose index is in range
// by construction (see `Slider::look_up`), and for the PEXT instruction. The look-up is the
// innermost operation of move generation; a bounds check adds 8 % to the instructions of perft.
#![allow(unsafe_code)]

use super::rays::{DIAGONAL, ORTHOGONAL, ray};
use tabiya_core::{Bitboard, Square};

const BISHOP_ENTRIES: usize = 5_248;
const ROOK_ENTRIES: usize = 102_400;
const ENTRIES: usize = BISHOP_ENTRIES + ROOK_ENTRIES;

/// True if the index is computed by PEXT: the target has BMI2 and is known not to be an AMD processor before Zen 3. Those execute
/// PEXT in microcode, which takes tens of nanoseconds, and have neither AVX-512 nor VAES. A target that names an Intel
/// processor has PCLMULQDQ but not SSE4a, which is AMD's.
///
/// `x86-64-v3` includes the slow processors, so it uses magic multiplication.
const USES_PEXT: bool = cfg!(all(
    target_feature = "bmi2",
    any(
        target_feature = "avx512f",
        target_feature = "vaes",
        all(target_feature = "pclmulqdq", not(target_feature = "sse4a"))
    )
));

/// Look-up parameters of a bishop on each square.
static BISHOPS: [Slider; 64] = sliders(&DIAGONAL, &BISHOP_MAGICS, 0);
/// Look-up parameters of a rook on each square.
static ROOKS: [Slider; 64] = sliders(&ORTHOGONAL, &ROOK_MAGICS, BISHOP_ENTRIES as u32);
/// The attacks for each subset of each mask: those of the bishop on a1 first, those of the rook on h8 last.
static ATTACKS: [Bitboard; ENTRIES] = attacks();

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
        unsafe { *ATTACKS.get_unchecked(index) }
    }

    #[inline]
    fn index(&self, occupied: Bitboard) -> usize {
        #[cfg(target_feature = "bmi2")]
        if USES_PEXT {
            // SAFETY: this is compiled only for targets that have BMI2.
            return unsafe { core::arch::x86_64::_pext_u64(occupied.0, self.mask.0) as usize };
        }
        self.magic_index(occupied.0)
    }

    #[inline]
    const fn magic_index(&self, occupied: u64) -> usize {
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

/// Computes [`ATTACKS`].
///
/// The compiler evaluates this at each build, so it does little per entry. A subset of a mask
/// is the union of one subset per direction. Its attacks are the union of theirs, and its unshifted index
/// is the sum of theirs because multiplication distributes over addition.
const fn attacks() -> [Bitboard; ENTRIES] {
    let mut table = [Bitboard::EMPTY; ENTRIES];
    let bishops = sliders(&DIAGONAL, &BISHOP_MAGICS, 0);
    let rooks = sliders(&ORTHOGONAL, &ROOK_MAGICS, BISHOP_ENTRIES as u32);
    let mut index = 0;
    while index < 128 {
        let square = Square::wrapping(index as u8);
        let (slider, directions) =
            if index < 64 { (bishops[index], &DIAGONAL) } else { (rooks[index - 64], &ORTHOGONAL) };
        let subsets = [
            Subsets::new(&slider, square, directions[0]),
            Subsets::new(&slider, square, directions[1]),
            Subsets::new(&slider, square, directions[2]),
            Subsets::new(&slider, square, directions[3]),
        ];
        let (first, second) = (subsets[0].product(&subsets[1]), subsets[2].product(&subsets[3]));
        let offset = slider.offset as usize;
        let mut i = 0;
        while i < first.len {
            let (index, attacks) = first.entries[i];
            let index = index as u128;
            let mut j = 0;
            while j < second.len {
                let entry = second.entries[j];
                // `wrapping_add` by a wider sum: calls cost the compiler most.
                let sum = (index + entry.0 as u128) as u64;
                table[offset + (sum >> slider.shift) as usize] = Bitboard(attacks | entry.1);
                j += 1;
            }
            i += 1;
        }
        index += 1;
    }
    table
}

/// The subsets of a mask in some of its directions, each as (unshifted index, attacks).
struct Subsets {
    entries: [(u64, u64); 64],
    len: usize,
}

impl Subsets {
    /// Returns the subsets of the mask in one direction.
    const fn new(slider: &Slider, square: Square, direction: (i8, i8)) -> Subsets {
        let ray = ray(square, direction).0;
        let mask = ray & slider.mask.0;
        let mut subsets = Subsets { entries: [(0, 0); 64], len: 0 };
        let mut subset = 0u64;
        loop {
            let index = if USES_PEXT {
                pext(subset, slider.mask.0) << slider.shift
            } else {
                subset.wrapping_mul(slider.magic)
            };
            subsets.entries[subsets.len] = (index, up_to_blocker(ray, subset, direction));
            subsets.len += 1;
            // The next subset of the mask (carry-rippler).
            subset = subset.wrapping_sub(mask) & mask;
            if subset == 0 {
                return subsets;
            }
        }
    }

    /// Returns every union of a subset in `self` and one in `other`. Two opposite directions have at most
    /// 2^6 of them on any square.
    const fn product(&self, other: &Subsets) -> Subsets {
        let mut product = Subsets { entries: [(0, 0); 64], len: 0 };
        let mut i = 0;
        while i < self.len {
            let mut j = 0;
            while j < other.len {
                let (a, b) = (self.entries[i], other.entries[j]);
                product.entries[product.len] = (a.0.wrapping_add(b.0), a.1 | b.1);
                product.len += 1;
                j += 1;
            }
            i += 1;
        }
        product
    }
}

/// Returns the part of a ray up to and including the first occupied square.
const fn up_to_blocker(whole_ray: u64, occupied: u64, direction: (i8, i8)) -> u64 {
    let blockers = whole_ray & occupied;
    if blockers == 0 {
        whole_ray
    } else if is_upward(direction) {
        // The bits up to the lowest blocker.
        whole_ray & (blockers ^ (blockers - 1))
    } else {
        // The bits from the highest blocker on.
        whole_ray & (u64::MAX << (63 - blockers.leading_zeros()))
    }
}

/// PEXT in constant evaluation: gathers the bits of `value` under `mask` at the low end.
const fn pext(value: u64, mut mask: u64) -> u64 {
    let mut result = 0;
    let mut bit = 1;
    while mask != 0 {
        if value & mask & mask.wrapping_neg() != 0 {
            result |= bit;
        }
        mask &= mask - 1;
        bit <<= 1;
    }
    result
}

#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x8020_291b_0124_0080, 0x0020_0840_c100_4010, 0xc218_8489_0200_0240, 0x1404_2401_8000_0408,
    0x8001_1040_4040_1200, 0x0218_4808_0400_0005, 0x4080_8808_0210_2000, 0x0002_0090_4818_0404,
    0x0100_1010_1090_8088, 0x0200_0401_4204_0102, 0x0020_1000_c081_0800, 0x1000_2806_0040_00a0,
    0x0000_2c05_2000_8000, 0x0000_0201_0420_4000, 0x0000_8084_0121_1040, 0x0800_8100_8210_0288,
    0x0bc0_0462_8802_1890, 0x8010_0120_8102_0090, 0x0088_8821_0802_0080, 0x14c8_0800_8200_4000,
    0x2811_0018_1140_1808, 0x1040_8001_0801_4002, 0xb148_8880_4648_2021, 0x0c03_0100_8048_2208,
    0x220e_2142_5020_0281, 0x1004_0200_5030_2104, 0x0094_1000_0101_0420, 0x4014_4800_0402_1020,
    0x9410_0400_0080_2101, 0x2108_0381_0810_4400, 0x0840_8880_0108_4800, 0x1080_4200_0286_1140,
    0x0008_0208_0041_0813, 0x1c82_3160_2414_0802, 0x0701_0801_1088_0040, 0x3100_8404_0128_0120,
    0x2104_1040_1014_0100, 0x0000_8810_4002_0100, 0x2064_2094_8102_0822, 0x01f4_2082_0018_8040,
    0x2081_0420_8400_2034, 0x0206_0104_21a0_0202, 0x4000_1201_1000_1100, 0x0580_88e0_1112_4800,
    0xf500_0202_0c00_1204, 0x0002_0240_4200_0301, 0x8004_2404_2401_0040, 0x0242_0802_0023_8884,
    0x0040_880c_10a4_d140, 0x0441_2621_0c20_2100, 0x0110_4022_0110_0840, 0x0100_0008_4202_0884,
    0x0208_1048_3024_0410, 0x0360_0420_080a_4002, 0x0022_a004_0080_8100, 0x20a8_0801_0429_2040,
    0x8000_4200_4c26_4000, 0x8084_0082_2811_0400, 0x0000_28c3_2084_3000, 0x0000_c002_0442_0204,
    0xa002_0040_9242_0208, 0x0001_8004_0448_0200, 0xc000_4042_0481_0200, 0x8044_2048_0041_1240,
];

#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x0080_1080_0020_4000, 0x0840_0810_0020_0044, 0x0100_0840_1100_2000, 0x0100_1001_0020_0804,
    0x0380_0204_0128_0080, 0x0180_1200_8004_0001, 0x1480_0100_1080_0200, 0x4100_0482_1020_4500,
    0x8046_8000_8240_0030, 0x0800_4020_1000_4000, 0x0202_0020_8010_4208, 0x4080_8008_0080_1000,
    0x0029_0005_0010_0800, 0x0002_0004_1002_0008, 0x1004_0002_0401_0810, 0x0420_8000_4100_0080,
    0x4080_0040_2000_4000, 0x2160_00c0_1000_2046, 0x0001_0100_1040_2000, 0x0048_0a00_4020_1200,
    0x3008_0040_4004_0200, 0x002c_0040_0201_0040, 0x0000_0101_0002_0004, 0x8000_0200_0108_a044,
    0x0040_0042_8000_8022, 0x0020_1004_4007_4020, 0x0422_2001_0017_0040, 0x0200_0812_0020_4200,
    0x8000_0400_8008_0080, 0x0001_0023_0004_0008, 0x0330_0804_0050_0142, 0x0082_0082_0009_004c,
    0x0080_2040_0080_0080, 0x04a0_4010_0040_2000, 0x0000_1041_0100_2000, 0x0000_1000_8080_0806,
    0x0606_8108_0080_0402, 0x0004_0004_8080_0200, 0x0006_0001_0200_0884, 0x0004_1040_8200_0904,
    0x2000_4000_6199_8000, 0x9000_d000_2000_c000, 0x0410_0028_0400_2000, 0x0044_4008_1202_0020,
    0x0900_1100_0801_0004, 0x0042_2004_4008_0110, 0x0000_8802_1084_0001, 0x0291_0120_8042_0004,
    0x0040_4000_8000_2480, 0x0040_1000_2000_4040, 0x1020_8042_0026_1200, 0x0800_2010_0300_0900,
    0x0004_0400_0800_8080, 0x0004_0002_0080_0480, 0x0018_4190_4802_0400, 0x3404_0402_8661_0200,
    0xc803_a080_0040_9103, 0xa010_2200_8100_104a, 0x0020_8812_c020_0101, 0x0804_0861_0050_0045,
    0x0002_0020_9108_0402, 0x820a_0010_c108_0422, 0x0000_2210_0098_0104, 0xe200_0081_0034_0042,
];

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
