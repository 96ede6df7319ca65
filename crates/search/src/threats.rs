//! What one side's pieces attack.

use tabiya_core::{Bitboard, Color, PieceType};
use tabiya_movegen::{Position, attacks};

/// The squares that one side attacks, pinned pieces included, by what attacks them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Threats {
    /// Any piece.
    pub(crate) all: Bitboard,
    /// Pawns.
    by_pawns: Bitboard,
    /// Pawns, knights and bishops.
    by_minors: Bitboard,
    /// All of these, and rooks.
    by_rooks: Bitboard,
}

impl Threats {
    /// Those of a side.
    pub(crate) fn of(position: &Position, color: Color) -> Threats {
        let occupied = position.occupied();
        let pawns = position.pieces(color, PieceType::Pawn).forward(color);
        let by_pawns = pawns.east() | pawns.west();
        let mut by_minors = by_pawns;
        for knight in position.pieces(color, PieceType::Knight) {
            by_minors |= attacks::knight_attacks(knight);
        }
        for bishop in position.pieces(color, PieceType::Bishop) {
            by_minors |= attacks::bishop_attacks(bishop, occupied);
        }
        let mut by_rooks = by_minors;
        for rook in position.pieces(color, PieceType::Rook) {
            by_rooks |= attacks::rook_attacks(rook, occupied);
        }
        let mut all = by_rooks | attacks::king_attacks(position.king(color));
        for queen in position.pieces(color, PieceType::Queen) {
            all |= attacks::queen_attacks(queen, occupied);
        }
        Threats { all, by_pawns, by_minors, by_rooks }
    }

    /// The squares on which a piece of the other side is attacked by something worth less.
    #[inline]
    pub(crate) fn by_lesser(&self, piece_type: PieceType) -> Bitboard {
        match piece_type {
            PieceType::Pawn | PieceType::King => Bitboard::EMPTY,
            PieceType::Knight | PieceType::Bishop => self.by_pawns,
            PieceType::Rook => self.by_minors,
            PieceType::Queen => self.by_rooks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::BENCH_POSITIONS;
    use tabiya_core::Square;

    #[test]
    fn agrees_with_asking_square_by_square() {
        for bench_position in BENCH_POSITIONS {
            let position: Position = bench_position.fen.parse().expect("a legal position");
            for color in [Color::White, Color::Black] {
                let threats = Threats::of(&position, color);
                for square in (0..64).filter_map(Square::from_index) {
                    assert_eq!(threats.all.contains(square), position.is_attacked(square, color), "{square}");
                }
            }
        }
    }

    #[test]
    fn what_is_worth_less_threatens() {
        let position: Position = "4k3/8/1p6/6n1/8/2r5/8/4K3 w - - 0 1".parse().expect("a legal position");
        let threats = Threats::of(&position, Color::Black);
        let threatened = |piece_type, square: Square| threats.by_lesser(piece_type).contains(square);
        for (square, minor, rook, queen) in [
            (Square::A5, true, true, true),
            (Square::F3, false, true, true),
            (Square::C1, false, false, true),
            (Square::E7, false, false, false),
        ] {
            assert_eq!(threatened(PieceType::Knight, square), minor, "{square}");
            assert_eq!(threatened(PieceType::Bishop, square), minor, "{square}");
            assert_eq!(threatened(PieceType::Rook, square), rook, "{square}");
            assert_eq!(threatened(PieceType::Queen, square), queen, "{square}");
            assert!(!threatened(PieceType::King, square) && !threatened(PieceType::Pawn, square));
        }
    }
}
