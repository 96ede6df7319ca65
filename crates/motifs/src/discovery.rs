//! Discovered attacks, discovered checks and double checks.

use crate::line::Turn;
use crate::motif::{Finding, Motif};
use alloc::vec::Vec;
use tabiya_movegen::attacks;

/// Returns the attacks that a move opens for another piece.
pub(crate) fn find(turn: Turn<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let after = turn.after();
    let checkers = after.checkers();
    let king = after.king(after.side_to_move()).bitboard();
    // A check by the castling rook is not a discovered one.
    let discovered = if turn.mv().is_castle() { None } else { (checkers - turn.to().bitboard()).first() };
    if let Some(actor) = discovered {
        found.push(Finding { actor, ..turn.finding(Motif::DiscoveredCheck, king) });
    }
    if checkers.more_than_one() {
        found.push(turn.finding(Motif::DoubleCheck, king));
    } else if let Some(actor) = discovered {
        found.push(Finding { actor, ..turn.finding(Motif::DiscoveredAttack, king) });
    }
    found.extend(attack(turn));
    found
}

/// The next move captures along the line that this one opened, and the answer did not move there. As in Lichess's themes, the
/// answer may have left the line.
fn attack(turn: Turn<'_>) -> Option<Finding> {
    let (next, reply) = (turn.next()?, turn.reply()?);
    let (_, square) = next.captured()?;
    let (actor, opened) = (next.mv().from(), turn.mv().from());
    let is_discovered = actor != turn.to()
        && attacks::between(actor, square).contains(opened)
        && reply.destination() != square;
    is_discovered.then(|| Finding { actor, ..turn.finding(Motif::DiscoveredAttack, square.bitboard()) })
}

#[cfg(test)]
mod tests {
    use crate::motif::Motif::{DiscoveredAttack, DiscoveredCheck, DoubleCheck};
    use crate::testing::{assert_found, themes};

    #[test]
    fn moves_open_the_lines_of_others() {
        let line = ("3q2k1/5ppp/8/8/8/3B4/5PPP/3R2K1 w - - 0 1", "Bxh7+ Kxh7 Rxd8");
        assert_found(line, DiscoveredAttack, "d1", "d8");
        let line = ("4k3/8/8/8/4N3/8/8/3KR3 w - - 0 1", "Nc5+");
        assert_found(line, DiscoveredCheck, "e1", "e8");
        let line = ("4k3/8/8/8/4N3/8/8/3KR3 w - - 0 1", "Nf6+");
        assert_found(line, DoubleCheck, "f6", "e8");
        assert!(!themes(line.0, line.1).contains(&DiscoveredAttack));
    }

    #[test]
    fn castling_discovers_nothing() {
        assert!(
            themes("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+").iter().all(|&motif| motif != DiscoveredCheck)
        );
    }
}
