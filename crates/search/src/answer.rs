use crate::engine::Search;
use crate::report::{BestMove, Score, SearchEvent};
use tabiya_core::Move;

/// What a search came to, in short.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The move to play; `None` only where there is no legal move.
    pub best: Option<Move>,
    /// The last score of the best line, from the point of view of the side to move; `None` only where
    /// there was none. A search that ends while a score turns out worse or better than expected may know
    /// no more than a bound on the new one, which is still nearer to the truth than the old one.
    pub score: Option<Score>,
}

impl Search {
    /// Waits for the end as [`Search::wait`] does, and keeps the score, too.
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
        panic!("the best move is the last event, and has not been taken before")
    }
}
