//! How much of an advantage can be made to count.
//!
//! The same extra pawn wins with pawns on both wings and draws with all of them on one. What is found here are
//! per cent by which an advantage in the end game grows or shrinks, whoever has it. A percentage, unlike an amount,
//! leaves small differences between nearly equal positions as they are. The middle game's half is left alone: what it
//! says has to do with kings and tempi, and how many pawns there are would only change the unit it is measured in.

use crate::Score;
use crate::numbers::Numbers;
use crate::side::Side;
use crate::side::White;
use crate::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, Color, PieceType, Rank};

const QUEEN_SIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);

/// By how many per cent an advantage grows.
#[inline(always)]
pub(crate) fn winnability<T: Tracer>(
    board: &Board,
    numbers: &Numbers,
    passed: Bitboard,
    tracer: &mut T,
) -> Score {
    let pawns = board.by_type(PieceType::Pawn);
    let (white, black) = (board.king(Color::White), board.king(Color::Black));
    let files = i32::from((white.file() as u8).abs_diff(black.file() as u8));
    let outflanking = files + white.rank() as i32 - black.rank() as i32;
    let both_flanks = !pawns.is_disjoint(QUEEN_SIDE) && !pawns.is_subset_of(QUEEN_SIDE);
    let mut score = Score::ZERO;
    count!(tracer, White, score, winnable_base);
    count!(tracer, White, score, winnable_pawn * numbers.pawns());
    count!(tracer, White, score, winnable_passed * passed.count());
    if both_flanks {
        count!(tracer, White, score, winnable_flanks);
    } else if outflanking < 0 {
        count!(tracer, White, score, winnable_stuck);
    }
    if white.rank() > Rank::Fourth || black.rank() < Rank::Fifth {
        count!(tracer, White, score, winnable_infiltration);
    }
    if numbers.pieces() == 0 {
        count!(tracer, White, score, winnable_pawn_ending);
    }
    score
}

/// An end game's value, so many per cent more: at most as much again, at least nothing.
#[inline(always)]
pub(crate) fn stretched(value: i32, percent: i32) -> i32 {
    value * (100 + percent.clamp(-100, 100)) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advantage_never_changes_sides() {
        assert_eq!(stretched(200, 20), 240);
        assert_eq!(stretched(-200, 20), -240);
        assert_eq!(stretched(100, -30), 70);
        assert_eq!(stretched(-20, -130), 0);
        assert_eq!(stretched(-3, 500), -6);
    }
}
