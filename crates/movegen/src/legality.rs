//! Checkers and pinned pieces: they decide the legality of most moves.

use crate::attacks;
use crate::tables::king_attack_cache::KingAttackCache;
use tabiya_core::{Bitboard, Board, PieceType, Square};

/// The pieces that give check to the side to move, and its own pieces that are pinned to its king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Legality {
    pub(crate) checkers: Bitboard,
    pub(crate) pinned: Bitboard,
}

impl Legality {
    /// Stands for values that have not been computed. Never the value of a position: a king never gives check.
    pub(crate) const UNKNOWN: Legality = Legality { checkers: Bitboard::FULL, pinned: Bitboard::EMPTY };

    /// Returns false for [`UNKNOWN`](Legality::UNKNOWN).
    #[inline]
    pub(crate) const fn is_known(&self) -> bool {
        self.checkers.0 != Bitboard::FULL.0
    }

    /// Finds the checkers and the pinned pieces of the side to move.
    #[inline]
    pub(crate) fn of(board: &Board) -> Legality {
        let us = board.side_to_move();
        let (own, enemies) = (board.by_color(us), board.by_color(!us));
        let occupied = own | enemies;
        let king = board.king(us);
        let king_cache = KingAttackCache::of(king);

        let queens = board.by_type(PieceType::Queen);
        let mut checkers = (king_cache.knight_attacks & board.by_type(PieceType::Knight)
            | king_cache.pawn_attacks[us.index()] & board.by_type(PieceType::Pawn))
            & enemies;
        let mut pinned = Bitboard::EMPTY;
        let snipers = (king_cache.rook_rays & (board.by_type(PieceType::Rook) | queens)
            | king_cache.bishop_rays & (board.by_type(PieceType::Bishop) | queens))
            & enemies;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers.is_empty() {
                checkers |= sniper.bitboard();
            } else if !blockers.more_than_one() {
                pinned |= blockers;
            }
        }
        Legality { checkers, pinned: pinned & own }
    }

    /// Returns the target squares open to pieces other than the king: all squares without check, those
    /// that end a single check by capture or interposition, none in double check.
    #[inline]
    pub(crate) fn check_mask(&self, king: Square) -> Bitboard {
        match self.checkers.first() {
            None => Bitboard::FULL,
            Some(_) if self.checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker) | self.checkers,
        }
    }
}

/// Returns the pieces of either colour that attack `square`, given the occupied squares.
#[inline]
pub(crate) fn attackers_to(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    use tabiya_core::Color::{Black, White};
    attacks::pawn_attacks(Black, square) & board.pieces(White, PieceType::Pawn)
        | attacks::pawn_attacks(White, square) & board.pieces(Black, PieceType::Pawn)
        | attacks::knight_attacks(square) & board.by_type(PieceType::Knight)
        | attacks::king_attacks(square) & board.by_type(PieceType::King)
        | attacks::rook_attacks(square, occupied)
            & (board.by_type(PieceType::Rook) | board.by_type(PieceType::Queen))
        | attacks::bishop_attacks(square, occupied)
            & (board.by_type(PieceType::Bishop) | board.by_type(PieceType::Queen))
}

/// Returns true if a slider of the side not to move attacks `square`, given the occupied squares.
#[inline]
pub(crate) fn attacked_by_slider(board: &Board, square: Square, occupied: Bitboard) -> bool {
    let them = !board.side_to_move();
    (attacks::rook_rays(square).0 & board.orthogonal_sliders(them).0 != 0
        && !attacks::rook_attacks(square, occupied).is_disjoint(board.orthogonal_sliders(them)))
        || (attacks::bishop_rays(square).0 & board.diagonal_sliders(them).0 != 0
            && !attacks::bishop_attacks(square, occupied).is_disjoint(board.diagonal_sliders(them)))
}

/// Returns the squares that pawns, knights and king of the side not to move attack.
#[inline]
pub(crate) fn attacked_by_leapers(board: &Board) -> Bitboard {
    let them = !board.side_to_move();
    let pawns = board.pieces(them, PieceType::Pawn).forward(them);
    let knights = board.pieces(them, PieceType::Knight);
    let (near, far) = (knights.west() | knights.east(), knights.west().west() | knights.east().east());
    pawns.west()
        | pawns.east()
        | near.north().north()
        | near.south().south()
        | far.north()
        | far.south()
        | attacks::king_attacks(board.king(them))
}

/// Returns true if the en-passant capture by the pawn on `from` is legal. `to` must be the board's
/// en-passant square and the pawn must attack it.
///
/// Two pawns leave their squares at once, which pins do not cover, so the king is examined after the
/// capture. Sliders are enough: after a double push only the pushed pawn, which is captured, or a slider
/// behind it can give check. Set-ups with any other check and an en-passant square are rejected
/// ([`BoardError::ImpossibleEnPassant`](tabiya_core::BoardError::ImpossibleEnPassant)).
pub(crate) fn en_passant_is_legal(board: &Board, from: Square, to: Square) -> bool {
    let us = board.side_to_move();
    let victim = Square::new(to.file(), from.rank()).bitboard();
    let occupied = (board.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
    !attacked_by_slider(board, board.king(us), occupied)
}
