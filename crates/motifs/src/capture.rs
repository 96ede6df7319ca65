//! Captures of hanging and trapped pieces, and of defenders.

use crate::exchange::{balance, defenders, is_trapped, is_undefended, value};
use crate::line::{Turn, captured};
use crate::motif::{Finding, Motif};
use alloc::vec::Vec;
use tabiya_core::PieceType;

/// Returns the motifs of a capture.
pub(crate) fn find(turn: Turn<'_>) -> Vec<Finding> {
    [hanging(turn), trapped(turn), defender(turn)].into_iter().flatten().collect()
}

/// The side's first move captures an undefended piece, and the line keeps the gain. The recapture of a piece of at least its
/// value is an exchange.
fn hanging(turn: Turn<'_>) -> Option<Finding> {
    let (victim, square) = turn.captured()?;
    let worth = value(victim.piece_type());
    if turn.previous().is_some()
        || victim.piece_type() == PieceType::Pawn
        || !is_undefended(turn.before(), square)
    {
        return None;
    }
    let is_exchange = turn.preceding().is_some_and(|(mv, position)| {
        let lost = captured(position, mv).map_or(0, |(lost, _)| value(lost.piece_type()));
        mv.destination() == square && lost >= worth
    });
    let side = turn.before().side_to_move();
    let is_kept = turn.next().is_none_or(|next| balance(next.after(), side) > balance(turn.before(), side));
    (!is_exchange && is_kept).then(|| turn.finding(Motif::HangingPiece, square.bitboard()))
}

/// After the move an attacked piece has no safe square, and the next move captures it.
fn trapped(turn: Turn<'_>) -> Option<Finding> {
    let (next, reply) = (turn.next()?, turn.reply()?);
    let (victim, square) = next.captured()?;
    let from = if reply.destination() == square { reply.from() } else { square };
    (victim.piece_type() != PieceType::Pawn && is_trapped(turn.after(), from))
        .then(|| Finding { actor: next.mv().from(), ..turn.finding(Motif::TrappedPiece, from.bitboard()) })
}

/// The move captures the defender of another piece, which is undefended afterwards and captured by the next move.
fn defender(turn: Turn<'_>) -> Option<Finding> {
    let (_, removed) = turn.captured()?;
    let (next, reply) = (turn.next()?, turn.reply()?);
    let (victim, square) = next.captured()?;
    let is_motif = victim.piece_type() != PieceType::Pawn
        && square != turn.to()
        && reply.destination() != square
        && !turn.before().in_check()
        && defenders(turn.before(), square, victim.color()).contains(removed)
        && is_undefended(next.before(), square);
    is_motif.then(|| turn.finding(Motif::CapturingDefender, square.bitboard()))
}

#[cfg(test)]
mod tests {
    use crate::motif::Motif::{CapturingDefender, HangingPiece, TrappedPiece};
    use crate::testing::{assert_found, themes};

    #[test]
    fn hanging_pieces_are_undefended() {
        assert_found(("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5"), HangingPiece, "d5", "d5");
        assert!(themes("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5 exd5").is_empty());
    }

    #[test]
    fn the_knight_in_the_corner_is_trapped() {
        let line = ("N3k3/1b3ppp/8/8/8/8/5PPP/4K2R b - - 0 1", "Bxa8");
        assert_found(line, HangingPiece, "a8", "a8");
        let line = ("N2k4/pp3ppp/1p6/8/8/8/5PPP/4K2R b - - 0 1", "Kc8 h3 Kb8 h4 Kxa8");
        assert_found(line, TrappedPiece, "b8", "a8");
    }

    #[test]
    fn the_defender_is_captured_first() {
        let line = ("4k3/8/2n5/4r3/8/1B6/8/B3K3 w - - 0 1", "Kf2 Rf5+");
        assert!(themes(line.0, line.1).is_empty());
        let line = ("6k1/5ppp/2n5/3r4/B7/5B2/5PPP/3R2K1 w - - 0 1", "Bxd5");
        assert!(!themes(line.0, line.1).contains(&CapturingDefender));
        let line = ("6k1/1p3ppp/2n5/4r3/B7/2B5/5PPP/6K1 w - - 0 1", "Bxc6 bxc6 Bxe5");
        assert_found(line, CapturingDefender, "c6", "e5");
    }
}
