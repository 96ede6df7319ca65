//! Complexity: the adjustment of an endgame advantage to the winning chances that the position offers.
//!
//! An extra pawn wins with pawns on both wings and often draws with all pawns on one. The adjustment is in
//! per cent of the endgame half, whichever side is better. A percentage, unlike an amount, leaves small
//! differences between nearly equal positions as they are. The middlegame half is not adjusted: it is mostly
//! about kings and tempi, and the number of pawns would only rescale it.

use super::super::material_counts::MaterialCounts;
use super::super::score::EndgamePercent;
use super::super::side::{White, on_one_wing};
use super::super::tracer::{Tracer, count};
use tabiya_core::{Bitboard, Board, Color, PieceType, Rank, Value};

/// The change of an endgame advantage, in per cent. `passed` are the passed pawns of both sides.
///
/// The weights are counted for White, although they apply to both sides.
#[inline(always)]
pub(crate) fn complexity<T: Tracer>(
    board: &Board,
    counts: &MaterialCounts,
    passed: Bitboard,
    tracer: &mut T,
) -> EndgamePercent {
    let pawns = board.by_type(PieceType::Pawn);
    let (white, black) = (board.king(Color::White), board.king(Color::Black));
    let files = i32::from((white.file() as u8).abs_diff(black.file() as u8));
    let outflanking = files + white.rank() as i32 - black.rank() as i32;
    let mut percent = EndgamePercent::ZERO;
    count!(tracer, White, percent, complexity_base);
    count!(tracer, White, percent, complexity_pawn * counts.pawns());
    count!(tracer, White, percent, complexity_passed * passed.count());
    if !on_one_wing(pawns) {
        count!(tracer, White, percent, complexity_both_wings);
    } else if outflanking < 0 {
        count!(tracer, White, percent, complexity_almost_unwinnable);
    }
    if white.rank() > Rank::Fourth || black.rank() < Rank::Fifth {
        count!(tracer, White, percent, complexity_infiltration);
    }
    if counts.pieces() == 0 {
        count!(tracer, White, percent, complexity_pawn_ending);
    }
    percent
}

/// Changes an endgame value, in centipawns, by a percentage clamped to -100 to 100, so that its sign never changes.
#[inline(always)]
pub(crate) fn adjusted(eg: Value, complexity: EndgamePercent) -> Value {
    eg * (100 + complexity.eg().clamp(-100, 100)) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjustment_keeps_the_sign() {
        let by = |value, percent| adjusted(value, EndgamePercent::new(0, percent));
        assert_eq!(by(200, 20), 240);
        assert_eq!(by(-200, 20), -240);
        assert_eq!(by(100, -30), 70);
        assert_eq!(by(-20, -130), 0);
        assert_eq!(by(-3, 500), -6);
    }
}
