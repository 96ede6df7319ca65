//! Who attacks what: gathered once, while the pieces are looked at, and asked by all later terms.

use crate::side::{Black, Side, White};
use tabiya_core::{Bitboard, Board, Color, PieceType, Square};
use tabiya_movegen::attacks;

/// What one side attacks, and what there is to know about its king.
pub(crate) struct SideAttacks {
    /// The squares attacked by pieces of each kind.
    pub(crate) by: [Bitboard; PieceType::COUNT],
    /// The squares attacked by anything.
    pub(crate) all: Bitboard,
    /// The squares attacked twice or more.
    pub(crate) twice: Bitboard,
    /// Squares that count for mobility.
    pub(crate) area: Bitboard,
    /// Pieces of either colour that alone stand between this side's king and an enemy slider.
    pub(crate) blockers: Bitboard,
    /// The king's square and those around it; at the edge one row further in.
    pub(crate) ring: Bitboard,
    /// How many knights, bishops, rooks and queens attack the other king's ring.
    pub(crate) ring_attackers: [u8; 4],
    /// How many attacks there are on squares beside the other king.
    pub(crate) king_attacks: u32,
}

/// Both sides' attacks.
pub(crate) struct AttackMap {
    pub(crate) sides: [SideAttacks; 2],
}

impl AttackMap {
    /// The map with pawns and kings on it; the pieces come while they are looked at.
    #[inline(always)]
    pub(crate) fn new(board: &Board) -> AttackMap {
        AttackMap { sides: [start::<White>(board), start::<Black>(board)] }
    }

    /// One side's attacks.
    #[inline(always)]
    pub(crate) fn of(&self, color: Color) -> &SideAttacks {
        &self.sides[color.index()]
    }

    /// Adds what one piece of `S` attacks.
    #[inline(always)]
    pub(crate) fn add<S: Side>(&mut self, piece_type: PieceType, attacked: Bitboard) {
        let side = &mut self.sides[S::US.index()];
        side.twice |= side.all & attacked;
        side.all |= attacked;
        side.by[piece_type.index()] |= attacked;
    }

    /// The squares where an attack on `S`'s piece is worth something: not defended by a pawn, and not
    /// defended twice unless attacked twice.
    #[inline(always)]
    pub(crate) fn strongly_held<S: Side>(&self) -> Bitboard {
        let (ours, theirs) = (self.of(S::US), self.of(S::THEM));
        ours.by[PieceType::Pawn.index()] | (ours.twice - theirs.twice)
    }
}

#[inline(always)]
fn start<S: Side>(board: &Board) -> SideAttacks {
    let king = board.king(S::US);
    let pawns = board.pieces(S::US, PieceType::Pawn);
    let by_pawns = S::pawn_attacks(pawns);
    let by_king = attacks::king_attacks(king);
    let mut by = [Bitboard::EMPTY; PieceType::COUNT];
    by[PieceType::Pawn.index()] = by_pawns;
    by[PieceType::King.index()] = by_king;
    let low = S::rank(1) | S::rank(2);
    let blocked = pawns & (low | board.occupied().forward(S::THEM));
    let by_their_pawns = S::Them::pawn_attacks(board.pieces(S::THEM, PieceType::Pawn));
    SideAttacks {
        by,
        all: by_pawns | by_king,
        twice: S::pawn_double_attacks(pawns) | (by_pawns & by_king),
        area: !(blocked | king.bitboard() | board.pieces(S::US, PieceType::Queen) | by_their_pawns),
        blockers: blockers::<S>(board, king),
        ring: ring(king),
        ring_attackers: [0; 4],
        king_attacks: 0,
    }
}

/// The squares around a king, of which there are always nine.
#[inline(always)]
fn ring(king: Square) -> Bitboard {
    let file = (king.file() as u8).clamp(1, 6);
    let rank = (king.rank() as u8).clamp(1, 6);
    let centre = Square::wrapping(rank * 8 + file);
    attacks::king_attacks(centre) | centre.bitboard()
}

#[inline(always)]
fn blockers<S: Side>(board: &Board, king: Square) -> Bitboard {
    let snipers = attacks::rook_rays(king) & board.orthogonal_sliders(S::THEM)
        | attacks::bishop_rays(king) & board.diagonal_sliders(S::THEM);
    let mut blockers = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(king, sniper) & board.occupied();
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
    fn rings_have_nine_squares() {
        for square in Square::ALL {
            assert_eq!(ring(square).count(), 9);
            assert!(ring(square).contains(square));
            assert_eq!(ring(square).flip_files(), ring(square.flip_file()));
        }
    }

    #[test]
    fn the_start_has_pawns_and_kings() {
        let map = AttackMap::new(&Board::startpos());
        let white = map.of(Color::White);
        assert_eq!(white.all.count(), 8 + 5);
        assert_eq!(white.twice.count(), 6, "the squares before the pawns, but for the edges");
        assert!(white.area.is_disjoint(tabiya_core::Rank::Second.bitboard()));
        assert_eq!(white.blockers, Bitboard::EMPTY);
    }
}
