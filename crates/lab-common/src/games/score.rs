//! Scores of positions, as game files store them.

use tabiya_core::Color;
use tabiya_search::Score;

/// The largest stored score that is not a mate, in centipawns.
pub const MAX_CENTIPAWNS: i16 = 30_000;

/// The stored score of a mate in 0 moves. A mate in n moves is n less; all mates are above [`MAX_CENTIPAWNS`].
pub const MATE: i16 = 32_000;

/// Converts the score of the side to move to a stored one, from White's point of view.
pub fn stored(side: Color, score: Score) -> i16 {
    let mate = |moves: i32| MATE - moves.clamp(0, i32::from(MATE - MAX_CENTIPAWNS) - 1) as i16;
    let score = match score {
        Score::Centipawns(value) => value.clamp((-MAX_CENTIPAWNS).into(), MAX_CENTIPAWNS.into()) as i16,
        Score::Mate(moves) if moves > 0 => mate(moves),
        Score::Mate(moves) => -mate(moves.saturating_neg()),
    };
    if side == Color::White { score } else { -score }
}

/// Returns true for a stored score that is a mate.
pub fn is_mate(score: i16) -> bool {
    score.unsigned_abs() > MAX_CENTIPAWNS.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_beyond_all_other_scores() {
        for (score, expected) in [
            (Score::Centipawns(35), 35),
            (Score::Centipawns(-40_000), -30_000),
            (Score::Mate(3), 31_997),
            (Score::Mate(-1), -31_999),
            (Score::Mate(0), -32_000),
            (Score::Mate(i32::MAX), 30_001),
            (Score::Mate(i32::MIN), -30_001),
        ] {
            assert_eq!(stored(Color::White, score), expected);
            assert_eq!(stored(Color::Black, score), -expected);
            assert_eq!(is_mate(expected), matches!(score, Score::Mate(_)));
        }
    }
}
