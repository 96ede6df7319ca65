//! The engine as the user's opponent.

use super::closing_report::{ClosingReport, tree_of};
use super::interrupt::Interrupt;
use crate::controller::Controller;
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use tabiya_core::{Color, Move};
use tabiya_eval::Evaluation;
use tabiya_movegen::Game;
use tabiya_review::{CancelToken, Reviewer};
use tabiya_search::{Clock, Engine, Limits, Options};

/// Nodes per position of the review after the game.
const REVIEW_NODES: u64 = 100_000;

/// The user's opponent, scripted in tests.
pub(super) trait Opponent {
    /// The move to play in the current position, which has a legal move.
    fn choose(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move>;

    /// The move to play, without delay.
    fn hint(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move>;

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
    pub(super) controller: Controller,
    pub(super) limits: Limits,
    pub(super) evaluation: Evaluation,
    pub(super) interrupt: Interrupt,
    /// True if a move takes as long as a person's, where the strength is limited and there is a clock.
    pub(super) human_pace: bool,
}

impl EngineOpponent {
    fn search(&mut self, game: &Game, clock: Option<Clock>, human_pace: bool) -> Option<Move> {
        self.controller.settings.human_pace = human_pace;
        let search = self.controller.prepare(game, self.limits.clone().with_clock(clock)).start(game);
        self.interrupt.searching(search.stop_handle());
        let answer = search.wait();
        self.interrupt.done();
        answer.best
    }
}

impl Opponent for EngineOpponent {
    fn choose(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        self.search(game, clock, self.human_pace)
    }

    fn hint(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        self.search(game, clock, false)
    }

    fn new_game(&mut self) {
        self.controller.player.new_game();
    }

    fn review(&mut self, game: &Game, user: Color, cancel: &CancelToken) -> Result<Option<String>> {
        let tree = tree_of(game).context("the game cannot be reviewed")?;
        // Not the engine of the game, whose strength may be limited.
        let options = Options::default().with_evaluation(self.evaluation.clone());
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
