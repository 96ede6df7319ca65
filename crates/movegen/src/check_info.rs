//! Precomputed information on which moves of a position give check.

use crate::attacks;
use crate::position::Position;
use tabiya_core::{Bitboard, Move, PieceType, Square};

/// The squares from which the side to move would give check, and the pieces that can discover a check.
///
/// [`Position::gives_check`] looks along the king's lines for each move. `CheckInfo` does so once for all
/// moves of a position: afterwards a move gives check if its target is a checking square of the piece, or if
/// a discoverer leaves its line.
///
/// ```
/// use tabiya_core::{PieceType, Square};
/// use tabiya_movegen::Position;
///
/// let position: Position = "4k3/8/8/8/8/8/4N3/R3K2R w KQ - 0 1".parse()?;
/// let info = position.check_info();
/// assert!(info.squares(PieceType::Knight).contains(Square::F6));
/// let checks = position.legal_moves().into_iter().filter(|&mv| info.gives_check(&position, mv));
/// assert_eq!(checks.count(), 2); // Ra8 and Rh8
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckInfo {
    king: Square,
    squares: [Bitboard; PieceType::COUNT],
    discoverers: Bitboard,
}

impl Position {
    /// Computes the checking squares and discoverers of the side to move.
    pub fn check_info(&self) -> CheckInfo {
        let us = self.side_to_move();
        let king = self.king(!us);
        let diagonal = attacks::bishop_attacks(king, self.occupied());
        let orthogonal = attacks::rook_attacks(king, self.occupied());
        let mut squares = [Bitboard::EMPTY; PieceType::COUNT];
        squares[PieceType::Pawn.index()] = attacks::pawn_attacks(!us, king);
        squares[PieceType::Knight.index()] = attacks::knight_attacks(king);
        squares[PieceType::Bishop.index()] = diagonal;
        squares[PieceType::Rook.index()] = orthogonal;
        squares[PieceType::Queen.index()] = diagonal | orthogonal;
        CheckInfo { king, squares, discoverers: self.blockers(!us) & self.by_color(us) }
    }
}

impl CheckInfo {
    /// Returns the squares from which a piece of this type would give check; none for a king. They may be
    /// occupied by pieces of the side to move.
    #[inline]
    pub fn squares(&self, piece_type: PieceType) -> Bitboard {
        self.squares[piece_type.index()]
    }

    /// Returns the pieces that give a discovered check when they leave their line to the enemy king.
    #[inline]
    pub fn discoverers(&self) -> Bitboard {
        self.discoverers
    }

    /// Returns the squares to which a piece of this type on `from` gives check, directly or by discovery. Castling, en-passant
    /// captures and promotions can give check in other ways.
    #[inline]
    pub fn targets(&self, piece_type: PieceType, from: Square) -> Bitboard {
        let direct = self.squares(piece_type);
        if self.discoverers.contains(from) { direct | !attacks::line(from, self.king) } else { direct }
    }

    /// Returns true if the legal move gives check. `position` must be the one that `self` was computed from.
    #[inline]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        if mv.is_castle() || mv.is_en_passant() || mv.promotion().is_some() {
            // These moves change the board beyond moving one piece.
            return position.gives_check(mv);
        }
        let from = mv.from();
        position.piece_on(from).is_some_and(|piece| self.targets(piece.piece_type(), from).contains(mv.to()))
    }
}
