//! King shelter: own pawns in front of a king and the enemy pawns that storm it.

use super::super::score::{KingDanger, Score};
use super::super::side::{Side, edge_distance};
use super::super::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, Color, File, PieceType, Square};

/// The pawn shelter of a king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shelter {
    /// The bonus of the king's side, in centipawns.
    pub(crate) score: Score,
    /// The contribution to the danger to the king, in king-danger units.
    pub(crate) danger: KingDanger,
}

/// The pawn shelter of a king of `S` on `king`: its file and the adjacent ones, or the nearest three at the
/// edge.
#[inline(always)]
pub(crate) fn shelter<S: Side, T: Tracer>(board: &Board, king: Square, tracer: &mut T) -> Shelter {
    let (ours, theirs) = (board.pieces(S::US, PieceType::Pawn), board.pieces(S::THEM, PieceType::Pawn));
    let (mut score, mut danger) = (Score::ZERO, KingDanger::ZERO);
    let not_behind = king.rank().bitboard() | S::ahead(king.rank().bitboard());
    let centre = king.file().index().clamp(1, 6);
    for file in (centre - 1..=centre + 1).map(|file| File::wrapping(file as u8)) {
        let own = rearmost_rank::<S>(ours & not_behind & file.bitboard());
        let enemy = rearmost_rank::<S>(theirs & not_behind & file.bitboard());
        let edge = edge_distance(file);
        count!(tracer, S, score, shelter[edge][own]);
        count!(tracer, S, danger, king_danger_shelter[own]);
        if own != 0 && enemy == own + 1 {
            count!(tracer, S, score, storm_blocked[enemy]);
        } else {
            count!(tracer, S, score, storm[edge][enemy]);
            count!(tracer, S, danger, king_danger_storm[enemy]);
        }
    }
    let king_file = king.file().bitboard();
    if ours.is_disjoint(king_file) {
        count!(tracer, S, score, king_open_file[usize::from(theirs.is_disjoint(king_file))]);
    }
    if let Some(steps) = ours.into_iter().map(|pawn| pawn.distance(king)).min() {
        count!(tracer, S, score, king_pawn_distance * (steps - 1));
    }
    for pawn in ours {
        let (rank, file) = offset::<S>(king, pawn);
        count!(tracer, S, score, king_own_pawn[rank][file]);
    }
    for pawn in theirs {
        let (rank, file) = offset::<S>(king, pawn);
        count!(tracer, S, score, king_enemy_pawn[rank][file]);
    }
    Shelter { score, danger }
}

/// The offset of a pawn from a king: ranks ahead plus six (0 for six ranks behind), and files beside.
#[inline(always)]
fn offset<S: Side>(king: Square, pawn: Square) -> (usize, usize) {
    let rank = 6 + S::rank_of(pawn) - S::rank_of(king);
    (rank, king.file().index().abs_diff(pawn.file().index()))
}

/// The relative rank number, from `S`'s point of view, of the pawn nearest to `S`'s back rank; 0 if there is
/// none.
fn rearmost_rank<S: Side>(pawns: Bitboard) -> usize {
    let rearmost = match S::US {
        Color::White => pawns.first(),
        Color::Black => pawns.last(),
    };
    rearmost.map_or(0, |square| S::rank_of(square))
}

#[cfg(test)]
mod tests {
    use super::super::super::side::{Black, White};
    use super::super::super::test_board::board;
    use super::super::super::tracer::Silent;
    use super::*;

    #[test]
    fn shelter_is_the_same_for_both_sides() {
        let board = board("rnbq1rk1/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQ1RK1 w - - 0 1");
        let white = shelter::<White, Silent>(&board, Square::G1, &mut Silent);
        assert_eq!(white, shelter::<Black, Silent>(&board, Square::G8, &mut Silent));
        assert_ne!(white, shelter::<White, Silent>(&board, Square::E1, &mut Silent));
    }

    #[test]
    fn rearmost_rank_is_relative() {
        let board = board("4k3/3p4/3p4/8/4P3/8/4P3/4K3 w - - 0 1");
        assert_eq!(rearmost_rank::<White>(board.pieces(Color::White, PieceType::Pawn)), 1);
        assert_eq!(rearmost_rank::<Black>(board.pieces(Color::Black, PieceType::Pawn)), 1);
        assert_eq!(rearmost_rank::<Black>(board.pieces(Color::White, PieceType::Pawn)), 4);
        assert_eq!(rearmost_rank::<Black>(Bitboard::EMPTY), 0);
    }

    #[test]
    fn offset_counts_ranks_ahead_and_files() {
        assert_eq!(offset::<White>(Square::G1, Square::F2), (7, 1));
        assert_eq!(offset::<Black>(Square::A1, Square::H7), (0, 7));
        assert_eq!(offset::<White>(Square::H8, Square::A2), (0, 7));
    }
}
