//! [`Piece`] and [`PieceType`].

// Converting an index to an enum without a table load needs `transmute`; loading the value from `ALL`
// instead adds 0.9 % to the instructions of perft.
#![allow(unsafe_code)]

use crate::Color;
use crate::parse_error::{parse_error, single_char};
use core::fmt;
use core::str::FromStr;

/// The type of a piece, without its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceType {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king.
    King,
}

impl PieceType {
    /// The number of piece types.
    pub const COUNT: usize = 6;

    /// All piece types, in index order: pawn, knight, bishop, rook, queen, king.
    pub const ALL: [PieceType; 6] = [
        PieceType::Pawn,
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
        PieceType::King,
    ];

    /// The types a pawn may promote to, weakest first.
    pub const PROMOTIONS: [PieceType; 4] =
        [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

    /// The index into per-type tables, 0 (pawn) to 5 (king).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The type with this [index](PieceType::index), or `None` if it is above 5.
    #[inline]
    pub const fn from_index(index: usize) -> Option<PieceType> {
        if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
    }

    /// The classical value in pawns: 1, 3, 3, 5 and 9, and 0 for the king.
    ///
    /// ```
    /// use tabiya_core::{Board, Color, PieceType};
    ///
    /// let board = Board::startpos();
    /// let material = |color| PieceType::ALL.map(|piece| board.pieces(color, piece).count() * piece.pawns()).iter().sum::<u32>();
    /// assert_eq!(material(Color::White), 39);
    /// ```
    pub const fn pawns(self) -> u32 {
        match self {
            PieceType::Pawn => 1,
            PieceType::Knight | PieceType::Bishop => 3,
            PieceType::Rook => 5,
            PieceType::Queen => 9,
            PieceType::King => 0,
        }
    }

    /// The lower-case letter used in FEN and UCI moves: `p`, `n`, `b`, `r`, `q` or `k`.
    pub const fn to_char(self) -> char {
        match self {
            PieceType::Pawn => 'p',
            PieceType::Knight => 'n',
            PieceType::Bishop => 'b',
            PieceType::Rook => 'r',
            PieceType::Queen => 'q',
            PieceType::King => 'k',
        }
    }

    /// The type with this letter, in either case.
    pub const fn from_char(c: char) -> Option<PieceType> {
        match c.to_ascii_lowercase() {
            'p' => Some(PieceType::Pawn),
            'n' => Some(PieceType::Knight),
            'b' => Some(PieceType::Bishop),
            'r' => Some(PieceType::Rook),
            'q' => Some(PieceType::Queen),
            'k' => Some(PieceType::King),
            _ => None,
        }
    }

    /// The English name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            PieceType::Pawn => "pawn",
            PieceType::Knight => "knight",
            PieceType::Bishop => "bishop",
            PieceType::Rook => "rook",
            PieceType::Queen => "queen",
            PieceType::King => "king",
        }
    }
}

/// Writes the English name in lower case.
impl fmt::Display for PieceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses the English name or the letter, in either case.
///
/// ```
/// use tabiya_core::PieceType;
///
/// assert_eq!("knight".parse(), Ok(PieceType::Knight));
/// assert_eq!("N".parse(), Ok(PieceType::Knight));
/// assert!("horse".parse::<PieceType>().is_err());
/// ```
impl FromStr for PieceType {
    type Err = ParsePieceTypeError;

    fn from_str(text: &str) -> Result<PieceType, ParsePieceTypeError> {
        let by_name =
            || PieceType::ALL.into_iter().find(|piece_type| text.eq_ignore_ascii_case(piece_type.name()));
        single_char(text).and_then(PieceType::from_char).or_else(by_name).ok_or(ParsePieceTypeError)
    }
}

parse_error! {
    /// The error for text that is not a piece type.
    ParsePieceTypeError, "invalid piece type: expected pawn, knight, bishop, rook, queen or king, or one of the letters p n b r q k"
}

/// A piece of one colour.
///
/// The discriminant is `2 * type + colour`, so that extracting either takes one instruction. An
/// `Option<Piece>` takes one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Piece {
    /// A white pawn.
    WhitePawn,
    /// A black pawn.
    BlackPawn,
    /// A white knight.
    WhiteKnight,
    /// A black knight.
    BlackKnight,
    /// A white bishop.
    WhiteBishop,
    /// A black bishop.
    BlackBishop,
    /// A white rook.
    WhiteRook,
    /// A black rook.
    BlackRook,
    /// A white queen.
    WhiteQueen,
    /// A black queen.
    BlackQueen,
    /// A white king.
    WhiteKing,
    /// A black king.
    BlackKing,
}

impl Piece {
    /// The number of different pieces.
    pub const COUNT: usize = 12;

    /// All pieces, in index order.
    pub const ALL: [Piece; 12] = [
        Piece::WhitePawn,
        Piece::BlackPawn,
        Piece::WhiteKnight,
        Piece::BlackKnight,
        Piece::WhiteBishop,
        Piece::BlackBishop,
        Piece::WhiteRook,
        Piece::BlackRook,
        Piece::WhiteQueen,
        Piece::BlackQueen,
        Piece::WhiteKing,
        Piece::BlackKing,
    ];

    /// The piece of this colour and type.
    #[inline]
    pub const fn new(color: Color, piece_type: PieceType) -> Piece {
        // SAFETY: a type is at most 5 and a colour at most 1, so the sum is at most 11, and every value
        // from 0 to 11 is a discriminant of `Piece`.
        unsafe { core::mem::transmute::<u8, Piece>(piece_type as u8 * 2 + color as u8) }
    }

    /// The colour of the piece.
    #[inline]
    pub const fn color(self) -> Color {
        if self as u8 & 1 == 0 { Color::White } else { Color::Black }
    }

    /// The type of the piece.
    #[inline]
    pub const fn piece_type(self) -> PieceType {
        // SAFETY: a discriminant of `Piece` is at most 11, so half of it is at most 5, and every
        // value from 0 to 5 is a discriminant of `PieceType`.
        unsafe { core::mem::transmute::<u8, PieceType>(self as u8 / 2) }
    }

    /// The index into per-piece tables: `2 * type + colour`, 0 to 11.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The chess symbol, such as `♔` for the white king.
    ///
    /// ```
    /// assert_eq!(tabiya_core::Piece::BlackKnight.symbol(), '♞');
    /// ```
    pub const fn symbol(self) -> char {
        const SYMBOLS: [char; Piece::COUNT] = ['♙', '♟', '♘', '♞', '♗', '♝', '♖', '♜', '♕', '♛', '♔', '♚'];
        SYMBOLS[self as usize]
    }

    /// The FEN letter: upper case for White, lower case for Black.
    #[inline]
    pub const fn to_char(self) -> char {
        LETTERS[self as usize] as char
    }

    /// The piece with this FEN letter.
    #[inline]
    pub const fn from_char(c: char) -> Option<Piece> {
        if c.is_ascii() { BY_LETTER[c as usize] } else { None }
    }
}

/// The FEN letters in index order.
const LETTERS: [u8; Piece::COUNT] = *b"PpNnBbRrQqKk";

/// The piece for each ASCII character. FEN parsing spends much of its time on this lookup, so it is a table.
static BY_LETTER: [Option<Piece>; 128] = {
    let mut table = [None; 128];
    let mut index = 0;
    while index < Piece::COUNT {
        table[LETTERS[index] as usize] = Some(Piece::ALL[index]);
        index += 1;
    }
    table
};

/// Writes the FEN letter.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_char(), f)
    }
}

/// Parses the FEN letter: upper case for White, lower case for Black.
impl FromStr for Piece {
    type Err = ParsePieceError;

    fn from_str(text: &str) -> Result<Piece, ParsePieceError> {
        single_char(text).and_then(Piece::from_char).ok_or(ParsePieceError)
    }
}

parse_error! {
    /// The error for text that is not a piece.
    ParsePieceError, "invalid piece: expected one of the letters PNBRQK for White or pnbrqk for Black"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_round_trip() {
        for (index, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.index(), index);
            assert_eq!(Piece::new(piece.color(), piece.piece_type()), piece);
            assert_eq!(Piece::from_char(piece.to_char()), Some(piece));
            assert_eq!(piece.to_string().parse(), Ok(piece));
        }
        assert_eq!(Piece::from_char('x'), None);
        assert_eq!(format!("{:<3}|", Piece::new(Color::White, PieceType::Knight)), "N  |");
        for bad in ["", "x", "NN", "♘"] {
            assert_eq!(bad.parse::<Piece>(), Err(ParsePieceError), "{bad}");
        }
        for piece_type in PieceType::ALL {
            assert_eq!(piece_type.to_string().to_uppercase().parse(), Ok(piece_type));
            assert_eq!(piece_type.to_char().to_string().parse(), Ok(piece_type));
        }
        for bad in ["", "x", "nn", "knights"] {
            assert_eq!(bad.parse::<PieceType>(), Err(ParsePieceTypeError), "{bad}");
        }
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }
}
