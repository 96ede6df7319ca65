//! The range of scores of a book.

use tabiya_core::Color;

/// The side whose score counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Perspective {
    SideToMove,
    White,
    /// The side with the better score, so that the score is not negative.
    Better,
}

/// A range of scores, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScoreRange {
    pub(super) min: i32,
    pub(super) max: i32,
    pub(super) perspective: Perspective,
}

impl ScoreRange {
    /// Returns true if a score for the side to move is in the range, or at most this far outside.
    pub(super) fn contains(&self, score: i32, side_to_move: Color, slack: i32) -> bool {
        let score = match (self.perspective, side_to_move) {
            (Perspective::Better, _) => score.abs(),
            (Perspective::White, Color::Black) => -score,
            (Perspective::White | Perspective::SideToMove, _) => score,
        };
        (self.min - slack..=self.max + slack).contains(&score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_depends_on_the_perspective() {
        let contains = |perspective, score, side| {
            ScoreRange { min: 80, max: 130, perspective }.contains(score, side, 10)
        };
        for (perspective, side, positive, negative) in [
            (Perspective::SideToMove, Color::White, true, false),
            (Perspective::SideToMove, Color::Black, true, false),
            (Perspective::White, Color::White, true, false),
            (Perspective::White, Color::Black, false, true),
            (Perspective::Better, Color::White, true, true),
            (Perspective::Better, Color::Black, true, true),
        ] {
            for (score, inside) in [(69, false), (70, true), (140, true), (141, false)] {
                assert_eq!(contains(perspective, score, side), inside && positive, "{perspective:?} {side}");
                assert_eq!(contains(perspective, -score, side), inside && negative, "{perspective:?} {side}");
            }
        }
    }
}
