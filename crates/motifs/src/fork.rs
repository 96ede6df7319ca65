//! Forks: one piece attacks two or more.

use crate::exchange::{is_en_prise, is_undefended, value, value_on};
use crate::line::Turn;
use crate::motif::{Finding, Motif};
use tabiya_core::{Bitboard, PieceType};

/// The moved piece attacks two pieces or more that are worth more than it, or that are undefended and do not attack it, and
/// cannot itself be captured with profit. The last move of a line wins nothing any more, so it is no fork.
pub(crate) fn find(turn: Turn<'_>) -> Option<Finding> {
    let after = turn.after();
    let piece = after.piece_on(turn.to())?;
    if turn.next().is_none() || piece.piece_type() == PieceType::King || is_en_prise(after, turn.to()) {
        return None;
    }
    let targets: Bitboard = (after.attacks_from(turn.to()) & after.by_color(!piece.color()))
        .into_iter()
        .filter(|&square| {
            let worth = value_on(after, square);
            let is_loose = || is_undefended(after, square) && !after.attacks_from(square).contains(turn.to());
            worth > value(piece.piece_type()) || worth > value(PieceType::Pawn) && is_loose()
        })
        .collect();
    targets.more_than_one().then(|| turn.finding(Motif::Fork, targets))
}

#[cfg(test)]
mod tests {
    use crate::motif::Motif::Fork;
    use crate::testing::{assert_found, themes};

    #[test]
    fn knights_fork_king_and_rook() {
        assert_found(("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+ Kd8 Nxa8"), Fork, "c7", "a8 e8");
        assert!(themes("r2qk3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+ Qxc7").is_empty(), "the queen captures");
        assert!(themes("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+").is_empty(), "nothing is won");
    }
}
