//! The engine as the user's opponent.

use super::closing_report::ClosingReport;
use crate::interrupt::Interrupt;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use tabiya_core::{Color, Move};
use tabiya_movegen::{Game, GameTree};
use tabiya_player::{Player, PlayerEvent, Strength, accepts_draw};
use tabiya_review::{CancelToken, Reviewer};
use tabiya_search::{Clock, Engine, Limits, Options, Score};

/// Nodes per position of the review after the game.
const REVIEW_NODES: u64 = 100_000;

/// The user's opponent, scripted in tests.
pub(super) trait Opponent {
    /// The move to play in the current position, which has a legal move.
    fn choose(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move>;

    /// The move to play, without delay.
    fn hint(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move>;

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
    pub(super) player: Player,
    pub(super) limits: Limits,
    /// True if a move takes as long as a person's, where the strength is limited and there is a clock.
    pub(super) human_pace: bool,
    /// The score of the opponent's last move in this game and the number of half-moves after it, for draw offers.
    pub(super) score: Option<(Score, usize)>,
    pub(super) interrupt: Interrupt,
}

impl EngineOpponent {
    /// Returns the move to play and its score.
    fn search(
        &mut self,
        game: &Game,
        clock: Option<Clock>,
        human_pace: bool,
    ) -> (Option<Move>, Option<Score>) {
        self.player.settings.human_pace = human_pace;
        let limits = self.limits.clone().with_clock(clock);
        let mut search = self.player.prepare(game, limits).at_human_pace().start(game);
        self.interrupt.searching(search.stop_handle());
        let (mut best, mut score) = (None, None);
        while let Ok(event) = search.events().recv() {
            match search.event(event) {
                Some(PlayerEvent::Info(info)) => score = Some(info.score),
                Some(PlayerEvent::BestMove { answer, line }) => {
                    best = answer.best;
                    score = line.map(|line| line.score).or(score);
                }
                _ => {}
            }
        }
        self.interrupt.done();
        (best, score)
    }
}

impl Opponent for EngineOpponent {
    fn choose(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        let (mv, score) = self.search(game, clock, self.human_pace);
        self.score = score.map(|score| (score, game.moves().len() + 1));
        mv
    }

    fn hint(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        self.search(game, clock, false).0
    }

    fn accepts_draw(&self, game: &Game) -> bool {
        // After moves have been taken back, the score is that of another position.
        let score = self.score.filter(|&(_, length)| length == game.moves().len());
        accepts_draw(game, score.map(|(score, _)| score))
    }

    fn set_level(&mut self, elo: Option<u16>) {
        self.player.settings.strength = elo.map(Strength::from_elo);
    }

    fn new_game(&mut self) {
        self.player.new_game();
        self.score = None;
    }

    fn review(&mut self, game: &Game, user: Color, cancel: &CancelToken) -> Result<Option<String>> {
        // Not the engine of the game, whose strength may be limited.
        let options = Options::default().with_evaluation(self.player.engine().options().evaluation.clone());
        let mut reviewer = Reviewer::new(Engine::new(options)?, Limits::nodes(REVIEW_NODES));
        // On standard error; hidden if that is no terminal.
        let bar = ProgressBar::new(game.moves().len() as u64);
        // Fails only for an invalid template; the default style is acceptable then.
        if let Ok(style) =
            ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} moves, {eta} left")
        {
            bar.set_style(style);
        }
        let review = reviewer.review(&GameTree::from(game), cancel, |_, _| bar.inc(1));
        bar.finish_and_clear();
        Ok(review.map(|review| ClosingReport { game, review: &review, user }.to_string()))
    }
}
