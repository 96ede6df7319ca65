//! [`Color`]: White or Black.

use crate::parse_error::parse_error;
use core::fmt;
use core::ops::Not;
use core::str::FromStr;

/// A side: White or Black.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The index into per-colour tables: 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter used in the FEN side-to-move field, `w` or `b`.
    pub const fn to_char(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The colour with this letter, `w` or `b`.
    pub const fn from_char(c: char) -> Option<Color> {
        match c {
            'w' => Some(Color::White),
            'b' => Some(Color::Black),
            _ => None,
        }
    }

    /// The other colour; `!` for use in constants.
    #[inline]
    pub const fn opposite(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        self.opposite()
    }
}

/// Writes `white` or `black`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// Parses `white` or `black`, in either case, or the FEN letter `w` or `b`.
///
/// ```
/// use tabiya_core::Color;
///
/// assert_eq!("black".parse(), Ok(Color::Black));
/// assert_eq!("w".parse(), Ok(Color::White));
/// assert!("red".parse::<Color>().is_err());
/// ```
impl FromStr for Color {
    type Err = ParseColorError;

    fn from_str(text: &str) -> Result<Color, ParseColorError> {
        let is = |word: &str, letter| text.eq_ignore_ascii_case(word) || text == letter;
        match text {
            _ if is("white", "w") => Ok(Color::White),
            _ if is("black", "b") => Ok(Color::Black),
            _ => Err(ParseColorError),
        }
    }
}

parse_error! {
    /// The error for text that is not a colour.
    ParseColorError, "invalid colour: expected white, black, w or b"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_round_trip() {
        for color in Color::ALL {
            assert_eq!(color.to_string().parse(), Ok(color));
            assert_eq!(color.to_char().to_string().parse(), Ok(color));
            assert_eq!(Color::from_char(color.to_char()), Some(color));
        }
        for bad in ["", "W", "whites", " white", "schwarz"] {
            assert_eq!(bad.parse::<Color>(), Err(ParseColorError), "{bad}");
        }
    }
}
