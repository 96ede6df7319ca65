// Turning an index into an enum without a table load needs `transmute`; loading it from `ALL`
// instead adds 0.9 % to the instructions of perft.
#![allow(unsafe_code)]

use crate::Color;
use std::fmt;

/// A kind of piece, without its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum PieceType {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl PieceType {
    /// How many kinds there are.
    pub const COUNT: usize = 6;

    /// All kinds, in index order: pawn, knight, bishop, rook, queen, king.
    pub const ALL: [PieceType; 6] = [
        PieceType::Pawn,
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
        PieceType::King,
    ];

    /// The kinds a pawn may promote to, weakest first.
    pub const PROMOTIONS: [PieceType; 4] =
        [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

    /// 0 (pawn) to 5 (king): the index into per-kind tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with this [index](PieceType::index), if there is one.
    #[inline]
    pub const fn from_index(index: usize) -> Option<PieceType> {
        if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
    }

    /// The lower-case letter used by FEN and UCI: `p n b r q k`.
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

    /// The kind for a letter of either case.
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
}

/// The English name in lower case.
impl fmt::Display for PieceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            PieceType::Pawn => "pawn",
            PieceType::Knight => "knight",
            PieceType::Bishop => "bishop",
            PieceType::Rook => "rook",
            PieceType::Queen => "queen",
            PieceType::King => "king",
        })
    }
}

/// A piece of one colour.
///
/// The discriminant is `2 * kind + colour`, so that both halves are one instruction away, and an
/// `Option<Piece>` takes one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    WhitePawn,
    BlackPawn,
    WhiteKnight,
    BlackKnight,
    WhiteBishop,
    BlackBishop,
    WhiteRook,
    BlackRook,
    WhiteQueen,
    BlackQueen,
    WhiteKing,
    BlackKing,
}

impl Piece {
    /// How many different pieces there are.
    pub const COUNT: usize = 12;

    /// All pieces in index order.
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

    /// The piece of this colour and kind.
    #[inline]
    pub const fn new(color: Color, piece_type: PieceType) -> Piece {
        // SAFETY: a kind is at most 5 and a colour at most 1, so the sum is at most 11, and every
        // value from 0 to 11 is a discriminant of `Piece`.
        unsafe { std::mem::transmute::<u8, Piece>(piece_type as u8 * 2 + color as u8) }
    }

    /// Whose piece it is.
    #[inline]
    pub const fn color(self) -> Color {
        if self as u8 & 1 == 0 { Color::White } else { Color::Black }
    }

    /// What kind of piece it is.
    #[inline]
    pub const fn piece_type(self) -> PieceType {
        // SAFETY: a discriminant of `Piece` is at most 11, so half of it is at most 5, and every
        // value from 0 to 5 is a discriminant of `PieceType`.
        unsafe { std::mem::transmute::<u8, PieceType>(self as u8 / 2) }
    }

    /// 0 to 11, `2 * kind + colour`: the index into per-piece tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter: upper case for White, lower case for Black.
    pub const fn to_char(self) -> char {
        let c = self.piece_type().to_char();
        match self.color() {
            Color::White => c.to_ascii_uppercase(),
            Color::Black => c,
        }
    }

    /// The piece for a FEN letter.
    pub const fn from_char(c: char) -> Option<Piece> {
        let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
        match PieceType::from_char(c) {
            Some(piece_type) => Some(Piece::new(color, piece_type)),
            None => None,
        }
    }
}

/// The FEN letter.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piece_halves_round_trip() {
        for (index, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.index(), index);
            assert_eq!(Piece::new(piece.color(), piece.piece_type()), piece);
            assert_eq!(Piece::from_char(piece.to_char()), Some(piece));
        }
        assert_eq!(Piece::from_char('x'), None);
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }
}
