//! The engine with its option values, opening book and strength limit, as both protocols and the terminal
//! commands use it.

use crate::resources::Resources;
use crossbeam_channel::{Receiver, unbounded};
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;
use tabiya_book::Book;
use tabiya_core::Move;
use tabiya_eval::Evaluation;
use tabiya_movegen::Game;
use tabiya_player::{LineChooser, Opponent, Strength, thinking_time};
use tabiya_search::{BestMove, Engine, EngineError, Info, Limits, Options, Search, SearchEvent, StopHandle};

/// Option values that belong to the front end rather than to the engine. Their defaults are declared with the
/// options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) chess960: bool,
    pub(crate) multipv: usize,
    pub(crate) show_wdl: bool,
    pub(crate) minimal: bool,
    pub(crate) analyse_mode: bool,
    pub(crate) limit_strength: bool,
    pub(crate) elo: u16,
    pub(crate) skill_level: u8,
    /// Seed of limited play; 0 for a new one in each game.
    pub(crate) strength_seed: u64,
    /// True if limited play on a clock takes as long for a move as a person would.
    pub(crate) human_pace: bool,
    pub(crate) own_book: bool,
    /// Last move number at which the book is used.
    pub(crate) book_depth: u32,
}

impl Settings {
    /// The strength to play at, or `None` for full strength. `UCI_Elo` takes precedence over `Skill Level`.
    fn strength(&self) -> Option<Strength> {
        match (self.analyse_mode, self.limit_strength) {
            (true, _) => None,
            (false, true) => Some(Strength::from_elo(self.elo)),
            (false, false) => Strength::from_skill_level(self.skill_level),
        }
    }
}

/// An engine with settings, book and strength limit.
pub(crate) struct Controller {
    pub(crate) engine: Engine,
    pub(crate) settings: Settings,
    pub(crate) resources: Resources,
    pub(crate) evaluation: Evaluation,
    /// The engine for play at limited strength, if there has been any.
    opponent: Option<Opponent>,
    /// Changes with each game, so that limited play is not repeated.
    game_seed: u64,
}

impl Controller {
    /// Sets up an engine.
    ///
    /// # Errors
    /// If memory or threads cannot be allocated.
    pub(crate) fn new(options: Options, settings: Settings) -> Result<Controller, EngineError> {
        Ok(Controller {
            resources: Resources::new(options.tablebases.clone()),
            evaluation: options.evaluation.clone(),
            engine: Engine::new(options)?,
            settings,
            opponent: None,
            game_seed: RandomState::new().hash_one(0),
        })
    }

    /// Prepares for a new game.
    pub(crate) fn new_game(&mut self) {
        self.engine.clear();
        if let Some(opponent) = &mut self.opponent {
            opponent.new_game();
        }
        self.game_seed = RandomState::new().hash_one(self.game_seed);
    }

    /// Starts a search of the current position of `game`, at the set strength unless `limits` are infinite.
    /// If the book has a reply, the search is restricted to it.
    pub(crate) fn search(&mut self, game: &Game, mut limits: Limits) -> RunningSearch {
        limits.multipv = limits.multipv.max(self.settings.multipv);
        limits.min_time = self.thinking_time(game, &limits);
        if let Some(mv) = self.book_move(game, &limits) {
            // A search of depth 1 supplies a score and a move to ponder on.
            let limits = Limits::depth(1).with_min_time(limits.min_time).with_search_moves([mv]);
            return RunningSearch::start(1, |send| (self.engine.go_with(game, limits, send), None));
        }
        match self.settings.strength().filter(|_| !limits.infinite) {
            Some(strength) => self.limited_search(game, limits, strength),
            None => self.full_search(game, limits),
        }
    }

    fn full_search(&mut self, game: &Game, limits: Limits) -> RunningSearch {
        self.engine.set_evaluation(self.evaluation.clone());
        RunningSearch::start(limits.multipv, |send| (self.engine.go_with(game, limits, send), None))
    }

    fn limited_search(&mut self, game: &Game, limits: Limits, strength: Strength) -> RunningSearch {
        let seed = self.seed();
        if self.opponent.is_none() {
            self.opponent = Opponent::new(self.evaluation.clone()).ok();
        }
        let Some(opponent) = &mut self.opponent else {
            // There is no memory for a second engine: too few nodes are the limit that is left.
            return self.full_search(game, strength.limit(limits));
        };
        opponent.set_evaluation(self.evaluation.clone());
        opponent.set_move_overhead(self.engine.options().move_overhead);
        RunningSearch::start(limits.multipv, |send| {
            let (search, chooser) = opponent.go_with(game, limits, strength, seed, send);
            (search, Some(chooser))
        })
    }

    /// The seed of limited play in this game.
    fn seed(&self) -> u64 {
        if self.settings.strength_seed == 0 { self.game_seed } else { self.settings.strength_seed }
    }

    /// The time that a person would take for a move to play on the clock. `None` at full strength, without a clock and for analysis,
    /// and unless `Human Pace` is on.
    fn thinking_time(&self, game: &Game, limits: &Limits) -> Option<Duration> {
        let is_human = self.settings.human_pace && self.settings.strength().is_some();
        let is_move_to_play = !limits.infinite && !limits.ponder && limits.mate.is_none();
        let clock = limits.clock.filter(|_| is_human && is_move_to_play)?;
        Some(thinking_time(game, clock, self.seed()).saturating_sub(self.engine.options().move_overhead))
    }

    /// The opening book if `OwnBook` is on.
    pub(crate) fn book(&mut self) -> Option<&Book> {
        if self.settings.own_book { Some(self.resources.book()) } else { None }
    }

    /// A book move for the current position of `game`, if the book is in use and the search is for a move to
    /// play, not for analysis.
    fn book_move(&mut self, game: &Game, limits: &Limits) -> Option<Move> {
        let analysis = self.settings.analyse_mode
            || limits.infinite
            || limits.ponder
            || limits.mate.is_some()
            || !limits.search_moves.is_empty()
            || limits.multipv > 1;
        if analysis || u32::from(game.position().fullmove_number()) > self.settings.book_depth {
            return None;
        }
        self.book()?.choose(game.position(), RandomState::new().hash_one(game.position().key()))
    }
}

/// A search in progress. Dropping it stops it.
pub(crate) struct RunningSearch {
    search: Search,
    events: Receiver<SearchEvent>,
    /// Picks the move when the strength is limited.
    chooser: Option<LineChooser>,
    /// The number of lines to report. A limited search computes more of them than that.
    multipv: usize,
}

/// An event of a [`RunningSearch`] to report.
pub(crate) enum Report {
    Info(Info),
    CurrentMove {
        depth: u32,
        mv: Move,
        number: u32,
    },
    /// The end of the search.
    BestMove {
        answer: BestMove,
        /// The line of the chosen move, unless it was reported last.
        line: Option<Info>,
    },
}

impl RunningSearch {
    /// Starts a search whose events go to a channel, for a `select!` over it and the input.
    fn start(
        multipv: usize,
        go: impl FnOnce(Box<dyn FnMut(SearchEvent) + Send>) -> (Search, Option<LineChooser>),
    ) -> RunningSearch {
        let (sender, events) = unbounded();
        // An error means that the search has been dropped.
        let (search, chooser) = go(Box::new(move |event| drop(sender.send(event))));
        RunningSearch { search, events, chooser, multipv }
    }

    /// The channel of events. Each event must be passed to [`RunningSearch::report`].
    pub(crate) fn events(&self) -> &Receiver<SearchEvent> {
        &self.events
    }

    /// Requests the best move now.
    pub(crate) fn stop(&self) {
        self.search.stop();
    }

    /// Returns a handle by which another thread can stop the search.
    pub(crate) fn stop_handle(&self) -> StopHandle {
        self.search.stop_handle()
    }

    /// Signals that the opponent has played the expected move.
    pub(crate) fn ponderhit(&self) {
        self.search.ponderhit();
    }

    /// Processes an event. Returns `None` for lines that were searched only to limit the strength.
    pub(crate) fn report(&mut self, event: SearchEvent) -> Option<Report> {
        match event {
            SearchEvent::Info(info) => {
                if let Some(chooser) = &mut self.chooser {
                    chooser.update(&info);
                }
                (info.multipv as usize <= self.multipv).then_some(Report::Info(info))
            }
            SearchEvent::CurrentMove { depth, mv, number } => Some(Report::CurrentMove { depth, mv, number }),
            SearchEvent::BestMove(answer) => Some(match &self.chooser {
                None => Report::BestMove { answer, line: None },
                Some(chooser) => {
                    let (answer, line) = chooser.choose(answer);
                    Report::BestMove { answer, line: line.map(|line| line.clone().with_multipv(1)) }
                }
            }),
        }
    }

    /// Waits for the best move.
    pub(crate) fn wait(mut self) -> BestMove {
        while let Ok(event) = self.events.recv() {
            if let Some(Report::BestMove { answer, .. }) = self.report(event) {
                return answer;
            }
        }
        BestMove::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn controller() -> Controller {
        let settings = Settings { multipv: 1, book_depth: u32::MAX, ..Settings::default() };
        Controller::new(Options::default().with_hash_mb(1), settings).unwrap()
    }

    #[test]
    fn uses_the_book_only_for_moves_to_play() {
        let mut controller = controller();
        let game = Game::new();
        assert_eq!(controller.book_move(&game, &Limits::depth(1)), None, "OwnBook is off");
        controller.settings.own_book = true;
        assert!(controller.book_move(&game, &Limits::depth(1)).is_some());
        for limits in [
            Limits::infinite(),
            Limits::default().with_ponder(true),
            Limits::default().with_mate(3),
            Limits::default().with_multipv(3),
        ] {
            assert_eq!(controller.book_move(&game, &limits), None, "{limits:?}");
        }
        controller.settings.book_depth = 0;
        assert_eq!(controller.book_move(&game, &Limits::depth(1)), None);
    }

    #[test]
    fn thinking_time_is_for_limited_play_on_a_clock() {
        use tabiya_search::Clock;

        let mut controller = controller();
        let on_clock = Limits::clock(Clock::new(Duration::from_secs(600), Duration::ZERO));
        let time = |controller: &Controller, limits: &Limits| controller.thinking_time(&Game::new(), limits);
        controller.settings.limit_strength = true;
        assert_eq!(time(&controller, &on_clock), None);
        controller.settings.human_pace = true;
        assert!(time(&controller, &on_clock).is_some());
        for limits in [
            Limits::depth(3),
            on_clock.clone().with_infinite(true),
            on_clock.clone().with_ponder(true),
            on_clock.clone().with_mate(2),
        ] {
            assert_eq!(time(&controller, &limits), None, "{limits:?}");
        }
        // Full strength and analysis are not delayed.
        controller.settings.analyse_mode = true;
        assert_eq!(time(&controller, &on_clock), None);
        controller.settings.analyse_mode = false;
        controller.settings.limit_strength = false;
        controller.settings.skill_level = tabiya_player::MAX_SKILL_LEVEL;
        assert_eq!(time(&controller, &on_clock), None);
    }

    #[test]
    fn uses_the_moves_of_a_book_file() {
        let mut controller = controller();
        controller.settings.own_book = true;
        controller.resources.open_book(&crate::resources::test_data("polyglot/lasker-trap.bin")).unwrap();
        assert_eq!(
            controller.book_move(&Game::new(), &Limits::depth(1)),
            None,
            "the book has only Black's moves"
        );
        let mut game = Game::new();
        game.play_san("d4").unwrap();
        let mv = controller.book_move(&game, &Limits::depth(1)).unwrap();
        assert_eq!(game.position().san(mv).to_string(), "d5");
        controller.resources.open_book("").unwrap();
        assert!(controller.book_move(&Game::new(), &Limits::depth(1)).is_some(), "back to the built-in book");
    }
}
