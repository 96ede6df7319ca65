//! Pins to the king.

use crate::exchange::{cheapest_attacker, is_undefended, value_on};
use crate::line::Turn;
use crate::motif::{Finding, Motif};
use tabiya_core::Square;
use tabiya_movegen::{Position, attacks};

/// After the move a pinned piece is lost, or cannot capture what it attacks.
pub(crate) fn find(turn: Turn<'_>) -> Option<Finding> {
    let after = turn.after();
    after.pinned().into_iter().find_map(|pinned| {
        let pinner = pinner(after, pinned)?;
        (is_lost(after, pinned, pinner) || prevents_capture(after, pinned, pinner))
            .then(|| Finding { actor: pinner, ..turn.finding(Motif::Pin, pinned.bitboard()) })
    })
}

/// The slider that pins a piece of the side to move.
fn pinner(position: &Position, pinned: Square) -> Option<Square> {
    let us = position.side_to_move();
    let king = position.king(us);
    let through = position.attackers_to(king, position.occupied() - pinned.bitboard());
    let enemies = through & position.by_color(!us);
    enemies.into_iter().find(|&slider| attacks::between(king, slider).contains(pinned))
}

/// A piece worth less attacks the pinned one, or it is undefended and cannot capture its pinner.
fn is_lost(position: &Position, pinned: Square, pinner: Square) -> bool {
    cheapest_attacker(position, pinned).is_some_and(|attacker| {
        let can_capture = position.attacks_from(pinned).contains(pinner);
        attacker < value_on(position, pinned) || is_undefended(position, pinned) && !can_capture
    })
}

/// The pinned piece attacks one, off the line of the pin, that is worth more or undefended.
fn prevents_capture(position: &Position, pinned: Square, pinner: Square) -> bool {
    let us = position.side_to_move();
    let attacked = position.attacks_from(pinned) & position.by_color(!us);
    (attacked - attacks::line(pinner, position.king(us))).into_iter().any(|target| {
        value_on(position, target) > value_on(position, pinned) || is_undefended(position, target)
    })
}

#[cfg(test)]
mod tests {
    use crate::motif::Motif::Pin;
    use crate::testing::{assert_found, themes};

    #[test]
    fn pins_win_or_bind_a_piece() {
        // The queen is worth more than the rook that pins it.
        assert_found(("4k3/4q3/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Re1 Qxe1#"), Pin, "e1", "e7");
        // The pinned pawn cannot capture.
        assert_found(("6k1/6p1/8/8/5B2/6Q1/8/6K1 w - - 0 1", "Bh6"), Pin, "g3", "g7");
        assert!(themes("4k3/4n3/5n2/8/8/8/8/3RK3 w - - 0 1", "Kf1 Kf7 Re1").is_empty(), "defended");
    }
}
