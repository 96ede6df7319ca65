//! The pawns before a king: his own that hide him and the enemy's that storm him.

use crate::Score;
use crate::side::{Side, from_edge};
use crate::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, File, PieceType, Square};

/// What the pawns do for a king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shelter {
    /// Points of the king's side.
    pub(crate) score: Score,
    /// Units of danger to the king.
    pub(crate) danger: Score,
}

/// The shelter of a king of `S` on `king`: his file and those beside it (at the edge, the three nearest).
#[inline(always)]
pub(crate) fn shelter<S: Side, T: Tracer>(board: &Board, king: Square, tracer: &mut T) -> Shelter {
    let (ours, theirs) = (board.pieces(S::US, PieceType::Pawn), board.pieces(S::THEM, PieceType::Pawn));
    let (mut score, mut danger) = (Score::ZERO, Score::ZERO);
    let level_or_ahead = king.rank().bitboard() | ranks_ahead::<S>(king);
    let centre = king.file().index().clamp(1, 6);
    for file in (centre - 1..=centre + 1).map(|file| File::wrapping(file as u8)) {
        let own = rearmost::<S>(ours & level_or_ahead & file.bitboard());
        let enemy = rearmost::<S>(theirs & level_or_ahead & file.bitboard());
        let edge = from_edge(file);
        count!(tracer, S, score, shelter[edge][own]);
        count!(tracer, S, danger, danger_shelter[own]);
        if own != 0 && enemy == own + 1 {
            count!(tracer, S, score, storm_blocked[enemy]);
        } else {
            count!(tracer, S, score, storm[edge][enemy]);
            count!(tracer, S, danger, danger_storm[enemy]);
        }
    }
    let kings_file = king.file().bitboard();
    if ours.is_disjoint(kings_file) {
        count!(tracer, S, score, king_open_file[usize::from(theirs.is_disjoint(kings_file))]);
    }
    if let Some(steps) = ours.into_iter().map(|pawn| pawn.distance(king)).min() {
        count!(tracer, S, score, king_pawn_distance * (steps - 1));
    }
    for pawn in ours {
        let (rank, file) = away::<S>(king, pawn);
        count!(tracer, S, score, king_own_pawn[rank][file]);
    }
    for pawn in theirs {
        let (rank, file) = away::<S>(king, pawn);
        count!(tracer, S, score, king_enemy_pawn[rank][file]);
    }
    Shelter { score, danger }
}

/// How far a pawn is from a king: ranks ahead, six behind being 0, and files.
#[inline(always)]
fn away<S: Side>(king: Square, pawn: Square) -> (usize, usize) {
    let rank = 6 + S::rank_of(pawn) - S::rank_of(king);
    (rank, king.file().index().abs_diff(pawn.file().index()))
}

fn ranks_ahead<S: Side>(king: Square) -> Bitboard {
    S::ahead(king.rank().bitboard())
}

/// The rank, as `S` counts, of the pawn nearest to its own side; 0 if there is none.
fn rearmost<S: Side>(pawns: Bitboard) -> usize {
    let nearest = if S::US.index() == 0 { pawns.first() } else { pawns.last() };
    nearest.map_or(0, |square| S::rank_of(square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::{Black, White};
    use crate::tracer::Silent;

    #[test]
    fn a_castled_king_is_better_sheltered() {
        let fen = "rnbq1rk1/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQ1RK1 w - - 0 1";
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let at = |square| shelter::<White, Silent>(&board, square, &mut Silent);
        assert!(at(Square::G1).score.middle_game() > at(Square::E1).score.middle_game());
        assert!(at(Square::G1).score.middle_game() > at(Square::G4).score.middle_game());
        assert_eq!(at(Square::G1), shelter::<Black, Silent>(&board, Square::G8, &mut Silent));
        assert_eq!(rearmost::<White>(board.pieces(tabiya_core::Color::White, PieceType::Pawn)), 1);
        assert_eq!(rearmost::<Black>(Bitboard::EMPTY), 0);
        assert_eq!(away::<White>(Square::G1, Square::F2), (7, 1));
        assert_eq!(away::<Black>(Square::A1, Square::H7), (0, 7));
        assert_eq!(away::<White>(Square::H8, Square::A2), (0, 7));
    }
}
