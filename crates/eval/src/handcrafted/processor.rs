//! Run-time dispatch to code for processors with bit-manipulation instructions.
//!
//! The evaluation counts about a hundred bitboards. Without the `popcnt` instruction, which the x86-64
//! baseline lacks, each count takes a dozen instructions.

// Calling a function with target features from one without them is unsafe.
#![allow(unsafe_code)]

use super::pawn_cache::PawnCache;
use super::sum::white_value;
use tabiya_core::Value;
use tabiya_movegen::Position;

/// The value in centipawns from White's point of view, computed by the fastest code for this processor.
#[inline]
pub(super) fn value(position: &Position, cache: &mut PawnCache) -> Value {
    #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
    if std::is_x86_feature_detected!("popcnt")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
    {
        // SAFETY: the processor has all target features of the function, as just checked.
        return unsafe { value_with_popcnt(position, cache) };
    }
    value_portable(position, cache)
}

fn value_portable(position: &Position, cache: &mut PawnCache) -> Value {
    white_value(position, cache)
}

/// The same code with bit-manipulation instructions: a quarter fewer instructions.
#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
#[target_feature(enable = "popcnt,bmi1,bmi2")]
fn value_with_popcnt(position: &Position, cache: &mut PawnCache) -> Value {
    white_value(position, cache)
}

#[cfg(all(test, target_arch = "x86_64", not(target_feature = "bmi2")))]
mod tests {
    use super::*;

    #[test]
    fn both_versions_agree() {
        let mut position = Position::startpos();
        for number in 0..300 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[number * 7 % moves.len()]);
            let portable = value_portable(&position, &mut PawnCache::with_one_slot());
            assert_eq!(value(&position, &mut PawnCache::with_one_slot()), portable, "{position}");
        }
    }
}
