//! Finds the magic numbers of the slider tables anew and prints them as Rust arrays.
//!
//! Sparse random numbers are tried until one sends all subsets of the square's mask to the right
//! entries. After Pradyumna Kannan, *Magic Move-Bitboard Generation in Computer Chess* (2007).

use std::collections::HashSet;
use tabiya_core::{Bitboard, Square};

const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];

fn main() {
    let mut random = SplitMix(0x7461_6269_7961_0001);
    for (name, directions) in [("ROOK", ORTHOGONAL), ("BISHOP", DIAGONAL)] {
        println!("const {name}_MAGICS: [u64; 64] = [");
        for square in Square::ALL {
            println!("    {:#018x},", find(square, &directions, &mut random));
        }
        println!("];");
    }
}

fn find(square: Square, directions: &[(i8, i8); 4], random: &mut SplitMix) -> u64 {
    let mask = mask(square, directions);
    let shift = 64 - mask.count();
    let subsets: Vec<(u64, Bitboard)> =
        mask.subsets().map(|subset| (subset.0, walk(square, subset, directions))).collect();
    loop {
        let magic = random.next() & random.next() & random.next();
        let mut table = vec![None; subsets.len()];
        let fits = subsets.iter().all(|&(subset, reach)| {
            let entry = &mut table[(subset.wrapping_mul(magic) >> shift) as usize];
            *entry.get_or_insert(reach) == reach
        });
        if fits {
            return magic;
        }
    }
}

/// The squares whose occupation matters: all that a slider reaches but the last on each ray.
fn mask(square: Square, directions: &[(i8, i8); 4]) -> Bitboard {
    let reach = walk(square, Bitboard::EMPTY, directions);
    let last: HashSet<Square> = directions
        .iter()
        .filter_map(|&(files, ranks)| {
            std::iter::successors(square.offset(files, ranks), |at| at.offset(files, ranks)).last()
        })
        .collect();
    reach - last.into_iter().collect::<Bitboard>()
}

fn walk(square: Square, occupied: Bitboard, directions: &[(i8, i8); 4]) -> Bitboard {
    let mut reach = Bitboard::EMPTY;
    for &(files, ranks) in directions {
        let mut at = square;
        while let Some(next) = at.offset(files, ranks) {
            reach |= next.bitboard();
            if occupied.contains(next) {
                break;
            }
            at = next;
        }
    }
    reach
}

struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
