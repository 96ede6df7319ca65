//! The checks of a deserialized review.

use super::{GameReview, MoveReview, PositionReview};
use crate::judgement::ExpectedScore;
use serde::Deserialize;
use std::fmt;

/// A review as it was read.
#[derive(Deserialize)]
#[serde(rename = "GameReview")]
pub(crate) struct UncheckedReview {
    positions: Vec<PositionReview>,
    moves: Vec<MoveReview>,
}

/// The reason why a review is invalid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum InvalidReview {
    Length { positions: usize, moves: usize },
    Score(ExpectedScore),
}

impl fmt::Display for InvalidReview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidReview::Length { positions, moves } => {
                write!(
                    f,
                    "invalid review: {positions} positions of {moves} moves (expected one more than moves)"
                )
            }
            InvalidReview::Score(score) => {
                write!(f, "invalid review: expected score {score} (expected 0 to 1)")
            }
        }
    }
}

impl TryFrom<UncheckedReview> for GameReview {
    type Error = InvalidReview;

    fn try_from(review: UncheckedReview) -> Result<GameReview, InvalidReview> {
        let UncheckedReview { positions, moves } = review;
        if positions.len() != moves.len() + 1 {
            return Err(InvalidReview::Length { positions: positions.len(), moves: moves.len() });
        }
        let mut scores =
            positions.iter().map(|position| position.white).chain(moves.iter().map(|mv| mv.loss));
        match scores.find(|score| !(0.0..=1.0).contains(score)) {
            Some(score) => Err(InvalidReview::Score(score)),
            None => Ok(GameReview { positions, moves }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CancelToken, Reviewer};
    use tabiya_search::{Engine, Limits, Options};

    #[test]
    fn reviews_round_trip_and_are_checked() {
        let engine = Engine::new(Options::default().with_hash_mb(1)).unwrap();
        let game = "1. f3 e5 2. g4 Qh4# 0-1".parse().unwrap();
        let review =
            Reviewer::new(engine, Limits::nodes(500)).review(&game, &CancelToken::never(), |_, _| {});
        let mut review = review.unwrap();
        // Numbers that any parser reads exactly.
        review.positions.iter_mut().for_each(|position| position.white = 0.25);
        review.moves.iter_mut().for_each(|reviewed| reviewed.loss = 0.5);
        let json = serde_json::to_string(&review).unwrap();
        assert_eq!(serde_json::from_str::<GameReview>(&json).unwrap(), review);

        let error = |review: &GameReview| {
            let json = serde_json::to_string(review).unwrap();
            serde_json::from_str::<GameReview>(&json).unwrap_err().to_string()
        };
        let mut shorter = review.clone();
        shorter.positions.pop();
        assert!(error(&shorter).starts_with("invalid review: 4 positions of 4 moves"), "{}", error(&shorter));
        let mut better = review;
        better.moves[0].loss = 1.5;
        assert!(error(&better).starts_with("invalid review: expected score 1.5"), "{}", error(&better));
    }
}
