//! Sacrifices.

use crate::exchange::balance;
use crate::line::Line;
use crate::motif::{Finding, Motif};

/// The side has two pawns' worth less than at the start, also after its next move, so that nothing is regained at once.
pub(crate) fn find(line: &Line) -> Option<Finding> {
    let before = balance(line.start(), line.side());
    line.turns().find_map(|turn| {
        let next = turn.next()?;
        (balance(next.after(), line.side()) <= before - 2)
            .then(|| turn.finding(Motif::Sacrifice, turn.to().bitboard()))
    })
}

#[cfg(test)]
mod tests {
    use crate::motif::Motif::Sacrifice;
    use crate::testing::{assert_found, themes};

    #[test]
    fn sacrifices_are_not_regained_at_once() {
        let smothered = ("5r1k/6pp/7N/8/2Q5/8/5PPP/6K1 w - - 0 1", "Qg8+ Rxg8 Nf7#");
        assert_found(smothered, Sacrifice, "g8", "g8");
        assert!(
            !themes("3rr1k1/5ppp/8/8/8/8/3R1PPP/3R2K1 w - - 0 1", "Rxd8 Rxd8 Rxd8#").contains(&Sacrifice)
        );
    }
}
