// Calling a function that was compiled for a better processor is unsafe.
#![allow(unsafe_code)]

use crate::Position;
use alloc::vec::Vec;
use tabiya_core::Move;

/// The number of ways to play `depth` moves: the leaves of the game tree.
///
/// Moves of the last ply are counted, not made.
///
/// ```
/// use tabiya_movegen::{Position, perft};
///
/// assert_eq!(perft(&Position::startpos(), 3), 8_902);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    #[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "bmi2")))]
    if std::is_x86_feature_detected!("popcnt") && std::is_x86_feature_detected!("bmi1") {
        // SAFETY: the processor has just said that it has what the function needs.
        return unsafe { leaves_by_popcnt(position, depth) };
    }
    leaves(position, depth)
}

/// Defines a function that counts leaves. Twice the same code, because a function for processors with
/// more instructions must call itself.
macro_rules! define_leaves {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        fn $name(position: &Position, depth: u32) -> u64 {
            match depth {
                0 => 1,
                1 => position.count() as u64,
                _ => {
                    let mut next = position.clone();
                    let mut leaves = 0;
                    for &mv in &*position.legal_moves() {
                        next.clone_from(position);
                        next.play_unchecked(mv);
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
    /// Bits are counted by an instruction and not by a dozen, which is what builds for any x86-64 do:
    /// almost a third off the time of a perft.
    #[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "bmi2")))]
    #[target_feature(enable = "popcnt,bmi1")]
    leaves_by_popcnt
}

/// [`perft`] for each legal move by itself. Empty for depth 0.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    position
        .legal_moves()
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
    fn both_copies_count_alike() {
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
