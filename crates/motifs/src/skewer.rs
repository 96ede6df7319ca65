//! Skewers: a valuable piece moves out of an attack, and the one behind it is captured.

use crate::exchange::{is_en_prise, is_undefended, value, value_on};
use crate::line::Turn;
use crate::motif::{Finding, Motif};
use tabiya_core::PieceType;
use tabiya_movegen::attacks;

/// A slider attacks a piece, which moves away, and then captures the less valuable one behind it: an undefended one, or one worth more
/// than the slider. The finding belongs to the attacking move.
pub(crate) fn find(turn: Turn<'_>) -> Option<Finding> {
    let (next, reply) = (turn.next()?, turn.reply()?);
    let (victim, square) = next.captured()?;
    let slider = next.piece()?.piece_type();
    let (actor, front) = (next.mv().from(), reply.from());
    let worth = value(victim.piece_type());
    let is_skewer = matches!(slider, PieceType::Bishop | PieceType::Rook | PieceType::Queen)
        && attacks::between(actor, square).contains(front)
        && reply.destination() != square
        && value_on(turn.after(), front) > worth
        && is_en_prise(turn.after(), front)
        && (is_undefended(next.before(), square) || worth > value(slider));
    is_skewer.then(|| Finding { actor, ..turn.finding(Motif::Skewer, front.bitboard() | square.bitboard()) })
}

#[cfg(test)]
mod tests {
    use crate::motif::Motif::Skewer;
    use crate::testing::{assert_found, themes};

    #[test]
    fn the_king_moves_and_the_queen_is_lost() {
        assert_found(("3q4/8/3k4/8/8/8/8/R3K3 w - - 0 1", "Rd1+ Ke5 Rxd8"), Skewer, "d1", "d6 d8");
        // The king defends the rook, so that rooks are exchanged.
        assert!(!themes("3r4/8/3k4/8/8/8/8/R3K3 w - - 0 1", "Rd1+ Ke7 Rxd8").contains(&Skewer));
    }
}
