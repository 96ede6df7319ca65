//! The number of pieces of each type, counted once per position.

use super::phase::Phase;
use tabiya_core::{Board, Color, PieceType};

/// The number of pieces of each type, for both sides. Kings are not counted.
pub(crate) struct MaterialCounts {
    counts: [[i32; 5]; 2],
}

impl MaterialCounts {
    /// Counts the pieces on a board.
    #[inline(always)]
    pub(crate) fn of(board: &Board) -> MaterialCounts {
        let side = |color| {
            let count = |piece_type| board.pieces(color, piece_type).count() as i32;
            [
                count(PieceType::Pawn),
                count(PieceType::Knight),
                count(PieceType::Bishop),
                count(PieceType::Rook),
                count(PieceType::Queen),
            ]
        };
        MaterialCounts { counts: [side(Color::White), side(Color::Black)] }
    }

    /// The number of pieces of one type, which must not be the king.
    #[inline(always)]
    pub(super) fn get(&self, color: Color, piece_type: PieceType) -> i32 {
        self.counts[color.index()][piece_type.index()]
    }

    /// The number of knights, bishops, rooks and queens of one side.
    #[inline(always)]
    pub(super) fn pieces_of(&self, color: Color) -> i32 {
        self.counts[color.index()][1..].iter().sum()
    }

    /// The number of knights, bishops, rooks and queens of both sides.
    #[inline(always)]
    pub(super) fn pieces(&self) -> i32 {
        self.pieces_of(Color::White) + self.pieces_of(Color::Black)
    }

    /// The number of pawns of both sides.
    #[inline(always)]
    pub(super) fn pawns(&self) -> i32 {
        self.counts[0][0] + self.counts[1][0]
    }

    /// The phase of the game.
    #[inline(always)]
    pub(super) fn phase(&self) -> Phase {
        let [white, black] = &self.counts;
        Phase::of_pieces(white[1] + black[1] + white[2] + black[2], white[3] + black[3], white[4] + black[4])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_start_position() {
        let counts = MaterialCounts::of(&Board::startpos());
        assert_eq!((counts.pawns(), counts.pieces(), counts.pieces_of(Color::Black)), (16, 14, 7));
        assert_eq!(counts.get(Color::White, PieceType::Bishop), 2);
        assert_eq!(counts.phase(), Phase::MIDDLEGAME);
    }
}
