//! A search as a single call.

use crate::engine::Search;
use crate::report::{BestMove, Score, SearchEvent};
use tabiya_core::Move;

/// The best move of a search and its score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The move to play; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The last reported score of the best line, from the side to move's point of view; `None` only if none
    /// was reported. If the search ended while a score failed high or low, it is a bound, which is still
    /// closer to the true score than the previous iteration's.
    pub score: Option<Score>,
}

impl Search {
    /// Waits for the best move as [`Search::wait`] does, and returns it with its score.
    ///
    /// ```
    /// use tabiya_movegen::Game;
    /// use tabiya_search::{Engine, Limits, Options, Score};
    ///
    /// let mut engine = Engine::new(Options::default())?;
    /// let mut game = Game::new();
    /// for mv in ["f2f3", "e7e5", "g2g4"] {
    ///     game.play_uci(mv)?;
    /// }
    /// let answer = engine.go(&game, Limits::depth(2)).answer();
    /// assert_eq!(answer.best.unwrap().to_uci(false).to_string(), "d8h4");
    /// assert_eq!(answer.score, Some(Score::Mate(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the best move has already been taken from [`Search::events`].
    pub fn answer(self) -> Answer {
        let mut score = None;
        for event in self.events() {
            match event {
                SearchEvent::Info(info) if info.multipv == 1 => score = Some(info.score),
                SearchEvent::BestMove(BestMove { best, .. }) => return Answer { best, score },
                _ => {}
            }
        }
        panic!("the best move is the last event and must not have been taken before")
    }
}
