//! The result of a search.

use crate::score::Score;
use crate::wdl::Wdl;
use std::time::Duration;
use tabiya_core::{Bound, Move};

/// The best move of a search and the expected reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BestMove {
    /// The move to play; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply, to ponder on; legal after `best`.
    pub ponder: Option<Move>,
}

/// A line that a search has found, with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Line {
    /// The score from the point of view of the side to move at the root.
    pub score: Score,
    /// The bound type of the score. A line is a bound if the search was stopped before it had an exact score.
    pub bound: Bound,
    /// The win, draw and loss probabilities that go with the score.
    pub wdl: Wdl,
    /// The depth of the iteration that found the line, in plies; 0 if the root has no legal move.
    pub depth: u32,
    /// The selective depth: the longest line searched for the score, in plies.
    pub seldepth: u32,
    /// The principal variation: legal moves from the root. Empty only if the root has none.
    pub pv: Vec<Move>,
}

/// The result of a search: the best move and the lines.
///
/// ```
/// use tabiya_movegen::Game;
/// use tabiya_search::{Engine, Limits, Options};
///
/// let mut engine = Engine::new(Options::default())?;
/// let answer = engine.go(&Game::new(), Limits::depth(5).with_multipv(3)).answer();
/// assert_eq!(answer.best, Some(answer.line().pv[0]));
/// assert_eq!((answer.depth(), answer.lines().len()), (5, 3));
/// assert!(answer.lines().is_sorted_by(|a, b| a.score >= b.score));
/// # Ok::<(), tabiya_search::EngineError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Answer {
    /// The move to play; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply, to ponder on; legal after `best`.
    pub ponder: Option<Move>,
    /// The number of nodes (moves made on the board) searched.
    pub nodes: u64,
    /// The time that the search took.
    pub time: Duration,
    /// Never empty.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serialization::non_empty"))]
    lines: Vec<Line>,
}

impl Answer {
    /// `lines` must not be empty.
    pub(crate) fn new(best_move: BestMove, lines: Vec<Line>, nodes: u64, time: Duration) -> Answer {
        debug_assert!(!lines.is_empty());
        let BestMove { best, ponder } = best_move;
        Answer { best, ponder, nodes, time, lines }
    }

    /// Returns the lines, best first. There are as many as [`Limits::multipv`](crate::Limits::multipv) requests, or fewer if there are
    /// fewer legal moves, or if the search was stopped before it had found them; but always at least one.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Returns the best line.
    pub fn line(&self) -> &Line {
        &self.lines[0]
    }

    /// Returns the score of the best line. If the search ended while it failed high or low, it is a
    /// [bound](Answer::bound), which is still closer to the true score than that of the iteration before.
    pub fn score(&self) -> Score {
        self.line().score
    }

    /// Returns the bound type of the score.
    pub fn bound(&self) -> Bound {
        self.line().bound
    }

    /// Returns the depth of the best line, in plies.
    pub fn depth(&self) -> u32 {
        self.line().depth
    }

    /// Returns the best move with the expected reply.
    pub fn best_move(&self) -> BestMove {
        BestMove { best: self.best, ponder: self.ponder }
    }
}
