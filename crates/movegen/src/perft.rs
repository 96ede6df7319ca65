//! Perft: counting the leaves of the game tree, to test and to measure move generation.

// Calling a function that is compiled with additional target features is unsafe.
#![allow(unsafe_code)]

use crate::filter::Filter;
use crate::position::Position;
use alloc::vec::Vec;
use tabiya_core::Move;

/// Returns the number of leaves of the game tree at `depth` plies.
///
/// The moves of the last ply are counted without being made (bulk counting).
///
/// ```
/// use tabiya_movegen::{Position, perft};
///
/// assert_eq!(perft(&Position::startpos(), 3), 8_902);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    #[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "bmi2")))]
    if crate::count::has_popcnt() {
        // SAFETY: the processor has the target features of the function, as just detected.
        return unsafe { leaves_by_popcnt(position, depth) };
    }
    leaves(position, depth)
}

/// Defines a function that counts leaves. It is expanded once per set of target features, because the
/// recursive call must stay within the copy.
macro_rules! define_leaves {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        fn $name(position: &Position, depth: u32) -> u64 {
            match depth {
                0 => 1,
                1 => position.count_legal_moves_inlined() as u64,
                _ => {
                    let mut next = position.clone();
                    let mut leaves = 0;
                    for &mv in &*position.legal_moves() {
                        position.play_into_unchecked(mv, &mut next);
                        leaves += $name(&next, depth - 1);
                    }
                    leaves
                }
            }
        }
    };
}

define_leaves! { leaves }

define_leaves! {
    /// Counts leaves with the POPCNT instruction, where builds for baseline x86-64 use a dozen
    /// instructions. Saves almost a third of the time of a perft.
    #[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "bmi2")))]
    #[target_feature(enable = "popcnt,bmi1")]
    leaves_by_popcnt
}

/// Returns the leaf count for each legal move ("perft divide"). Empty for depth 0.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    position
        .moves(Filter::ALL)
        .into_iter()
        .map(|mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            (mv, perft(&next, rest))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_copies_agree() {
        for (fen, leaves_at_2) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 400),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2_039),
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(leaves(&position, 2), leaves_at_2);
            assert_eq!(perft(&position, 2), leaves_at_2);
            assert_eq!(perft_divide(&position, 2).iter().map(|(_, leaves)| leaves).sum::<u64>(), leaves_at_2);
        }
        assert_eq!(perft(&Position::startpos(), 0), 1);
    }
}
