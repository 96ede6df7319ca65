//! [`Bitboard`]: a set of squares in 64 bits.

use crate::parse_error::parse_error;
use crate::{Color, File, Rank, Square};
use core::fmt;
use core::iter::FusedIterator;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};
use core::str::FromStr;

/// A set of squares: bit `n` is the square with index `n` (a1 = 0, h8 = 63).
///
/// ```
/// use tabiya_core::{Bitboard, File, Rank, Square};
///
/// let corner = File::A.bitboard() & Rank::First.bitboard();
/// assert_eq!(corner, Square::A1.bitboard());
/// assert_eq!((corner | Square::C3.bitboard()).into_iter().collect::<Vec<_>>(), [Square::A1, Square::C3]);
/// assert_eq!(corner.north(), Square::A2.bitboard());
/// assert!(corner.west().is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard(pub u64);

const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// The set of all squares.
    pub const FULL: Bitboard = Bitboard(!0);
    /// The dark squares, a1 among them.
    pub const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);
    /// The light squares, h1 among them.
    pub const LIGHT: Bitboard = Bitboard(!0xaa55_aa55_aa55_aa55);

    /// Returns true if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if the set is not empty.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// The number of squares.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if the set has at least two squares. Cheaper than [`count`](Bitboard::count).
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns true if the set contains this square.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Returns true if every square of this set is also in `other`.
    #[inline]
    pub const fn is_subset_of(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns true if the two sets have no square in common.
    #[inline]
    pub const fn is_disjoint(self, other: Bitboard) -> bool {
        self.0 & other.0 == 0
    }

    /// The square with the smallest index, or `None` if the set is empty.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(self.0.trailing_zeros() as u8)) }
    }

    /// The square with the largest index, or `None` if the set is empty.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(63 - self.0.leading_zeros() as u8)) }
    }

    /// Removes the square with the smallest index from the set and returns it.
    #[inline]
    pub const fn pop_first(&mut self) -> Option<Square> {
        let square = self.first();
        self.0 &= self.0.wrapping_sub(1);
        square
    }

    /// The set shifted one rank up (towards rank 8); squares on rank 8 are dropped.
    #[inline]
    pub const fn north(self) -> Bitboard {
        Bitboard(self.0 << 8)
    }

    /// The set shifted one rank down (towards rank 1); squares on rank 1 are dropped.
    #[inline]
    pub const fn south(self) -> Bitboard {
        Bitboard(self.0 >> 8)
    }

    /// The set shifted one file to the right (towards the h-file); squares on the h-file are dropped.
    #[inline]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & NOT_FILE_H) << 1)
    }

    /// The set shifted one file to the left (towards the a-file); squares on the a-file are dropped.
    #[inline]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & NOT_FILE_A) >> 1)
    }

    /// The set shifted one rank forward from `color`'s point of view: [`north`](Bitboard::north) for White,
    /// [`south`](Bitboard::south) for Black.
    #[inline]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => self.north(),
            Color::Black => self.south(),
        }
    }

    /// The set mirrored vertically: rank 1 becomes rank 8.
    #[inline]
    pub const fn flip_ranks(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// The set mirrored horizontally: the a-file becomes the h-file.
    pub const fn flip_files(self) -> Bitboard {
        Bitboard(self.0.swap_bytes().reverse_bits())
    }

    /// The union of the two sets; `|` for use in constants.
    #[inline]
    pub const fn with(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }

    /// Iterates over the 2^[`count`](Bitboard::count) subsets of this set, starting with the empty one.
    pub fn subsets(self) -> impl Iterator<Item = Bitboard> {
        // Carry-Rippler trick: subtracting the whole set increments the subset within the set's bits.
        let mut next = Some(Bitboard::EMPTY);
        core::iter::from_fn(move || {
            let subset = next?;
            let following = Bitboard(subset.0.wrapping_sub(self.0) & self.0);
            next = (following.any()).then_some(following);
            Some(subset)
        })
    }
}

macro_rules! set_operator {
    ($trait:ident, $method:ident, $op:tt, $assign_trait:ident, $assign_method:ident) => {
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = *self $op other;
            }
        }
    };
}

set_operator!(BitAnd, bitand, &, BitAndAssign, bitand_assign);
set_operator!(BitOr, bitor, |, BitOrAssign, bitor_assign);
set_operator!(BitXor, bitxor, ^, BitXorAssign, bitxor_assign);

/// Set difference: the squares in the left operand that are not in the right one.
impl Sub for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl SubAssign for Bitboard {
    #[inline]
    fn sub_assign(&mut self, other: Bitboard) {
        *self = *self - other;
    }
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl File {
    /// The squares of this file.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u8)
    }
}

impl Rank {
    /// The squares of this rank.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (self as u8 * 8))
    }
}

impl Square {
    /// The set that contains only this square.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Bitboard {
        square.bitboard()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.bitboard())
    }
}

impl Extend<Square> for Bitboard {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        *self |= squares.into_iter().collect();
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = BitboardIter;

    #[inline]
    fn into_iter(self) -> BitboardIter {
        BitboardIter(self)
    }
}

/// An iterator over the squares of a [`Bitboard`], in index order.
#[derive(Clone, Debug)]
pub struct BitboardIter(Bitboard);

impl Iterator for BitboardIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl DoubleEndedIterator for BitboardIter {
    #[inline]
    fn next_back(&mut self) -> Option<Square> {
        let square = self.0.last()?;
        self.0 ^= square.bitboard();
        Some(square)
    }
}

impl ExactSizeIterator for BitboardIter {}

impl FusedIterator for BitboardIter {}

/// Writes a diagram of eight lines, rank 8 first, with `X` for squares in the set and `.` for the others.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let mark = if self.0 >> (rank * 8 + file) & 1 != 0 { 'X' } else { '.' };
                write!(f, "{}{mark}", if file == 0 { "" } else { " " })?;
            }
            if rank > 0 {
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// Parses the diagram that [`Display`](fmt::Display) writes; white space is ignored.
///
/// ```
/// use tabiya_core::{Bitboard, Square};
///
/// let diagram = "
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . X . . . .
///     . . . . X . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .";
/// let set: Bitboard = diagram.parse()?;
/// assert_eq!(set, Square::E4.bitboard() | Square::D5.bitboard());
/// # Ok::<(), tabiya_core::ParseBitboardError>(())
/// ```
impl FromStr for Bitboard {
    type Err = ParseBitboardError;

    fn from_str(text: &str) -> Result<Bitboard, ParseBitboardError> {
        let mut marks = text.chars().filter(|c| !c.is_whitespace());
        let mut set = Bitboard::EMPTY;
        for index in 0..64 {
            match marks.next() {
                Some('X') => set |= Square::wrapping(index).flip_rank().bitboard(),
                Some('.') => {}
                _ => return Err(ParseBitboardError),
            }
        }
        if marks.next().is_none() { Ok(set) } else { Err(ParseBitboardError) }
    }
}

parse_error! {
    /// The error for text that is not a diagram of a bitboard.
    ParseBitboardError, "invalid bitboard: expected 64 marks X or ., starting with the square a8"
}

impl fmt::LowerHex for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

impl fmt::UpperHex for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::UpperHex::fmt(&self.0, f)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bitboard({:#018x})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_do_not_wrap_around() {
        assert_eq!(File::H.bitboard().east(), Bitboard::EMPTY);
        assert_eq!(File::A.bitboard().west(), Bitboard::EMPTY);
        assert_eq!(Rank::Eighth.bitboard().north(), Bitboard::EMPTY);
        assert_eq!(Rank::First.bitboard().south(), Bitboard::EMPTY);
        assert_eq!(Rank::Second.bitboard().forward(Color::Black), Rank::First.bitboard());
    }

    #[test]
    fn flips_ranks_and_files() {
        assert_eq!(File::A.bitboard().flip_files(), File::H.bitboard());
        assert_eq!(Square::B3.bitboard().flip_files(), Square::G3.bitboard());
        assert_eq!(Square::B3.bitboard().flip_ranks(), Square::B6.bitboard());
    }

    #[test]
    fn iterates_from_both_ends() {
        let squares = [Square::A1, Square::C3, Square::H8];
        let set: Bitboard = squares.into_iter().collect();
        assert!(set.into_iter().eq(squares));
        assert!(set.into_iter().rev().eq(squares.into_iter().rev()));
        assert_eq!(set.into_iter().len(), 3);
    }

    #[test]
    fn diagrams_round_trip() {
        for set in [Bitboard::EMPTY, Bitboard::FULL, Bitboard::DARK, Bitboard(0x0123_4567_89ab_cdef)] {
            assert_eq!(set.to_string().parse(), Ok(set));
        }
        for bad in [String::new(), ".".repeat(63), ".".repeat(65), "x".repeat(64)] {
            assert_eq!(bad.parse::<Bitboard>(), Err(ParseBitboardError), "{bad}");
        }
        assert_eq!(format!("{:#x} {:X}", Bitboard(0xab), Bitboard(0xab)), "0xab AB");
    }

    #[test]
    fn subsets_are_distinct_and_complete() {
        let set = Bitboard(0b1011_0010_0000);
        let mut subsets: Vec<u64> = set.subsets().map(|s| s.0).collect();
        assert_eq!(subsets.len(), 16);
        assert!(subsets.iter().all(|&s| Bitboard(s).is_subset_of(set)));
        subsets.sort_unstable();
        subsets.dedup();
        assert_eq!(subsets.len(), 16);
    }

    #[test]
    fn a1_is_dark_and_h1_is_light() {
        assert!(Bitboard::DARK.contains(Square::A1));
        assert!(Bitboard::LIGHT.contains(Square::H1));
        assert_eq!(Bitboard::DARK ^ Bitboard::LIGHT, Bitboard::FULL);
    }
}
