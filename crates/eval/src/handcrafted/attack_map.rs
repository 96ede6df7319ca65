//! The attack map: which squares each side attacks. The piece terms fill it in, and the later terms read it.

use super::side::{Black, Side, White};
use tabiya_core::{Bitboard, Board, Color, PieceType, Square};
use tabiya_movegen::attacks;

/// The attacks of one side.
pub(super) struct SideAttacks {
    /// The squares attacked by pieces of each type.
    pub(super) by: [Bitboard; PieceType::COUNT],
    /// The squares attacked by any piece.
    pub(super) all: Bitboard,
    /// The squares attacked at least twice.
    pub(super) twice: Bitboard,
    /// The mobility area: the squares that count for mobility.
    pub(super) area: Bitboard,
    /// Pieces of either colour that alone stand between this side's king and an enemy slider.
    pub(super) blockers: Bitboard,
    /// The king ring: the 3x3 block around the king, moved inwards at the edge of the board.
    pub(super) ring: Bitboard,
    /// The number of knights, bishops, rooks and queens that attack the enemy king ring.
    pub(super) ring_attackers: [u8; 4],
    /// The number of attacks on squares next to the enemy king.
    pub(super) king_attacks: u32,
}

/// The attacks of both sides.
pub(super) struct AttackMap {
    pub(super) sides: [SideAttacks; 2],
}

impl AttackMap {
    /// Creates the map with the attacks of pawns and kings. The piece terms add the other pieces.
    #[inline(always)]
    pub(super) fn new(board: &Board) -> AttackMap {
        AttackMap { sides: [pawns_and_king::<White>(board), pawns_and_king::<Black>(board)] }
    }

    /// The attacks of one side.
    #[inline(always)]
    pub(super) fn of(&self, color: Color) -> &SideAttacks {
        &self.sides[color.index()]
    }

    /// Adds the attacks of one piece of `S`.
    #[inline(always)]
    pub(super) fn add<S: Side>(&mut self, piece_type: PieceType, attacked: Bitboard) {
        let side = &mut self.sides[S::US.index()];
        side.twice |= side.all & attacked;
        side.all |= attacked;
        side.by[piece_type.index()] |= attacked;
    }

    /// The squares strongly protected by `S`: defended by a pawn, or attacked twice by `S` and not by the
    /// enemy.
    #[inline(always)]
    pub(super) fn strongly_protected<S: Side>(&self) -> Bitboard {
        let (ours, theirs) = (self.of(S::US), self.of(S::THEM));
        ours.by[PieceType::Pawn.index()] | (ours.twice - theirs.twice)
    }
}

#[inline(always)]
fn pawns_and_king<S: Side>(board: &Board) -> SideAttacks {
    let king = board.king(S::US);
    let pawns = board.pieces(S::US, PieceType::Pawn);
    let by_pawns = S::pawn_attacks(pawns);
    let by_king = attacks::king_attacks(king);
    let mut by = [Bitboard::EMPTY; PieceType::COUNT];
    by[PieceType::Pawn.index()] = by_pawns;
    by[PieceType::King.index()] = by_king;
    let low_ranks = S::rank(1) | S::rank(2);
    let low_or_blocked = pawns & (low_ranks | board.occupied().forward(S::THEM));
    let by_their_pawns = S::Them::pawn_attacks(board.pieces(S::THEM, PieceType::Pawn));
    SideAttacks {
        by,
        all: by_pawns | by_king,
        twice: S::pawn_double_attacks(pawns) | (by_pawns & by_king),
        area: !(low_or_blocked | king.bitboard() | board.pieces(S::US, PieceType::Queen) | by_their_pawns),
        blockers: blockers::<S>(board, king),
        ring: king_ring(king),
        ring_attackers: [0; 4],
        king_attacks: 0,
    }
}

/// The 3x3 block around a king, moved inwards at the edge so that it always has nine squares.
#[inline(always)]
fn king_ring(king: Square) -> Bitboard {
    let file = (king.file() as u8).clamp(1, 6);
    let rank = (king.rank() as u8).clamp(1, 6);
    let centre = Square::wrapping(rank * 8 + file);
    attacks::king_attacks(centre) | centre.bitboard()
}

#[inline(always)]
fn blockers<S: Side>(board: &Board, king: Square) -> Bitboard {
    let snipers = attacks::rook_rays(king) & board.orthogonal_sliders(S::THEM)
        | attacks::bishop_rays(king) & board.diagonal_sliders(S::THEM);
    lone_blockers(board, king, snipers)
}

/// The pieces that stand alone between one of the `snipers` and their target.
#[inline(always)]
pub(super) fn lone_blockers(board: &Board, target: Square, snipers: Bitboard) -> Bitboard {
    let mut blockers = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(target, sniper) & board.occupied();
        if !between.more_than_one() {
            blockers |= between;
        }
    }
    blockers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn king_ring_has_nine_squares() {
        for square in Square::ALL {
            assert_eq!(king_ring(square).count(), 9);
            assert!(king_ring(square).contains(square));
            assert_eq!(king_ring(square).flip_files(), king_ring(square.flip_file()));
        }
    }

    #[test]
    fn new_map_has_pawns_and_kings() {
        let map = AttackMap::new(&Board::startpos());
        let white = map.of(Color::White);
        assert_eq!(white.all.count(), 8 + 5);
        assert_eq!(white.twice.count(), 6, "b3 to g3");
        assert!(white.area.is_disjoint(tabiya_core::Rank::Second.bitboard()));
        assert_eq!(white.blockers, Bitboard::EMPTY);
    }
}
