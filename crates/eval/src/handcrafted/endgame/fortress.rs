//! A fortress: rook and pawn against a queen.
//!
//! The rook stands on its third rank, protected by a pawn on the second rank, which the king protects. The rook keeps the other king
//! away, and the queen alone cannot win anything. A rule of thumb: a zugzwang that breaks the fortress is not recognised.

use tabiya_core::{Board, Color, PieceType, Rank};
use tabiya_movegen::attacks::{king_attacks, pawn_attacks};

/// Returns true if `stronger` has a lone queen and the other side holds the fortress.
#[cold]
pub(super) fn holds_against_queen(board: &Board, stronger: Color) -> bool {
    let weaker = !stronger;
    if board.by_color(stronger).count() != 2 || board.by_color(weaker).count() != 3 {
        return false;
    }
    let piece = |color, piece_type| board.pieces(color, piece_type).first();
    let (Some(_), Some(rook), Some(pawn)) =
        (piece(stronger, PieceType::Queen), piece(weaker, PieceType::Rook), piece(weaker, PieceType::Pawn))
    else {
        return false;
    };
    let king = board.king(weaker);
    rook.relative_to(weaker).rank() == Rank::Third
        && pawn_attacks(weaker, pawn).contains(rook)
        && king.relative_to(weaker).rank() <= Rank::Second
        && king_attacks(king).contains(pawn)
        && board.king(stronger).relative_to(weaker).rank() >= Rank::Fourth
}

#[cfg(test)]
mod tests {
    use super::super::super::test_board::board;
    use super::*;

    #[test]
    fn rook_on_the_third_rank_holds() {
        let holds = |fen: &str| holds_against_queen(&board(fen), Color::White);
        assert!(holds("6k1/6p1/5r2/8/4Q3/8/8/4K3 w - - 0 1"));
        assert!(holds("8/1pk5/2r5/8/3Q4/4K3/8/8 b - - 0 1"));
        assert!(!holds("6k1/6p1/4r3/8/4Q3/8/8/4K3 w - - 0 1"), "the rook is not protected");
        assert!(!holds("4k3/6p1/5r2/8/3Q4/8/8/4K3 w - - 0 1"), "the king is away");
        assert!(!holds("6k1/6p1/4Kr2/8/4Q3/8/8/8 w - - 0 1"), "the other king has crossed the third rank");
        assert!(!holds("6k1/8/6p1/5r2/4Q3/8/8/4K3 w - - 0 1"), "the pawn has left the second rank");
        assert!(!holds_against_queen(&board("6k1/6p1/5r2/8/4Q3/8/8/4K3 w - - 0 1"), Color::Black));
    }
}
