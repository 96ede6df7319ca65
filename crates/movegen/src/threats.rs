//! The attacks of one side.

use crate::attacks;
use crate::position::Position;
use tabiya_core::{Bitboard, Color, PieceType, Square};

/// The squares that one side attacks, by the value of the attackers. Pinned pieces attack as well.
///
/// ```
/// use tabiya_core::{Color, PieceType, Square};
/// use tabiya_movegen::{Position, Threats};
///
/// let position = Position::from_fen("4k3/8/1p6/6n1/8/2r5/8/4K3 w - - 0 1")?;
/// let threats = Threats::of(&position, Color::Black);
/// assert!(threats.all.contains(Square::C1));
/// assert!(threats.by_lesser(PieceType::Queen).contains(Square::C1));
/// assert!(!threats.by_lesser(PieceType::Rook).contains(Square::C1));
/// # Ok::<(), tabiya_core::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threats {
    /// Attacked by any piece.
    pub all: Bitboard,
    /// Attacked by pawns.
    pub by_pawns: Bitboard,
    /// Attacked by pawns, knights or bishops.
    pub by_minors: Bitboard,
    /// Attacked by pawns, knights, bishops or rooks.
    pub by_rooks: Bitboard,
}

impl Threats {
    /// Returns the attacks of a side.
    #[inline]
    pub fn of(position: &Position, color: Color) -> Threats {
        Threats::by_pieces(color, position.occupied(), |piece_type| position.pieces(color, piece_type))
    }

    /// Returns the attacks of a side with these pieces, on a board that need not be a legal position.
    #[inline]
    pub fn by_pieces(color: Color, occupied: Bitboard, pieces: impl Fn(PieceType) -> Bitboard) -> Threats {
        let pawns = pieces(PieceType::Pawn).forward(color);
        let by_pawns = pawns.east() | pawns.west();
        let by_minors = by_pawns
            | union(pieces(PieceType::Knight), attacks::knight_attacks)
            | union(pieces(PieceType::Bishop), |square| attacks::bishop_attacks(square, occupied));
        let by_rooks =
            by_minors | union(pieces(PieceType::Rook), |square| attacks::rook_attacks(square, occupied));
        let all = by_rooks
            | union(pieces(PieceType::Queen), |square| attacks::queen_attacks(square, occupied))
            | union(pieces(PieceType::King), attacks::king_attacks);
        Threats { all, by_pawns, by_minors, by_rooks }
    }

    /// Returns the squares on which a piece of this type of the other side is attacked by a less valuable
    /// piece. None for a king, whose attackers give check.
    #[inline]
    pub fn by_lesser(&self, piece_type: PieceType) -> Bitboard {
        match piece_type {
            PieceType::Pawn | PieceType::King => Bitboard::EMPTY,
            PieceType::Knight | PieceType::Bishop => self.by_pawns,
            PieceType::Rook => self.by_minors,
            PieceType::Queen => self.by_rooks,
        }
    }
}

/// The squares that pieces on `squares` attack.
#[inline]
fn union(squares: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
    squares.into_iter().fold(Bitboard::EMPTY, |all, square| all | attacks(square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::SplitMix64;

    /// Compares with the attackers of each square, in random games.
    #[test]
    fn all_attacks_equal_those_square_by_square() {
        for number in 0..20 {
            let mut position = Position::chess960(48 * number).expect("a number below 960");
            let mut random = SplitMix64::new(number.into());
            for _ in 0..if cfg!(miri) { 2 } else { 80 } {
                for color in Color::ALL {
                    let threats = Threats::of(&position, color);
                    for square in Square::ALL {
                        let is_attacked = position.is_attacked(square, color);
                        assert_eq!(threats.all.contains(square), is_attacked, "{square} in {position}");
                    }
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[random.below(moves.len())]);
            }
        }
    }

    #[test]
    fn threats_come_from_less_valuable_pieces() {
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
            for piece_type in [PieceType::Pawn, PieceType::King] {
                assert!(!threatened(piece_type, square), "{piece_type:?} on {square}");
            }
        }
    }
}
