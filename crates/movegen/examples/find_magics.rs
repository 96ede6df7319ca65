//! Finds the magic numbers of the slider tables and prints them as Rust arrays.
//!
//! Sparse random numbers are tried until one maps the subsets of the square's mask to indices so that only subsets with equal attacks collide.
//! The seed is fixed, so the output is always the same. Any such numbers work in `src/tables/magics.rs`.
//!
//! Source: Pradyumna Kannan, *Magic Move-Bitboard Generation in Computer Chess* (2007).

use std::collections::HashSet;
use tabiya_core::{Bitboard, SplitMix64, Square};

const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];

fn main() {
    let mut random = SplitMix64::new(0x7461_6269_7961_0001);
    for (name, directions) in [("ROOK", ORTHOGONAL), ("BISHOP", DIAGONAL)] {
        println!("const {name}_MAGICS: [u64; 64] = [");
        for square in Square::ALL {
            println!("    {:#018x},", find_magic(square, &directions, &mut random));
        }
        println!("];");
    }
}

fn find_magic(square: Square, directions: &[(i8, i8); 4], random: &mut SplitMix64) -> u64 {
    let mask = mask(square, directions);
    let shift = 64 - mask.count();
    let subsets: Vec<(u64, Bitboard)> =
        mask.subsets().map(|subset| (subset.0, attacks(square, subset, directions))).collect();
    loop {
        let magic = random.next_u64() & random.next_u64() & random.next_u64();
        let mut table = vec![None; subsets.len()];
        let fits = subsets.iter().all(|&(subset, attacks)| {
            let entry = &mut table[(subset.wrapping_mul(magic) >> shift) as usize];
            *entry.get_or_insert(attacks) == attacks
        });
        if fits {
            return magic;
        }
    }
}

/// Returns the squares whose occupancy matters: those a slider attacks on an empty board, except the last on each
/// ray.
fn mask(square: Square, directions: &[(i8, i8); 4]) -> Bitboard {
    let attacks = attacks(square, Bitboard::EMPTY, directions);
    let last: HashSet<Square> = directions
        .iter()
        .filter_map(|&(files, ranks)| {
            std::iter::successors(square.offset(files, ranks), |at| at.offset(files, ranks)).last()
        })
        .collect();
    attacks - last.into_iter().collect::<Bitboard>()
}

/// Walks each direction up to the first occupied square.
fn attacks(square: Square, occupied: Bitboard, directions: &[(i8, i8); 4]) -> Bitboard {
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
