//! Special moves: promotions, captures in passing, castling.

use crate::line::Turn;
use crate::motif::{Finding, Motif};
use alloc::vec::Vec;
use tabiya_core::PieceType;

/// Returns the motifs that the kind of move is by itself.
pub(crate) fn find(turn: Turn<'_>) -> Vec<Finding> {
    let mv = turn.mv();
    let kinds = [
        (Motif::Promotion, mv.promotion().is_some()),
        (Motif::UnderPromotion, mv.promotion().is_some_and(|piece| piece != PieceType::Queen)),
        (Motif::EnPassant, mv.is_en_passant()),
        (Motif::Castling, mv.is_castle()),
    ];
    let shown = kinds.into_iter().filter(|&(_, is_shown)| is_shown);
    shown.map(|(motif, _)| turn.finding(motif, turn.to().bitboard())).collect()
}

#[cfg(test)]
mod tests {
    use crate::motif::Motif::{Castling, EnPassant, Promotion, UnderPromotion};
    use crate::testing::themes;

    #[test]
    fn special_moves_are_found() {
        assert_eq!(themes("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+"), [Promotion]);
        assert_eq!(themes("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=N"), [Promotion, UnderPromotion]);
        assert_eq!(themes("7k/8/8/pP6/8/8/8/4K3 w - a6 0 1", "bxa6"), [EnPassant]);
        assert_eq!(themes("k7/8/8/8/8/8/8/4K2R w K - 0 1", "O-O"), [Castling]);
    }
}
