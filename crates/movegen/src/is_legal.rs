//! Legality of a single move that was not just generated: a TT move, a killer, a user's input.

use crate::attacks;
use crate::generate::castling_is_legal;
use crate::legality::{attacked_by_leapers, attacked_by_slider, en_passant_is_legal};
use crate::position::Position;
use tabiya_core::{Bitboard, Move, MoveKind, Piece, PieceType, Rank, Square};

impl Position {
    /// Returns true if the move is legal in this position. Any 16 bits are allowed, such as a move from a
    /// transposition table that has a key collision.
    ///
    /// ```
    /// use tabiya_core::{Move, MoveKind, Square};
    /// use tabiya_movegen::Position;
    ///
    /// let position = Position::startpos();
    /// assert!(position.is_legal(Move::new(Square::E2, Square::E4, MoveKind::DoublePush)));
    /// assert!(!position.is_legal(Move::new(Square::E2, Square::E4, MoveKind::Quiet)));
    /// assert!(!position.is_legal(Move::new(Square::E1, Square::E2, MoveKind::Quiet)));
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else { return false };
        match mv.kind() {
            _ if !mv.is_canonical() => return false,
            MoveKind::Castle(side) => {
                return piece.piece_type() == PieceType::King
                    && self.checkers().is_empty()
                    && self.castling_rook(us, side) == Some(to)
                    && castling_is_legal(self.board(), from, to, side, attacked_by_leapers(self.board()));
            }
            MoveKind::EnPassant => {
                return piece.piece_type() == PieceType::Pawn
                    && self.en_passant() == Some(to)
                    && attacks::pawn_attacks(us, from).contains(to)
                    && en_passant_is_legal(self.board(), from, to);
            }
            _ => {}
        }
        let target_matches_kind = match self.piece_on(to) {
            Some(victim) => mv.is_capture() && victim.color() != us,
            None => !mv.is_capture(),
        };
        target_matches_kind && self.is_pseudo_legal(piece, mv) && self.leaves_king_safe(piece, from, to)
    }

    /// Returns true if the move is pseudo-legal. The caller has checked the piece on the target square.
    fn is_pseudo_legal(&self, piece: Piece, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if piece.piece_type() != PieceType::Pawn {
            return matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture)
                && attacks::piece_attacks(piece, from, self.occupied()).contains(to);
        }
        let us = piece.color();
        if mv.promotion().is_some() != (to.rank() == Rank::Eighth.relative_to(us)) {
            return false;
        }
        let ahead = from.bitboard().forward(us);
        if mv.is_capture() {
            attacks::pawn_attacks(us, from).contains(to)
        } else if mv.kind() == MoveKind::DoublePush {
            from.rank() == Rank::Second.relative_to(us)
                && ahead.forward(us).contains(to)
                && ahead.is_disjoint(self.occupied())
        } else {
            ahead.contains(to)
        }
    }

    /// Returns true if the move does not leave the moving side's king in check.
    fn leaves_king_safe(&self, piece: Piece, from: Square, to: Square) -> bool {
        if piece.piece_type() == PieceType::King {
            let occupied = self.occupied() ^ from.bitboard();
            return !attacked_by_leapers(self.board()).contains(to)
                && !attacked_by_slider(self.board(), to, occupied);
        }
        let king = self.king(piece.color());
        let legality = self.legality();
        let line = if legality.pinned.contains(from) { attacks::line(king, from) } else { Bitboard::FULL };
        (line & legality.check_mask(king)).contains(to)
    }
}
