//! Counting legal moves without listing them.

// Calling a function that is compiled with additional target features is unsafe. Without POPCNT, counting the targets of
// each piece takes a dozen instructions, a third of the time of `count_legal_moves`.
#![allow(unsafe_code)]

use crate::generate::{GenType, MoveCounter, generate};
use crate::position::Position;

impl Position {
    /// Returns the number of legal moves. Faster than generating a list.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// assert_eq!(Position::startpos().count_legal_moves(), 20);
    /// ```
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        #[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "bmi2")))]
        if has_popcnt() {
            // SAFETY: the processor has the target features of the function, as just detected.
            return unsafe { count_by_popcnt(self) };
        }
        count(self)
    }

    /// [`count_legal_moves`](Position::count_legal_moves), always inlined so that it is compiled with the
    /// target features of its caller.
    #[inline(always)]
    pub(crate) fn count_legal_moves_inlined(&self) -> usize {
        let mut counter = MoveCounter::default();
        generate(self.board(), &self.legality(), GenType::All, &mut counter);
        counter.0
    }
}

/// Returns true if the processor has the target features of the functions named `…_by_popcnt`.
#[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "bmi2")))]
#[inline]
pub(crate) fn has_popcnt() -> bool {
    std::is_x86_feature_detected!("popcnt") && std::is_x86_feature_detected!("bmi1")
}

fn count(position: &Position) -> usize {
    position.count_legal_moves_inlined()
}

#[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "bmi2")))]
#[target_feature(enable = "popcnt,bmi1")]
fn count_by_popcnt(position: &Position) -> usize {
    position.count_legal_moves_inlined()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_copies_agree_with_the_list() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(count(&position), position.legal_moves().len());
            assert_eq!(position.count_legal_moves(), position.legal_moves().len());
        }
    }
}
