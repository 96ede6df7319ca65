//! Computes the attacks of bishops and rooks for each subset of their masks: `tables::sliders` describes the table and includes it.

use std::env;
use std::fs;
use std::path::Path;

#[path = "src/tables/magics.rs"]
mod magics;

/// Steps in files and ranks.
type Directions = [(i32, i32); 4];

const DIAGONAL: Directions = [(1, 1), (-1, -1), (1, -1), (-1, 1)];
const ORTHOGONAL: Directions = [(1, 0), (-1, 0), (0, 1), (0, -1)];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tables/magics.rs");
    println!("cargo::rustc-check-cfg=cfg(pext)");
    let target = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    // There are 32-bit targets with BMI2, and PEXT of 64 bits needs a 64-bit one.
    let uses_pext = target("ARCH") == "x86_64" && has_fast_pext(&target("FEATURE"));
    if uses_pext {
        println!("cargo::rustc-cfg=pext");
    }
    let big_endian = target("ENDIAN") == "big";
    let mut table = Vec::new();
    for (directions, magics) in [(DIAGONAL, magics::BISHOP_MAGICS), (ORTHOGONAL, magics::ROOK_MAGICS)] {
        for (square, magic) in (0..64).zip(magics) {
            let magic = (!uses_pext).then_some(magic);
            for attacks in entries(square, &directions, magic) {
                table.extend(if big_endian { attacks.to_be_bytes() } else { attacks.to_le_bytes() });
            }
        }
    }
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("slider_attacks.bin"), table).expect("OUT_DIR is writable");
}

/// Returns true if the target has BMI2 and is known not to be an AMD processor before Zen 3. Those execute
/// PEXT in microcode, which takes tens of nanoseconds, and have neither AVX-512 nor VAES. A target that names an Intel
/// processor has PCLMULQDQ but not SSE4a, which is AMD's.
///
/// `x86-64-v3` includes the slow processors, so it uses magic multiplication.
fn has_fast_pext(features: &str) -> bool {
    let has = |name| features.split(',').any(|feature| feature == name);
    has("bmi2") && (has("avx512f") || has("vaes") || has("pclmulqdq") && !has("sse4a"))
}

/// Returns the attacks from a square for each subset of its mask, in the order of the magic index, or without a magic number in that of
/// PEXT.
fn entries(square: i32, directions: &Directions, magic: Option<u64>) -> Vec<u64> {
    let mask = mask(square, directions);
    let mut entries = vec![0; 1 << mask.count_ones()];
    let mut subset = 0u64;
    for number in 0..entries.len() {
        // Subsets are enumerated in ascending order (carry-rippler), so the number of one is its PEXT.
        let index =
            magic.map_or(number, |magic| (subset.wrapping_mul(magic) >> (64 - mask.count_ones())) as usize);
        entries[index] = attacks(square, subset, directions);
        subset = subset.wrapping_sub(mask) & mask;
    }
    entries
}

/// Returns the squares whose occupancy matters: those attacked on an empty board, except the last in each direction.
fn mask(square: i32, directions: &Directions) -> u64 {
    let rays = directions.iter().map(|&step| walk(square, step, 0));
    rays.map(|ray| ray.iter().rev().skip(1).fold(0, |mask, square| mask | 1 << square)).sum()
}

/// Returns the attacked squares.
fn attacks(square: i32, occupied: u64, directions: &Directions) -> u64 {
    directions
        .iter()
        .flat_map(|&step| walk(square, step, occupied))
        .fold(0, |squares, square| squares | 1 << square)
}

/// Returns the squares in one direction up to the first occupied one or the edge.
fn walk(square: i32, (files, ranks): (i32, i32), occupied: u64) -> Vec<i32> {
    let (mut file, mut rank) = (square % 8 + files, square / 8 + ranks);
    let mut squares = Vec::new();
    while (0..8).contains(&file) && (0..8).contains(&rank) {
        squares.push(8 * rank + file);
        if occupied & 1 << (8 * rank + file) != 0 {
            break;
        }
        file += files;
        rank += ranks;
    }
    squares
}
