//! The evaluation compiled twice: for every processor, and for those that count bits by an instruction.
//!
//! It counts bits a hundred times. Without the instruction, which a build for any x86-64 must do without, each takes a
//! dozen others.

// Calling a function that was compiled for a better processor is unsafe.
#![allow(unsafe_code)]

use crate::main_evaluation::white_value;
use crate::pawn_cache::PawnCache;
use tabiya_core::Value;
use tabiya_movegen::Position;

/// The value for White, by the best code for this processor. What the pawns alone decide is kept in `cache`.
#[inline]
pub(crate) fn value(position: &Position, cache: &mut PawnCache) -> Value {
    #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
    if std::is_x86_feature_detected!("popcnt")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
    {
        // SAFETY: the processor has just said that it has what the function needs.
        return unsafe { value_by_popcnt(position, cache) };
    }
    value_anywhere(position, cache)
}

fn value_anywhere(position: &Position, cache: &mut PawnCache) -> Value {
    white_value(position, cache)
}

/// A quarter fewer instructions.
#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
#[target_feature(enable = "popcnt,bmi1,bmi2")]
fn value_by_popcnt(position: &Position, cache: &mut PawnCache) -> Value {
    white_value(position, cache)
}

#[cfg(all(test, target_arch = "x86_64", not(target_feature = "bmi2")))]
mod tests {
    use super::*;

    #[test]
    fn both_say_the_same() {
        let mut position = Position::startpos();
        for number in 0..300 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[number * 7 % moves.len()]);
            let anywhere = value_anywhere(&position, &mut PawnCache::for_one());
            assert_eq!(value(&position, &mut PawnCache::for_one()), anywhere, "{position}");
        }
    }
}
