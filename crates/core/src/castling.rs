//! [`CastlingRights`] and [`CastlingSide`].

use crate::ascii_buffer::AsciiBuffer;
use crate::parse_error::parse_error;
use crate::{Color, File, Rank, Square};
use core::fmt;
use core::str::FromStr;

/// The side of the board a king castles to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// King-side castling, `O-O`: the king ends on the g-file, the rook on the f-file.
    King,
    /// Queen-side castling, `O-O-O`: the king ends on the c-file, the rook on the d-file.
    Queen,
}

impl CastlingSide {
    /// Both sides, the king side first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The index into per-side tables: 0 for the king side, 1 for the queen side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file the king ends on, in standard chess and Chess960.
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        }
    }

    /// The file the rook ends on, in standard chess and Chess960.
    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        }
    }
}

/// Writes the SAN move, `O-O` or `O-O-O`.
impl fmt::Display for CastlingSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CastlingSide::King => "O-O",
            CastlingSide::Queen => "O-O-O",
        })
    }
}

/// Parses the SAN move, written with the letter O or with zeros.
impl FromStr for CastlingSide {
    type Err = ParseCastlingSideError;

    fn from_str(text: &str) -> Result<CastlingSide, ParseCastlingSideError> {
        match text {
            "O-O" | "0-0" => Ok(CastlingSide::King),
            "O-O-O" | "0-0-0" => Ok(CastlingSide::Queen),
            _ => Err(ParseCastlingSideError),
        }
    }
}

parse_error! {
    /// The error for text that is not a castling move.
    ParseCastlingSideError, "invalid castling move: expected O-O or O-O-O"
}

/// The castling rights of both sides, each with the file of its rook.
///
/// Storing the files covers Chess960 and double Chess960, where each side's rooks may start anywhere on its
/// first rank.
///
/// The text form is `-` or some of the letters `KQkq`, each followed by the file of the rook if that is not
/// the one of standard chess. (FEN can omit the file where the pieces determine it; rights alone cannot.)
///
/// ```
/// use tabiya_core::{CastlingRights, CastlingSide, Color, File};
///
/// let mut rights: CastlingRights = "Kkq".parse()?;
/// rights.set(Color::Black, CastlingSide::Queen, Some(File::B));
/// assert_eq!(rights.to_string(), "Kkqb");
/// assert_eq!("Kkqb".parse(), Ok(rights));
/// # Ok::<(), tabiya_core::ParseCastlingRightsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    rook_files: [[Option<File>; 2]; 2],
}

impl CastlingRights {
    /// No castling rights.
    pub const NONE: CastlingRights = CastlingRights { rook_files: [[None; 2]; 2] };

    /// All four rights, with the rooks on a1, h1, a8 and h8.
    pub const STANDARD: CastlingRights = CastlingRights { rook_files: [[Some(File::H), Some(File::A)]; 2] };

    /// The file of the rook with which `color` may castle to `side`, or `None` without that right.
    #[inline]
    pub const fn rook_file(self, color: Color, side: CastlingSide) -> Option<File> {
        self.rook_files[color.index()][side.index()]
    }

    /// The square of the rook with which `color` may castle to `side`, or `None` without that right.
    #[inline]
    pub const fn rook_square(self, color: Color, side: CastlingSide) -> Option<Square> {
        match self.rook_file(color, side) {
            Some(file) => Some(Square::new(file, Rank::First.relative_to(color))),
            None => None,
        }
    }

    /// Returns true if `color` has at least one castling right.
    #[inline]
    pub fn any(self, color: Color) -> bool {
        self.rook_files[color.index()] != [None; 2]
    }

    /// Grants (`Some`) or removes (`None`) a castling right.
    #[inline]
    pub const fn set(&mut self, color: Color, side: CastlingSide, rook_file: Option<File>) {
        self.rook_files[color.index()][side.index()] = rook_file;
    }

    /// Iterates over the existing rights, as (colour, side, file of the rook).
    pub fn iter(self) -> impl Iterator<Item = (Color, CastlingSide, File)> {
        Color::ALL.into_iter().flat_map(move |color| {
            CastlingSide::ALL
                .into_iter()
                .filter_map(move |side| Some((color, side, self.rook_file(color, side)?)))
        })
    }
}

impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == CastlingRights::NONE {
            return f.pad("-");
        }
        let mut text = AsciiBuffer::<8>::new();
        for (color, side, file) in self.iter() {
            text.push(match (color, side) {
                (Color::White, CastlingSide::King) => b'K',
                (Color::White, CastlingSide::Queen) => b'Q',
                (Color::Black, CastlingSide::King) => b'k',
                (Color::Black, CastlingSide::Queen) => b'q',
            });
            if CastlingRights::STANDARD.rook_file(color, side) != Some(file) {
                text.push(file.to_char() as u8);
            }
        }
        f.pad(text.as_str())
    }
}

impl FromStr for CastlingRights {
    type Err = ParseCastlingRightsError;

    fn from_str(text: &str) -> Result<CastlingRights, ParseCastlingRightsError> {
        let mut rights = CastlingRights::NONE;
        if text == "-" {
            return Ok(rights);
        }
        if text.is_empty() {
            return Err(ParseCastlingRightsError);
        }
        let mut chars = text.chars().peekable();
        while let Some(letter) = chars.next() {
            let (color, side) = match letter {
                'K' => (Color::White, CastlingSide::King),
                'Q' => (Color::White, CastlingSide::Queen),
                'k' => (Color::Black, CastlingSide::King),
                'q' => (Color::Black, CastlingSide::Queen),
                _ => return Err(ParseCastlingRightsError),
            };
            if rights.rook_file(color, side).is_some() {
                return Err(ParseCastlingRightsError);
            }
            let explicit_file = chars.peek().copied().and_then(File::from_char);
            if explicit_file.is_some() {
                chars.next();
            }
            rights.set(color, side, explicit_file.or(CastlingRights::STANDARD.rook_file(color, side)));
        }
        Ok(rights)
    }
}

parse_error! {
    /// The error for text that is not a set of castling rights.
    ParseCastlingRightsError,
    "invalid castling rights: expected - or some of K Q k q, each at most once and followed by the rook's file unless that is h (K, k) or a (Q, q)"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_round_trip() {
        let files = [None, Some(File::A), Some(File::B), Some(File::G), Some(File::H)];
        let mut rights = CastlingRights::NONE;
        for (king, queen) in files.into_iter().flat_map(|king| files.map(|queen| (king, queen))) {
            for color in Color::ALL {
                rights.set(color, CastlingSide::King, king);
                rights.set(color, CastlingSide::Queen, queen);
                assert_eq!(rights.to_string().parse(), Ok(rights), "{rights}");
            }
        }
        assert_eq!(CastlingRights::STANDARD.to_string(), "KQkq");
        assert_eq!(format!("{:<5}|{:>3}", CastlingRights::STANDARD, CastlingRights::NONE), "KQkq |  -");
        for bad in ["", "K-", "KK", "hK", "Khh", "x", "--"] {
            assert_eq!(bad.parse::<CastlingRights>(), Err(ParseCastlingRightsError), "{bad}");
        }
    }

    #[test]
    fn sides_round_trip() {
        for side in CastlingSide::ALL {
            assert_eq!(side.to_string().parse(), Ok(side));
        }
        assert_eq!("0-0".parse(), Ok(CastlingSide::King));
        assert_eq!("O-O-O-O".parse::<CastlingSide>(), Err(ParseCastlingSideError));
    }
}
