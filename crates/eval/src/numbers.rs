//! How many pieces there are of what, counted once.

use crate::Phase;
use tabiya_core::{Bitboard, Board, Color, PieceType};

/// The number of pieces of each kind of both sides.
pub(crate) struct Numbers {
    of: [[i32; 5]; 2],
}

impl Numbers {
    /// Counts the pieces on a board.
    #[inline(always)]
    pub(crate) fn of(board: &Board) -> Numbers {
        let side = |color| {
            let number = |piece_type| board.pieces(color, piece_type).count() as i32;
            [
                number(PieceType::Pawn),
                number(PieceType::Knight),
                number(PieceType::Bishop),
                number(PieceType::Rook),
                number(PieceType::Queen),
            ]
        };
        Numbers { of: [side(Color::White), side(Color::Black)] }
    }

    /// How many of this kind; not for kings.
    #[inline(always)]
    pub(crate) fn get(&self, color: Color, piece_type: PieceType) -> i32 {
        self.of[color.index()][piece_type.index()]
    }

    /// Knights, bishops, rooks and queens of one side.
    #[inline(always)]
    pub(crate) fn pieces_of(&self, color: Color) -> i32 {
        self.of[color.index()][1..].iter().sum()
    }

    /// Knights, bishops, rooks and queens of both sides.
    #[inline(always)]
    pub(crate) fn pieces(&self) -> i32 {
        self.pieces_of(Color::White) + self.pieces_of(Color::Black)
    }

    /// Pawns of both sides.
    #[inline(always)]
    pub(crate) fn pawns(&self) -> i32 {
        self.of[0][0] + self.of[1][0]
    }

    /// The phase of the game.
    #[inline(always)]
    pub(crate) fn phase(&self) -> Phase {
        let [white, black] = &self.of;
        Phase::of_pieces(white[1] + black[1] + white[2] + black[2], white[3] + black[3], white[4] + black[4])
    }
}

/// Has the set exactly one square?
#[inline(always)]
pub(crate) fn is_one(set: Bitboard) -> bool {
    set.any() && !set.more_than_one()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counts() {
        let numbers = Numbers::of(&Board::startpos());
        assert_eq!((numbers.pawns(), numbers.pieces(), numbers.pieces_of(Color::Black)), (16, 14, 7));
        assert_eq!(numbers.get(Color::White, PieceType::Bishop), 2);
        assert_eq!(numbers.phase(), Phase::MIDDLE_GAME);
        for set in [0, 1, 0xff, u64::MAX, 0x8000_0000_0000_0001] {
            assert_eq!(is_one(Bitboard(set)), set.count_ones() == 1);
        }
    }
}
