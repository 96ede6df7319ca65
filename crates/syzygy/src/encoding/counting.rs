//! Compile-time tables for the index of a position: binomial coefficients, and the indices of the leading pieces' squares.

use crate::material::MAX_PIECES;

/// Binomial coefficients: `BINOMIAL[k][n]` ways to choose k of n.
pub(super) static BINOMIAL: [[u64; 64]; MAX_PIECES] = binomials();

const fn binomials() -> [[u64; 64]; MAX_PIECES] {
    let mut table = [[0; 64]; MAX_PIECES];
    let mut n = 0;
    while n < 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k < MAX_PIECES && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The ten squares of the triangle a1-d1-d4, to which symmetry maps the first piece; the six below the diagonal first.
const TRIANGLE: [u8; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];
/// The index of each square in [`TRIANGLE`]; 0 for the other squares.
pub(super) static IN_TRIANGLE: [u8; 64] = indices_of(&TRIANGLE);

const fn indices_of(squares: &[u8]) -> [u8; 64] {
    let mut indices = [0; 64];
    let mut index = 0;
    while index < squares.len() {
        indices[squares[index] as usize] = index as u8;
        index += 1;
    }
    indices
}

/// The entry of [`KING_PAIR_INDEX`] for impossible pairs.
pub(super) const ILLEGAL_KING_PAIR: u16 = u16::MAX;
/// The number of placements of two kings, up to symmetry.
pub(super) const KING_PAIRS: u64 = 462;
/// The number of placements of three different pieces, up to symmetry.
pub(super) const TRIPLES: u64 = 31_332;
/// The index of a pair of kings, by the triangle index of the first and the square of the second.
///
/// The second is not adjacent, and not above the diagonal if the first is on it. Pairs on the diagonal come last.
pub(super) static KING_PAIR_INDEX: [[u16; 64]; 10] = king_pairs();

const fn king_pairs() -> [[u16; 64]; 10] {
    let mut table = [[ILLEGAL_KING_PAIR; 64]; 10];
    let mut index = 0;
    let mut both_on_diagonal = 0;
    while both_on_diagonal < 2 {
        let mut first = 0;
        while first < TRIANGLE.len() {
            let (file, rank) = (TRIANGLE[first] % 8, TRIANGLE[first] / 8);
            let mut square = 0;
            while square < 64 {
                let (other_file, other_rank) = (square % 8, square / 8);
                let adjacent = file.abs_diff(other_file) <= 1 && rank.abs_diff(other_rank) <= 1;
                let above = file == rank && other_rank > other_file;
                let diagonal = file == rank && other_rank == other_file;
                if !adjacent && !above && diagonal == (both_on_diagonal == 1) {
                    table[first][square as usize] = index;
                    index += 1;
                }
                square += 1;
            }
            first += 1;
        }
        both_on_diagonal += 1;
    }
    assert!(index as u64 == KING_PAIRS);
    table
}

/// The index of each of the 28 squares below the diagonal; a square above it has the index of its mirror image.
pub(super) static BELOW_DIAGONAL: [u8; 64] = below_diagonal();

const fn below_diagonal() -> [u8; 64] {
    let mut indices = [0; 64];
    let mut index = 0;
    let mut low = 0;
    while low < 8 {
        let mut high = low + 1;
        while high < 8 {
            indices[low * 8 + high] = index;
            indices[high * 8 + low] = index;
            index += 1;
            high += 1;
        }
        low += 1;
    }
    indices
}

/// The order of the 48 pawn squares, higher towards the edges of the board and the second rank.
pub(super) static PAWN_ORDER: [u8; 64] = pawn_order();

const fn pawn_order() -> [u8; 64] {
    let mut order = [0; 64];
    let mut next = 48;
    let mut file = 0;
    while file < 4 {
        let mut rank = 1;
        while rank < 7 {
            next -= 2;
            order[rank * 8 + file] = next + 1;
            order[rank * 8 + 7 - file] = next;
            rank += 1;
        }
        file += 1;
    }
    order
}

/// The number of placements of the leading pawns that precede a square of the first pawn on its file, by the number of pawns
/// less one and the square's index.
pub(super) static LEADING_PAWN_INDEX: [[u64; 24]; 5] = leading_pawns().0;
/// The number of placements of the leading pawns, by their number less one and the file of the first.
pub(super) static LEADING_PAWN_PLACEMENTS: [[u64; 4]; 5] = leading_pawns().1;

const fn leading_pawns() -> ([[u64; 24]; 5], [[u64; 4]; 5]) {
    let binomial = binomials();
    let order = pawn_order();
    let mut before = [[0; 24]; 5];
    let mut in_file = [[0; 4]; 5];
    let mut others = 0;
    while others < 5 {
        let mut file = 0;
        while file < 4 {
            let mut sum = 0;
            let mut rank = 0;
            while rank < 6 {
                before[others][file * 6 + rank] = sum;
                sum += binomial[others][order[(rank + 1) * 8 + file] as usize];
                rank += 1;
            }
            in_file[others][file] = sum;
            file += 1;
        }
        others += 1;
    }
    (before, in_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_match_the_format() {
        assert_eq!((BINOMIAL[2][64 - 1], BINOMIAL[6][48]), (1953, 12_271_512));
        assert_eq!(
            (KING_PAIR_INDEX[0][3], KING_PAIR_INDEX[6][2], KING_PAIR_INDEX[6][18], KING_PAIR_INDEX[9][63]),
            (0, 339, 441, 461)
        );
        assert_eq!((IN_TRIANGLE[0], IN_TRIANGLE[1], IN_TRIANGLE[27]), (6, 0, 9));
        assert_eq!((BELOW_DIAGONAL[8], BELOW_DIAGONAL[55], BELOW_DIAGONAL[62]), (0, 27, 27));
        assert_eq!((PAWN_ORDER[8], PAWN_ORDER[15], PAWN_ORDER[16], PAWN_ORDER[51]), (47, 46, 45, 1));
        assert_eq!(LEADING_PAWN_PLACEMENTS[0], [6; 4]);
        // All placements of two pawns on 48 squares, up to reflection.
        assert_eq!(LEADING_PAWN_PLACEMENTS[1].iter().sum::<u64>(), 576);
    }
}
