// Turning an index into an enum without a table load needs `transmute`; loading it from
// `Square::ALL` instead adds 2.4 % to the instructions of perft.
#![allow(unsafe_code)]

use crate::{Bitboard, Color};
use std::fmt;
use std::str::FromStr;

/// A file (column) of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
#[rustfmt::skip]
pub enum File { A, B, C, D, E, F, G, H }

impl File {
    /// All files from a to h.
    pub const ALL: [File; 8] = [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];

    /// 0 (a) to 7 (h).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file with the low three bits of `index` as its index.
    #[inline]
    pub const fn wrapping(index: u8) -> File {
        // SAFETY: three bits give 0 to 7, and each of them is a discriminant of `File`.
        unsafe { std::mem::transmute::<u8, File>(index & 7) }
    }

    /// The letter, `a` to `h`.
    pub const fn to_char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file for a lower-case letter.
    pub const fn from_char(c: char) -> Option<File> {
        match c {
            'a'..='h' => Some(File::wrapping(c as u8 - b'a')),
            _ => None,
        }
    }

    /// The squares of this file.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u8)
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

/// A rank (row) of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
#[rustfmt::skip]
pub enum Rank { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }

impl Rank {
    /// All ranks from 1 to 8.
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];

    /// 0 (rank 1) to 7 (rank 8).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank with the low three bits of `index` as its index.
    #[inline]
    pub const fn wrapping(index: u8) -> Rank {
        // SAFETY: three bits give 0 to 7, and each of them is a discriminant of `Rank`.
        unsafe { std::mem::transmute::<u8, Rank>(index & 7) }
    }

    /// The digit, `1` to `8`.
    pub const fn to_char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank for a digit.
    pub const fn from_char(c: char) -> Option<Rank> {
        match c {
            '1'..='8' => Some(Rank::wrapping(c as u8 - b'1')),
            _ => None,
        }
    }

    /// The squares of this rank.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (self as u8 * 8))
    }

    /// This rank as `color` counts it: the same for White, turned round for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Rank {
        Rank::wrapping(self as u8 ^ (color as u8 * 7))
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

/// A square of the board, numbered a1 = 0, b1 = 1, ... h8 = 63.
///
/// ```
/// use tabiya_core::{File, Rank, Square};
///
/// let square: Square = "e4".parse()?;
/// assert_eq!(square, Square::new(File::E, Rank::Fourth));
/// assert_eq!(square.index(), 28);
/// assert_eq!(square.offset(1, 2), Some(Square::F6));
/// # Ok::<(), tabiya_core::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
#[rustfmt::skip]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 64;

    /// All squares in index order.
    #[rustfmt::skip]
    pub const ALL: [Square; 64] = [
        Square::A1, Square::B1, Square::C1, Square::D1,
        Square::E1, Square::F1, Square::G1, Square::H1,
        Square::A2, Square::B2, Square::C2, Square::D2,
        Square::E2, Square::F2, Square::G2, Square::H2,
        Square::A3, Square::B3, Square::C3, Square::D3,
        Square::E3, Square::F3, Square::G3, Square::H3,
        Square::A4, Square::B4, Square::C4, Square::D4,
        Square::E4, Square::F4, Square::G4, Square::H4,
        Square::A5, Square::B5, Square::C5, Square::D5,
        Square::E5, Square::F5, Square::G5, Square::H5,
        Square::A6, Square::B6, Square::C6, Square::D6,
        Square::E6, Square::F6, Square::G6, Square::H6,
        Square::A7, Square::B7, Square::C7, Square::D7,
        Square::E7, Square::F7, Square::G7, Square::H7,
        Square::A8, Square::B8, Square::C8, Square::D8,
        Square::E8, Square::F8, Square::G8, Square::H8,
    ];

    /// The square on this file and rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::wrapping(rank as u8 * 8 + file as u8)
    }

    /// 0 (a1) to 63 (h8): the index into per-square tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The square with this [index](Square::index), if there is one.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square::wrapping(index as u8)) } else { None }
    }

    /// The square with the low six bits of `index` as its index.
    #[inline]
    pub const fn wrapping(index: u8) -> Square {
        // SAFETY: six bits give 0 to 63, and each of them is a discriminant of `Square`.
        unsafe { std::mem::transmute::<u8, Square>(index & 63) }
    }

    /// The file this square is on.
    #[inline]
    pub const fn file(self) -> File {
        File::wrapping(self as u8)
    }

    /// The rank this square is on.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::wrapping(self as u8 >> 3)
    }

    /// The set of just this square.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }

    /// The square mirrored top to bottom: a1 and a8 change places.
    #[inline]
    pub const fn flip_rank(self) -> Square {
        Square::wrapping(self as u8 ^ 56)
    }

    /// The square mirrored left to right: a1 and h1 change places.
    #[inline]
    pub const fn flip_file(self) -> Square {
        Square::wrapping(self as u8 ^ 7)
    }

    /// This square as `color` sees the board: the same for White, [`flip_rank`](Square::flip_rank)
    /// for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        Square::wrapping(self as u8 ^ (color as u8 * 56))
    }

    /// The square `files` to the right and `ranks` up, unless that is off the board.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Square::wrapping((rank * 8 + file) as u8))
    }

    /// The number of king moves between two squares on an empty board.
    #[inline]
    pub const fn distance(self, other: Square) -> u8 {
        let files = (self.file() as u8).abs_diff(other.file() as u8);
        let ranks = (self.rank() as u8).abs_diff(other.rank() as u8);
        if files > ranks { files } else { ranks }
    }
}

/// Algebraic coordinates: `e4`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let mut chars = text.chars();
        let (file, rank) = (chars.next().and_then(File::from_char), chars.next().and_then(Rank::from_char));
        match (file, rank, chars.next()) {
            (Some(file), Some(rank), None) => Ok(Square::new(file, rank)),
            _ => Err(ParseSquareError),
        }
    }
}

/// The text is not a square: a file letter `a` to `h` followed by a rank digit `1` to `8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square: expected a file letter a-h and a rank digit 1-8, as in e4")
    }
}

impl std::error::Error for ParseSquareError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_round_trip() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::from_index(index), Some(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert_eq!(Square::from_index(64), None);
        for bad in ["", "e", "e9", "i1", "e44", "E4", "4e"] {
            assert_eq!(bad.parse::<Square>(), Err(ParseSquareError), "{bad}");
        }
        assert_eq!(size_of::<Option<Square>>(), 1);
    }

    #[test]
    fn offsets_stay_on_the_board() {
        assert_eq!(Square::A1.offset(-1, 0), None);
        assert_eq!(Square::H8.offset(0, 1), None);
        assert_eq!(Square::G1.offset(1, 2), Some(Square::H3));
        assert_eq!(Square::A1.distance(Square::C8), 7);
    }
}
