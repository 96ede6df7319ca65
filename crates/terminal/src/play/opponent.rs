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
use tabiya_search::{BestMove, Clock, Engine, Limits, Options, Search, SearchEvent};

/// Nodes per position of the review after the game.
const REVIEW_NODES: u64 = 100_000;

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
    /// Changes with each game, so that limited play is not repeated.
    pub(super) game_seed: u64,
    pub(super) interrupt: Interrupt,
}

impl EngineOpponent {
    fn search(&mut self, game: &Game, clock: Option<Clock>, human_pace: bool) -> Result<Option<Move>> {
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
        let best = wait(&search, chooser);
        self.interrupt.done();
        Ok(best)
    }

    fn book_move(&self, game: &Game) -> Option<Move> {
        self.book.as_ref()?.choose(game.position(), RandomState::new().hash_one(game.position().key()))
    }
}

/// Waits for the move of a search, or for that of the chooser.
fn wait(search: &Search, mut chooser: Option<LineChooser>) -> Option<Move> {
    let mut best_move = BestMove::default();
    for event in search.events() {
        match (event, &mut chooser) {
            (SearchEvent::Info(info), Some(chooser)) => chooser.update(&info),
            (SearchEvent::BestMove(answer), Some(chooser)) => best_move = chooser.choose(answer).0,
            (SearchEvent::BestMove(answer), None) => best_move = answer,
            (SearchEvent::Info(_) | SearchEvent::CurrentMove { .. }, _) => {}
        }
    }
    best_move.best
}

impl Opponent for EngineOpponent {
    fn choose(&mut self, game: &Game, clock: Option<Clock>) -> Result<Option<Move>> {
        self.search(game, clock, self.human_pace)
    }

    fn hint(&mut self, game: &Game, clock: Option<Clock>) -> Result<Option<Move>> {
        self.search(game, clock, false)
    }

    fn new_game(&mut self) {
        self.engine.clear();
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
