//! Straight lines on an empty board: rays from a square, the squares between two squares, and the whole
//! line through two squares.

use tabiya_core::{Bitboard, Square};

pub(crate) const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub(crate) const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];

/// Returns the squares in one direction (files, ranks) from `from`, exclusive, to the edge of the board.
pub(crate) const fn ray(from: Square, (files, ranks): (i8, i8)) -> Bitboard {
    // Plain numbers: the compiler evaluates this thousands of times, and calls cost it most.
    let (mut file, mut rank) = (from.index() as i8 % 8 + files, from.index() as i8 / 8 + ranks);
    let mut squares = 0;
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        squares |= 1 << (8 * rank + file);
        file += files;
        rank += ranks;
    }
    Bitboard(squares)
}

/// Returns, for each square, the union of its rays in these directions.
const fn rays(directions: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < directions.len() {
            let squares = ray(Square::wrapping(from), directions[direction]);
            table[from as usize] = table[from as usize].with(squares);
            direction += 1;
        }
        from += 1;
    }
    table
}

static ROOK_RAYS: [Bitboard; 64] = rays(&ORTHOGONAL);
static BISHOP_RAYS: [Bitboard; 64] = rays(&DIAGONAL);
/// The line from the lower left to the upper right through each square.
static DIAGONALS: [Bitboard; 64] = rays(&[DIAGONAL[0], DIAGONAL[1]]);
/// The line from the upper left to the lower right through each square.
static ANTI_DIAGONALS: [Bitboard; 64] = rays(&[DIAGONAL[2], DIAGONAL[3]]);

/// Tables by pairs of squares.
struct Lines {
    /// The squares strictly between the two; empty if they share no line.
    between: [[Bitboard; 64]; 64],
    /// The whole line through the two, edge to edge; empty if they share none.
    through: [[Bitboard; 64]; 64],
}

static LINES: Lines = lines();

const fn lines() -> Lines {
    let mut lines = Lines { between: [[Bitboard::EMPTY; 64]; 64], through: [[Bitboard::EMPTY; 64]; 64] };
    let directions = [
        ORTHOGONAL[0], ORTHOGONAL[2], DIAGONAL[0], DIAGONAL[2], ORTHOGONAL[1], ORTHOGONAL[3], DIAGONAL[1],
        DIAGONAL[3],
    ];
    let mut index = 0;
    while index < 64 {
        let from = Square::wrapping(index);
        let mut direction = 0;
        while direction < 8 {
            let step = directions[direction];
            let whole = ray(from, step).with(ray(from, (-step.0, -step.1))).with(from.bitboard());
            let mut between = Bitboard::EMPTY;
            let mut square = from;
            while let Some(next) = square.offset(step.0, step.1) {
                lines.between[from.index()][next.index()] = between;
                lines.through[from.index()][next.index()] = whole;
                between = between.with(next.bitboard());
                square = next;
            }
            direction += 1;
        }
        index += 1;
    }
    lines
}

#[inline]
pub(crate) const fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

#[inline]
pub(crate) const fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

#[inline]
pub(crate) const fn diagonal(square: Square) -> Bitboard {
    DIAGONALS[square.index()]
}

#[inline]
pub(crate) const fn anti_diagonal(square: Square) -> Bitboard {
    ANTI_DIAGONALS[square.index()]
}

#[inline]
pub(crate) fn between(a: Square, b: Square) -> Bitboard {
    LINES.between[a.index()][b.index()]
}

#[inline]
pub(crate) fn line(a: Square, b: Square) -> Bitboard {
    LINES.through[a.index()][b.index()]
}
