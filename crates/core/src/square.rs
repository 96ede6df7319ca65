//! [`Square`], [`File`] and [`Rank`].

// Converting an index to an enum without a table load needs `transmute`; loading the value from
// `Square::ALL` instead adds 2.4 % to the instructions of perft.
#![allow(unsafe_code)]

use crate::Color;
use crate::ascii_buffer::AsciiBuffer;
use crate::parse_error::{parse_error, single_char};
use core::fmt;
use core::str::FromStr;

/// A file (column) of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum File {
    /// The a-file, on White's left.
    A,
    /// The b-file.
    B,
    /// The c-file.
    C,
    /// The d-file, on which the queens start.
    D,
    /// The e-file, on which the kings start.
    E,
    /// The f-file.
    F,
    /// The g-file.
    G,
    /// The h-file, on White's right.
    H,
}

impl File {
    /// All files from a to h.
    pub const ALL: [File; 8] = [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];

    /// The index, 0 (a) to 7 (h).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file whose index is the low three bits of `index`.
    #[inline]
    pub const fn wrapping(index: u8) -> File {
        // SAFETY: the masked value is 0 to 7, and each of these is a discriminant of `File`.
        unsafe { core::mem::transmute::<u8, File>(index & 7) }
    }

    /// The letter, `a` to `h`.
    pub const fn to_char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file with this lower-case letter, if it is one of `a` to `h`.
    pub const fn from_char(c: char) -> Option<File> {
        match c {
            'a'..='h' => Some(File::wrapping(c as u8 - b'a')),
            _ => None,
        }
    }
}

/// Writes the letter, `a` to `h`.
impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_char(), f)
    }
}

/// Parses a letter, `a` to `h`.
impl FromStr for File {
    type Err = ParseFileError;

    fn from_str(text: &str) -> Result<File, ParseFileError> {
        single_char(text).and_then(File::from_char).ok_or(ParseFileError)
    }
}

parse_error! {
    /// The error for text that is not a file.
    ParseFileError, "invalid file: expected a letter a-h"
}

/// A rank (row) of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Rank {
    /// Rank 1, on which White's pieces start.
    First,
    /// Rank 2, on which White's pawns start.
    Second,
    /// Rank 3.
    Third,
    /// Rank 4.
    Fourth,
    /// Rank 5.
    Fifth,
    /// Rank 6.
    Sixth,
    /// Rank 7, on which Black's pawns start.
    Seventh,
    /// Rank 8, on which Black's pieces start.
    Eighth,
}

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

    /// The index, 0 (rank 1) to 7 (rank 8).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank whose index is the low three bits of `index`.
    #[inline]
    pub const fn wrapping(index: u8) -> Rank {
        // SAFETY: the masked value is 0 to 7, and each of these is a discriminant of `Rank`.
        unsafe { core::mem::transmute::<u8, Rank>(index & 7) }
    }

    /// The digit, `1` to `8`.
    pub const fn to_char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank with this digit, if it is one of `1` to `8`.
    pub const fn from_char(c: char) -> Option<Rank> {
        match c {
            '1'..='8' => Some(Rank::wrapping(c as u8 - b'1')),
            _ => None,
        }
    }

    /// The rank from `color`'s point of view: unchanged for White, mirrored for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Rank {
        Rank::wrapping(self as u8 ^ (color as u8 * 7))
    }
}

/// Writes the digit, `1` to `8`.
impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_char(), f)
    }
}

/// Parses a digit, `1` to `8`.
impl FromStr for Rank {
    type Err = ParseRankError;

    fn from_str(text: &str) -> Result<Rank, ParseRankError> {
        single_char(text).and_then(Rank::from_char).ok_or(ParseRankError)
    }
}

parse_error! {
    /// The error for text that is not a rank.
    ParseRankError, "invalid rank: expected a digit 1-8"
}

/// Defines [`Square`] and `Square::ALL` from the names of the squares.
macro_rules! squares {
    ($(#[$attribute:meta])* $($name:ident)*) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Square {
            $(#[doc = concat!("The square ", stringify!($name), ".")] $name,)*
        }

        impl Square {
            /// All squares, in index order.
            pub const ALL: [Square; 64] = [$(Square::$name),*];
        }
    };
}

squares! {
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
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 64;

    /// The square on this file and rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::wrapping(rank as u8 * 8 + file as u8)
    }

    /// The index into per-square tables, 0 (a1) to 63 (h8).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The square with this [index](Square::index), or `None` if it is above 63.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square::wrapping(index as u8)) } else { None }
    }

    /// The square whose index is the low six bits of `index`.
    #[inline]
    pub const fn wrapping(index: u8) -> Square {
        // SAFETY: the masked value is 0 to 63, and each of these is a discriminant of `Square`.
        unsafe { core::mem::transmute::<u8, Square>(index & 63) }
    }

    /// The file of this square.
    #[inline]
    pub const fn file(self) -> File {
        File::wrapping(self as u8)
    }

    /// The rank of this square.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::wrapping(self as u8 >> 3)
    }

    /// The square mirrored vertically: a1 becomes a8.
    #[inline]
    pub const fn flip_rank(self) -> Square {
        Square::wrapping(self as u8 ^ 56)
    }

    /// The square mirrored horizontally: a1 becomes h1.
    #[inline]
    pub const fn flip_file(self) -> Square {
        Square::wrapping(self as u8 ^ 7)
    }

    /// The square from `color`'s point of view: unchanged for White, [`flip_rank`](Square::flip_rank) for
    /// Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        Square::wrapping(self as u8 ^ (color as u8 * 56))
    }

    /// The square `files` to the right and `ranks` up, or `None` if that is off the board.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = (self.file() as i8).saturating_add(files);
        let rank = (self.rank() as i8).saturating_add(ranks);
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Square::wrapping((rank * 8 + file) as u8))
    }

    /// The Chebyshev distance: the number of king moves between two squares on an empty board.
    #[inline]
    pub const fn distance(self, other: Square) -> u8 {
        let files = (self.file() as u8).abs_diff(other.file() as u8);
        let ranks = (self.rank() as u8).abs_diff(other.rank() as u8);
        if files > ranks { files } else { ranks }
    }
}

/// Writes algebraic coordinates, such as `e4`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = AsciiBuffer::<2>::new();
        text.push_square(*self);
        f.pad(text.as_str())
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

parse_error! {
    /// The error for text that is not a square: a file letter `a` to `h` and a rank digit `1` to `8`.
    ParseSquareError, "invalid square: expected a file letter a-h and a rank digit 1-8, as in e4"
}

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
        assert_eq!(format!("{:>4}|{:<2}|{:^3}", Square::E4, File::A, Rank::Eighth), "  e4|a | 8 ");
        for (file, rank) in File::ALL.into_iter().zip(Rank::ALL) {
            assert_eq!(file.to_string().parse(), Ok(file));
            assert_eq!(rank.to_string().parse(), Ok(rank));
        }
        for bad in ["", "i", "ab", "A", "0", "9", "12"] {
            assert_eq!(bad.parse::<File>(), Err(ParseFileError), "{bad}");
            assert_eq!(bad.parse::<Rank>(), Err(ParseRankError), "{bad}");
        }
    }

    #[test]
    fn offsets_stay_on_the_board() {
        assert_eq!(Square::A1.offset(-1, 0), None);
        assert_eq!(Square::H8.offset(0, 1), None);
        assert_eq!(Square::G1.offset(1, 2), Some(Square::H3));
        assert_eq!(Square::A1.distance(Square::C8), 7);
    }
}
