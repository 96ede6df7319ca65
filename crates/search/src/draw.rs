//! Draws that follow from the position alone; repetitions are in `repetition`.

use tabiya_core::{VALUE_DRAW, Value, mated_in};
use tabiya_movegen::Position;

/// Returns the value of a position that is drawn by the fifty-move rule or is dead (neither side can mate),
/// and `None` for any other position. Checkmate on the hundredth ply takes precedence over the draw.
#[inline]
pub(crate) fn rule_draw(position: &Position, ply: usize) -> Option<Value> {
    if position.halfmove_clock() >= 100 {
        let mated = position.is_checkmate();
        return Some(if mated { mated_in(ply as Value) } else { VALUE_DRAW });
    }
    position.is_dead().then_some(VALUE_DRAW)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule_draw_of(fen: &str) -> Option<Value> {
        rule_draw(&fen.parse().expect("a legal position"), 3)
    }

    #[test]
    fn fifty_moves_and_dead_positions_are_draws() {
        assert_eq!(rule_draw_of("8/8/8/4k3/8/8/8/KR6 w - - 100 90"), Some(VALUE_DRAW));
        assert_eq!(rule_draw_of("8/8/8/4k3/8/8/8/KR6 w - - 99 90"), None);
        assert_eq!(rule_draw_of("8/8/8/4k3/8/8/8/KN6 w - - 0 1"), Some(VALUE_DRAW));
    }

    #[test]
    fn checkmate_precedes_the_fifty_move_rule() {
        assert_eq!(rule_draw_of("R6k/8/6K1/8/8/8/8/8 b - - 100 90"), Some(mated_in(3)));
    }
}
