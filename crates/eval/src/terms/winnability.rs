//! How much of an advantage can be made to count.
//!
//! The same extra pawn wins with pawns on both wings and draws with all of them on one. What is found here is
//! added to the *amount* of the advantage, whoever has it: at most doubling it, never taking more than all of it.
//! So a position a hair's breadth to either side of equality is worth the same.

use crate::Score;
use crate::side::White;
use crate::side::Side;
use crate::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, Color, PieceType, Rank};

const QUEEN_SIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);

/// What is to be added to the amount of an advantage.
#[inline(always)]
pub(crate) fn winnability<T: Tracer>(board: &Board, passed: Bitboard, tracer: &mut T) -> Score {
    let pawns = board.by_type(PieceType::Pawn);
    let (white, black) = (board.king(Color::White), board.king(Color::Black));
    let files = i32::from((white.file() as u8).abs_diff(black.file() as u8));
    let outflanking = files + white.rank() as i32 - black.rank() as i32;
    let both_flanks = !pawns.is_disjoint(QUEEN_SIDE) && !pawns.is_subset_of(QUEEN_SIDE);
    let mut score = Score::ZERO;
    count!(tracer, White, score, winnable_base);
    count!(tracer, White, score, winnable_pawn * pawns.count());
    count!(tracer, White, score, winnable_passed * passed.count());
    count!(tracer, White, score, winnable_outflanking * outflanking);
    if both_flanks {
        count!(tracer, White, score, winnable_flanks);
    } else if outflanking < 0 {
        count!(tracer, White, score, winnable_stuck);
    }
    if white.rank() > Rank::Fourth || black.rank() < Rank::Fifth {
        count!(tracer, White, score, winnable_infiltration);
    }
    if (board.occupied() - pawns - board.by_type(PieceType::King)).is_empty() {
        count!(tracer, White, score, winnable_pawn_ending);
    }
    score
}

/// One half of a score with what winnability adds to its amount: at most as much again.
#[inline(always)]
pub(crate) fn stretched(value: i32, by: i32) -> i32 {
    value + value.signum() * by.clamp(-value.abs(), value.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advantage_never_changes_sides() {
        assert_eq!(stretched(100, 20), 120);
        assert_eq!(stretched(-100, 20), -120);
        assert_eq!(stretched(100, -30), 70);
        assert_eq!(stretched(-20, -30), 0);
        assert_eq!(stretched(0, 50), 0);
        assert_eq!(stretched(-3, 50), -6);
    }
}
