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
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => position
            .legal_moves()
            .iter()
            .map(|&mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                perft(&next, depth - 1)
            })
            .sum(),
    }
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
