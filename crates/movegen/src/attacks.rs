//! Attacks of each piece, and lines between squares.
//!
//! ```
//! use tabiya_core::{Bitboard, Square};
//! use tabiya_movegen::attacks;
//!
//! assert_eq!(attacks::knight_attacks(Square::A1), Square::B3.bitboard() | Square::C2.bitboard());
//! let occupied = Square::A4.bitboard() | Square::C1.bitboard();
//! assert_eq!(attacks::rook_attacks(Square::A1, occupied).count(), 3 + 2);
//! assert_eq!(attacks::between(Square::A1, Square::D4).count(), 2);
//! ```

use crate::tables::{leapers, rays, sliders};
use tabiya_core::{Bitboard, Color, Piece, PieceType, Square};

/// Returns the squares that a pawn of `color` on `square` attacks.
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    leapers::pawn_attacks(color, square)
}

/// Returns the squares that a knight attacks.
#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    leapers::knight_attacks(square)
}

/// Returns the squares that a king attacks.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    leapers::king_attacks(square)
}

/// Returns the squares that a bishop attacks, up to and including the first occupied square in each direction.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::bishop_attacks(square, occupied)
}

/// Returns the squares that a rook attacks, up to and including the first occupied square in each direction.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::rook_attacks(square, occupied)
}

/// Returns the squares that a queen attacks, up to and including the first occupied square in each direction.
#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}

/// Returns the squares that any piece attacks. Pawn pushes are not attacks.
#[inline]
pub fn piece_attacks(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.piece_type() {
        PieceType::Pawn => pawn_attacks(piece.color(), square),
        PieceType::Knight => knight_attacks(square),
        PieceType::Bishop => bishop_attacks(square, occupied),
        PieceType::Rook => rook_attacks(square, occupied),
        PieceType::Queen => queen_attacks(square, occupied),
        PieceType::King => king_attacks(square),
    }
}

/// Returns the squares that a rook attacks on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    rays::rook_rays(square)
}

/// Returns the squares that a bishop attacks on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    rays::bishop_rays(square)
}

/// Returns the squares strictly between two squares on one rank, file or diagonal; empty if they share none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    rays::between(a, b)
}

/// Returns the whole rank, file or diagonal, from edge to edge, through two different squares; empty if they
/// share none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    rays::line(a, b)
}
