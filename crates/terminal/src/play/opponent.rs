//! The engine as the user's opponent.

use super::closing_report::{ClosingReport, tree_of};
use crate::interrupt::Interrupt;
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use std::hash::{BuildHasher, RandomState};
use tabiya_book::Book;
use tabiya_core::{Color, Move};
use tabiya_movegen::Game;
use tabiya_play::{LineChooser, Strength, thinking_time};
use tabiya_review::{CancelToken, Reviewer};
use tabiya_search::{Clock, Engine, Limits, Options, Score, Search, SearchEvent};

/// Nodes per position of the review after the game.
const REVIEW_NODES: u64 = 100_000;

/// Move number from which a draw offer is accepted if the score is not positive.
const MIN_DRAW_MOVE: u32 = 20;

/// The user's opponent, scripted in tests.
pub(super) trait Opponent {
    /// The move to play in the current position, which has a legal move.
    ///
    /// # Errors
    /// If the opponent cannot be set up.
    fn choose(&mut self, game: &Game, clock: Option<Clock>) -> Result<Option<Move>>;

    /// The move to play, without delay.
    ///
    /// # Errors
    /// As [`choose`](Opponent::choose).
    fn hint(&mut self, game: &Game, clock: Option<Clock>) -> Result<Option<Move>>;

    /// Returns true if the opponent agrees to a draw in the current position.
    fn accepts_draw(&self, game: &Game) -> bool;

    /// Plays at this Elo rating from now on, or at full strength for `None`.
    fn set_level(&mut self, elo: Option<u16>);

    /// Prepares for a new game.
    fn new_game(&mut self);

    /// Reviews the game. Returns `None` if that is cancelled.
    ///
    /// # Errors
    /// If the reviewer cannot be set up.
    fn review(&mut self, game: &Game, user: Color, cancel: &CancelToken) -> Result<Option<String>>;
}

/// The engine as opponent.
pub(super) struct EngineOpponent {
    /// The engine for full strength.
    pub(super) engine: Engine,
    /// The engine for play at limited strength, if there has been any.
    pub(super) limited: Option<tabiya_play::Opponent>,
    /// `None` for full strength.
    pub(super) strength: Option<Strength>,
    pub(super) book: Option<Book>,
    pub(super) limits: Limits,
    /// True if a move takes as long as a person's, where the strength is limited and there is a clock.
    pub(super) human_pace: bool,
    /// The score of the opponent's last move in this game, for draw offers.
    pub(super) score: Option<Score>,
    /// Changes with each game, so that limited play is not repeated.
    pub(super) game_seed: u64,
    pub(super) interrupt: Interrupt,
}

impl EngineOpponent {
    fn search(
        &mut self,
        game: &Game,
        clock: Option<Clock>,
        human_pace: bool,
    ) -> Result<(Option<Move>, Option<Score>)> {
        let limits = self.limits.clone().with_clock(clock);
        let human_clock = clock.filter(|_| human_pace && self.strength.is_some());
        let overhead = self.engine.options().move_overhead;
        let limits = limits.with_min_time(
            human_clock.map(|clock| thinking_time(game, clock, self.game_seed).saturating_sub(overhead)),
        );
        let (search, chooser) = match (self.book_move(game), self.strength) {
            (Some(mv), _) => {
                let limits = Limits::depth(1).with_min_time(limits.min_time).with_search_moves([mv]);
                (self.engine.go(game, limits), None)
            }
            (None, None) => (self.engine.go(game, limits), None),
            (None, Some(strength)) => {
                let evaluation = self.engine.options().evaluation.clone();
                let limited = match &mut self.limited {
                    Some(limited) => limited,
                    none => none.insert(tabiya_play::Opponent::new(evaluation)?),
                };
                let (search, chooser) = limited.go(game, limits, strength, self.game_seed);
                (search, Some(chooser))
            }
        };
        self.interrupt.searching(search.stop_handle());
        let result = wait(&search, chooser);
        self.interrupt.done();
        Ok(result)
    }

    fn book_move(&self, game: &Game) -> Option<Move> {
        self.book.as_ref()?.choose(game.position(), RandomState::new().hash_one(game.position().key()))
    }
}

/// Waits for the move of a search, or for that of the chooser, and returns it with its score.
fn wait(search: &Search, mut chooser: Option<LineChooser>) -> (Option<Move>, Option<Score>) {
    let (mut best, mut score) = (None, None);
    for event in search.events() {
        match (event, &mut chooser) {
            (SearchEvent::Info(info), chooser) => {
                if let Some(chooser) = chooser {
                    chooser.update(&info);
                }
                if info.multipv == 1 {
                    score = Some(info.score);
                }
            }
            (SearchEvent::BestMove(answer), Some(chooser)) => {
                let (answer, line) = chooser.choose(answer);
                best = answer.best;
                score = line.map(|line| line.score).or(score);
            }
            (SearchEvent::BestMove(answer), None) => best = answer.best,
            (SearchEvent::CurrentMove { .. }, _) => {}
        }
    }
    (best, score)
}

/// Returns true if an opponent whose last move had this score agrees to a draw: it has no advantage, and the game is not young.
fn accepts_draw(score: Option<Score>, game: &Game) -> bool {
    let no_advantage = match score {
        Some(Score::Centipawns(value)) => value <= 0,
        Some(Score::Mate(moves)) => moves <= 0,
        None => false,
    };
    no_advantage && u32::from(game.position().fullmove_number()) >= MIN_DRAW_MOVE
}

impl Opponent for EngineOpponent {
    fn choose(&mut self, game: &Game, clock: Option<Clock>) -> Result<Option<Move>> {
        let (mv, score) = self.search(game, clock, self.human_pace)?;
        self.score = score;
        Ok(mv)
    }

    fn hint(&mut self, game: &Game, clock: Option<Clock>) -> Result<Option<Move>> {
        Ok(self.search(game, clock, false)?.0)
    }

    fn accepts_draw(&self, game: &Game) -> bool {
        accepts_draw(self.score, game)
    }

    fn set_level(&mut self, elo: Option<u16>) {
        self.strength = elo.map(Strength::from_elo);
    }

    fn new_game(&mut self) {
        self.engine.clear();
        self.score = None;
        if let Some(limited) = &mut self.limited {
            limited.new_game();
        }
        self.game_seed = RandomState::new().hash_one(self.game_seed);
    }

    fn review(&mut self, game: &Game, user: Color, cancel: &CancelToken) -> Result<Option<String>> {
        let tree = tree_of(game).context("the game cannot be reviewed")?;
        // Not the engine of the game, whose strength may be limited.
        let options = Options::default().with_evaluation(self.engine.options().evaluation.clone());
        let mut reviewer = Reviewer::new(Engine::new(options)?, Limits::nodes(REVIEW_NODES));
        // On standard error; hidden if that is no terminal.
        let bar = ProgressBar::new(game.moves().len() as u64);
        // Fails only for an invalid template; the default style is acceptable then.
        if let Ok(style) =
            ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} moves, {eta} left")
        {
            bar.set_style(style);
        }
        let review = reviewer.review(&tree, cancel, |_, _| bar.inc(1));
        bar.finish_and_clear();
        Ok(review.map(|review| ClosingReport { game, review: &review, user }.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_to_a_draw_without_advantage_and_late() {
        let game =
            |number| Game::from_position(format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}").parse().unwrap());
        assert!(accepts_draw(Some(Score::Centipawns(0)), &game(20)));
        assert!(accepts_draw(Some(Score::Mate(-3)), &game(20)));
        assert!(!accepts_draw(Some(Score::Centipawns(0)), &game(19)));
        assert!(!accepts_draw(Some(Score::Centipawns(1)), &game(20)));
        assert!(!accepts_draw(None, &game(20)));
    }
}
