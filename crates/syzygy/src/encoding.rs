//! The index of a position within a table.
//!
//! Positions that are rotations or reflections of each other share an index (eight symmetries, two with pawns), and so do
//! positions that differ only in the order of equal pieces.

mod counting;

use crate::error::TableFault;
use crate::material::{MAX_PIECES, Material};
use counting::{
    BELOW_DIAGONAL, BINOMIAL, ILLEGAL_KING_PAIR, IN_TRIANGLE, KING_PAIR_INDEX, KING_PAIRS,
    LEADING_PAWN_INDEX, LEADING_PAWN_PLACEMENTS, PAWN_ORDER, TRIPLES,
};
use tabiya_core::{Board, Color, PieceType};

/// Square indices (0 is a1), in the piece order of the encoding.
pub(super) type Squares = [u8; MAX_PIECES];

/// Returns the file index of a square folded to a-d: 0 for a and h, 3 for d and e.
fn folded_file(square: u8) -> u8 {
    let file = square & 7;
    file.min(7 - file)
}

/// Returns the index, 0 to 23, of a leading pawn's square: by folded file, then by rank.
fn leading_pawn_square(square: u8) -> u8 {
    folded_file(square) * 6 + (square >> 3) - 1
}

/// A piece code as stored in the files: the piece type, 1 (pawn) to 6 (king), in the lower three bits, the side in bit 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Code(u8);

impl Code {
    fn new(bits: u8) -> Option<Code> {
        (1..=6).contains(&(bits & 7)).then_some(Code(bits))
    }

    fn piece_type(self) -> PieceType {
        PieceType::ALL[usize::from((self.0 & 7) - 1)]
    }

    /// Returns 0 for the first side of the table's name, 1 for the second.
    fn side(self) -> usize {
        usize::from(self.0 >> 3)
    }
}

/// The properties of a table's material that determine the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    material: Material,
    /// Number of pawns of the leading side, then of the other side.
    pub(super) pawns: [usize; 2],
    /// The side whose pawns come first in the encoding: the one with fewer pawns (but at least one), the first side if equal.
    leading_side: usize,
}

impl Shape {
    pub(super) fn new(material: Material) -> Shape {
        let [first, second] = [0, 1].map(|side| material.count(side, PieceType::Pawn));
        let swap = second > 0 && (first == 0 || first > second);
        let (pawns, leading_side) = if swap { ([second, first], 1) } else { ([first, second], 0) };
        Shape { material, pawns, leading_side }
    }

    /// Returns the number of sub-tables: four with pawns (by folded file of the leading pawn), otherwise one.
    pub(super) fn files(&self) -> usize {
        if self.pawns[0] > 0 { 4 } else { 1 }
    }

    pub(super) fn pieces(&self) -> usize {
        self.material.pieces()
    }

    /// Returns the number of bytes that describe the encoding of one sub-table.
    pub(super) fn encoding_bytes(&self) -> usize {
        1 + usize::from(self.pawns[1] > 0) + self.pieces()
    }

    /// Returns the number of leading pieces, which share one factor of the index.
    fn leaders(&self) -> usize {
        match self.pawns[0] {
            0 if self.material.unique_pieces() == 2 => 2,
            0 => 3,
            pawns => pawns,
        }
    }

    /// Returns the sub-table of a position. `first` is the colour that plays the first side of the table's name.
    pub(super) fn file_of(&self, board: &Board, first: Color) -> usize {
        if self.pawns[0] == 0 {
            return 0;
        }
        let color = if self.leading_side == 0 { first } else { !first };
        // The leading pawn is the one nearest to the edge of the board.
        let pawns = board.pieces(color, PieceType::Pawn);
        pawns.into_iter().map(|square| folded_file(square.index() as u8)).min().unwrap_or(0).into()
    }
}

/// A group of equal pieces, which share one factor of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Group {
    start: usize,
    count: usize,
    factor: u64,
}

/// The mapping from positions to indices of one sub-table.
#[derive(Debug)]
pub(super) struct Encoding {
    shape: Shape,
    codes: [Code; MAX_PIECES],
    leaders: usize,
    factor: u64,
    /// The pieces after the leaders; the other side's pawns first, if any.
    groups: Vec<Group>,
    /// Number of indices.
    pub(super) size: u64,
}

impl Encoding {
    /// Reads the encoding of a sub-table. Each byte holds one nibble per side to move: `shift` is 0 or 4.
    pub(super) fn read(shape: Shape, file: usize, bytes: &[u8], shift: u32) -> Result<Encoding, TableFault> {
        let damaged = TableFault::Content { what: "piece order" };
        let nibble = |index: usize| bytes.get(index).map(|byte| byte >> shift & 15);
        let [pieces, leaders, other_pawns] = [shape.pieces(), shape.leaders(), shape.pawns[1]];
        let order = nibble(0).ok_or_else(|| damaged.clone())?;
        let pawn_order = if other_pawns > 0 { nibble(1) } else { None };
        let first = 1 + usize::from(other_pawns > 0);
        let mut codes = [Code(6); MAX_PIECES];
        for (index, code) in codes.iter_mut().enumerate().take(pieces) {
            *code = nibble(first + index).and_then(Code::new).ok_or_else(|| damaged.clone())?;
        }
        let mut encoding = Encoding { shape, codes, leaders, factor: 0, groups: Vec::new(), size: 0 };
        if !encoding.is_consistent() {
            return Err(damaged);
        }
        encoding.compute_factors(file, order.into(), pawn_order.map(usize::from)).ok_or(damaged)?;
        Ok(encoding)
    }

    /// Returns true if the pieces are those of the table's name, equal ones are adjacent, and the leading pieces are valid: the
    /// leading side's pawns and then the other side's, or without pawns three pieces that are the only ones
    /// of their type on their side (two if only the kings are).
    fn is_consistent(&self) -> bool {
        let pieces = self.shape.pieces();
        let mut index = 0;
        let mut seen: Vec<Code> = Vec::new();
        while index < pieces {
            let code = self.codes[index];
            let count = self.shape.material.count(code.side(), code.piece_type());
            let adjacent = count > 0
                && index + count <= pieces
                && self.codes[index..index + count].iter().all(|&other| other == code);
            // Without pawns each leader is the only piece of its type on its side.
            let valid_leader = self.shape.pawns[0] > 0 || index >= self.leaders || count == 1;
            if !adjacent || !valid_leader || seen.contains(&code) {
                return false;
            }
            seen.push(code);
            index += count;
        }
        let starts_with_pawns = self.codes[0].piece_type() == PieceType::Pawn;
        let right_side = self.codes[0].side() == self.shape.leading_side;
        let [leading, others] = self.shape.pawns;
        let next_are_pawns = others == 0 || self.codes[leading].piece_type() == PieceType::Pawn;
        if leading > 0 { starts_with_pawns && right_side && next_are_pawns } else { !starts_with_pawns }
    }

    /// Computes the factor of each group and the number of indices. `order` is the place of the leading pieces among the groups,
    /// `pawn_order` that of the other side's pawns; the other groups take the remaining places in order.
    fn compute_factors(&mut self, file: usize, order: usize, pawn_order: Option<usize>) -> Option<()> {
        let Shape { pawns: [leading, others], material, .. } = self.shape;
        let pieces = material.pieces();
        let mut next = self.leaders + others;
        let mut free = 64 - next;
        let mut size: u64 = 1;
        let mut place = 0;
        let mut other_pawns = None;
        while next < pieces || place == order || Some(place) == pawn_order {
            let placements = if place == order {
                self.factor = size;
                match leading {
                    0 if self.leaders == 2 => KING_PAIRS,
                    0 => TRIPLES,
                    count => *LEADING_PAWN_PLACEMENTS.get(count - 1)?.get(file)?,
                }
            } else if Some(place) == pawn_order {
                other_pawns = Some(Group { start: leading, count: others, factor: size });
                BINOMIAL[others][48 - leading]
            } else {
                let code = self.codes[next];
                let count = material.count(code.side(), code.piece_type());
                self.groups.push(Group { start: next, count, factor: size });
                let placements = BINOMIAL[count][free];
                free -= count;
                next += count;
                placements
            };
            size = size.checked_mul(placements)?;
            place += 1;
        }
        if let Some(other_pawns) = other_pawns {
            self.groups.insert(0, other_pawns);
        }
        self.size = size;
        (self.factor > 0 && pawn_order.is_some() == other_pawns.is_some()).then_some(())
    }

    /// Returns the index of a position with the material of the table. `None` if the kings are adjacent.
    pub(super) fn index(&self, board: &Board, first: Color) -> Option<u64> {
        let mut squares = self.squares(board, first);
        let squares = &mut squares[..self.shape.pieces()];
        let mut index = match self.shape.pawns[0] {
            0 => leading_pieces_index(squares, self.leaders)?,
            pawns => leading_pawns_index(squares, pawns),
        };
        index *= self.factor;
        for (order, group) in self.groups.iter().enumerate() {
            let are_pawns = order == 0 && self.shape.pawns[1] > 0;
            index += group_index(squares, *group, if are_pawns { 8 } else { 0 }) * group.factor;
        }
        Some(index)
    }

    /// Returns the squares of the pieces in the order of the encoding. The first side's pawns move up the board, so the ranks are
    /// flipped if Black plays the first side.
    fn squares(&self, board: &Board, first: Color) -> Squares {
        let flip = if first == Color::Black && self.shape.pawns[0] > 0 { 56 } else { 0 };
        let mut squares = [0; MAX_PIECES];
        let mut index = 0;
        while index < self.shape.pieces() {
            let code = self.codes[index];
            let color = if code.side() == 0 { first } else { !first };
            let start = index;
            for square in board.pieces(color, code.piece_type()) {
                squares[index] = square.index() as u8 ^ flip;
                index += 1;
            }
            if index == start {
                // Unreachable: the caller has matched the material. Breaking prevents an infinite loop.
                break;
            }
        }
        squares
    }
}

/// Returns the distance of a square above the diagonal a1-h8; negative below it.
fn above_diagonal(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

fn transform(squares: &mut [u8], change: impl Fn(u8) -> u8) {
    squares.iter_mut().for_each(|square| *square = change(*square));
}

/// Returns the index of the two or three leading pieces of a table without pawns, after mapping the first of them to the
/// triangle a1-d1-d4 by symmetry. `None` if the kings are adjacent.
fn leading_pieces_index(squares: &mut [u8], leaders: usize) -> Option<u64> {
    if squares[0] & 4 != 0 {
        transform(squares, |square| square ^ 7);
    }
    if squares[0] & 32 != 0 {
        transform(squares, |square| square ^ 56);
    }
    let off_diagonal =
        squares[..leaders].iter().map(|&square| above_diagonal(square)).find(|&above| above != 0);
    if off_diagonal.is_some_and(|above| above > 0) {
        transform(squares, |square| square >> 3 | (square & 7) << 3);
    }
    let [a, b, c] = [0, 1, 2].map(|index| squares.get(index).copied().unwrap_or(0));
    if leaders == 2 {
        let index = KING_PAIR_INDEX[usize::from(IN_TRIANGLE[usize::from(a)])][usize::from(b)];
        return (index != ILLEGAL_KING_PAIR).then_some(index.into());
    }
    // A piece's squares are numbered without those that earlier pieces occupy.
    let skip = |square: u8, before: &[u8]| before.iter().filter(|&&other| square > other).count() as u64;
    let (second, third) = (u64::from(b) - skip(b, &[a]), u64::from(c) - skip(c, &[a, b]));
    let rank = |square: u8| u64::from(square >> 3);
    let below = |square: u8| u64::from(BELOW_DIAGONAL[usize::from(square)]);
    Some(if above_diagonal(a) != 0 {
        u64::from(IN_TRIANGLE[usize::from(a)]) * 63 * 62 + second * 62 + third
    } else if above_diagonal(b) != 0 {
        6 * 63 * 62 + rank(a) * 28 * 62 + below(b) * 62 + third
    } else if above_diagonal(c) != 0 {
        6 * 63 * 62 + 4 * 28 * 62 + rank(a) * 7 * 28 + (rank(b) - skip(b, &[a])) * 28 + below(c)
    } else {
        let last = rank(c) - skip(c, &[a, b]);
        6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + rank(a) * 7 * 6 + (rank(b) - skip(b, &[a])) * 6 + last
    })
}

/// Returns the index of the leading pawns, after flipping the files so that the first of them is on a file from a to d.
fn leading_pawns_index(squares: &mut [u8], pawns: usize) -> u64 {
    // The first pawn is the one nearest to the edge, then to its start; the others follow in `PAWN_ORDER`.
    if let Some(first) = (0..pawns).min_by_key(|&index| leading_pawn_square(squares[index])) {
        squares.swap(0, first);
    }
    if squares[0] & 4 != 0 {
        transform(squares, |square| square ^ 7);
    }
    squares[1..pawns].sort_unstable_by_key(|&square| std::cmp::Reverse(PAWN_ORDER[usize::from(square)]));
    let mut pawns_index = LEADING_PAWN_INDEX[pawns - 1][usize::from(leading_pawn_square(squares[0]))];
    for (index, &square) in squares[..pawns].iter().enumerate().skip(1) {
        pawns_index += BINOMIAL[pawns - index][usize::from(PAWN_ORDER[usize::from(square)])];
    }
    pawns_index
}

/// Returns the index of a group of equal pieces among the squares that the pieces before it leave free. `lowest` is the index
/// of the first square that they can occupy.
fn group_index(squares: &mut [u8], group: Group, lowest: u64) -> u64 {
    let Group { start, count, .. } = group;
    squares[start..start + count].sort_unstable();
    (start..start + count)
        .map(|index| {
            let square = squares[index];
            let skipped = squares[..start].iter().filter(|&&other| square > other).count() as u64;
            let free_square = u64::from(square) - skipped - lowest;
            BINOMIAL[index - start + 1][free_square as usize]
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_an_inconsistent_piece_order() {
        let shape = Shape::new(Material::parse("KQvK").unwrap());
        let good = [0x00, 0x06, 0x05, 0x0e];
        let encoding = Encoding::read(shape, 0, &good, 0).unwrap();
        assert_eq!(encoding.size, TRIPLES);
        for bad in
            [[0x00, 0x06, 0x05, 0x06], [0x00, 0x06, 0x04, 0x0e], [0x09, 0x06, 0x05, 0x0e], [0, 0, 0, 0]]
        {
            assert!(Encoding::read(shape, 0, &bad, 0).is_err(), "{bad:x?}");
        }
        assert!(Encoding::read(shape, 0, &good[..3], 0).is_err());
    }

    #[test]
    fn leading_pieces_cover_all_indices() {
        let shape = Shape::new(Material::parse("KQvK").unwrap());
        let encoding = Encoding::read(shape, 0, &[0x00, 0x06, 0x05, 0x0e], 0).unwrap();
        let mut seen = vec![false; encoding.size as usize];
        for mut squares in (0..64 * 64 * 64).map(|n| [n % 64, n / 64 % 64, n / 4096].map(|n: i32| n as u8)) {
            let [a, b, c] = squares;
            if a != b && b != c && a != c {
                let index = leading_pieces_index(&mut squares, 3).unwrap();
                seen[index as usize] = true;
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }
}
