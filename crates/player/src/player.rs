//! The computer player.

use crate::choice::{MoveChoice, PlayerEvent};
use crate::handicap::Handicap;
use crate::limited_engine::LimitedEngine;
use crate::player_engine::PlayerEngine;
use crate::strength::Strength;
use crate::thinking_time::thinking_time;
use crossbeam_channel::{Receiver, unbounded};
use std::time::Duration;
use tabiya_book::Book;
use tabiya_core::{Move, SplitMix64};
use tabiya_eval::Evaluation;
use tabiya_movegen::Game;
use tabiya_search::{BestMove, Engine, Limits, Score, Search, SearchEvent, StopHandle};

/// The manner of play. The default is full strength without a book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerSettings {
    /// The strength; `None` for full strength.
    pub strength: Option<Strength>,
    /// The seed of play at limited strength, book moves included; `None` for a new one in each game.
    pub seed: Option<u64>,
    /// True if a move at limited strength on a clock takes as long as a person's.
    pub human_pace: bool,
    /// The last move number at which the book is used; 0 for play without a book.
    pub book_depth: u32,
}

/// A computer player: engine, book, strength and pace, for every program that plays.
///
/// A second engine plays at limited strength. It has one thread, a small transposition table and no tablebases, and is made when it is first
/// needed. So a level depends on neither the program nor the options of the player's engine, except its
/// evaluation and move overhead.
///
/// ```
/// use tabiya_movegen::Game;
/// use tabiya_player::{Player, Strength};
/// use tabiya_search::{Engine, Limits, Options};
///
/// let mut player = Player::new(Engine::new(Options::default())?, 7);
/// player.settings.strength = Some(Strength::from_elo(1200));
/// let answer = player.prepare(&Game::new(), Limits::default()).start(&Game::new()).wait();
/// assert!(answer.best.is_some());
/// # Ok::<(), tabiya_search::EngineError>(())
/// ```
#[derive(Debug)]
pub struct Player<E = Engine> {
    engine: E,
    /// The manner of play of later searches.
    pub settings: PlayerSettings,
    /// The engine for play at limited strength, if there has been any.
    limited: Option<LimitedEngine<E>>,
    /// `None` until the built-in book is first used.
    book: Option<Book>,
    random: SplitMix64,
    /// Changes with each game, so that limited play is not repeated.
    game_seed: u64,
}

/// A search that a player has prepared.
#[must_use = "the search has to be started"]
#[derive(Debug)]
pub struct PreparedSearch<'a, E> {
    /// The engine to search with.
    pub engine: &'a mut E,
    /// The limits.
    pub limits: Limits,
    /// Processes the events of the search.
    pub choice: MoveChoice,
    /// The move of the book, to which the search is restricted: its depth of 1 supplies a score.
    pub book_move: Option<Move>,
    /// The time that a person would take for the move, if that is asked for.
    pub thinking_time: Option<Duration>,
}

impl<E: PlayerEngine> Player<E> {
    /// Creates a player. `seed` decides on the choice among book moves and on play at limited strength. There, a seed in the settings
    /// replaces it for both.
    pub fn new(engine: E, seed: u64) -> Player<E> {
        let mut random = SplitMix64::new(seed);
        let game_seed = random.next_u64();
        let settings = PlayerSettings::default();
        Player { engine, settings, limited: None, book: None, random, game_seed }
    }

    /// The engine for play at full strength and analysis.
    pub fn engine(&self) -> &E {
        &self.engine
    }

    /// The engine for play at full strength and analysis.
    pub fn engine_mut(&mut self) -> &mut E {
        &mut self.engine
    }

    /// Sets the evaluation at every strength.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.engine.set_evaluation(evaluation);
    }

    /// The opening book.
    pub fn book(&mut self) -> &Book {
        self.book.get_or_insert_with(Book::main_lines)
    }

    /// Sets the opening book; `None` for the built-in main lines.
    pub fn set_book(&mut self, book: Option<Book>) {
        self.book = book;
    }

    /// Forgets earlier searches and plans, for a new game.
    pub fn new_game(&mut self) {
        self.engine.clear();
        if let Some(limited) = &mut self.limited {
            limited.new_game();
        }
        self.game_seed = self.random.next_u64();
    }

    /// Prepares a search of the current position of `game` for a move to play, or for analysis if `limits` are infinite or ask for a
    /// mate: that is done at full strength.
    pub fn prepare(&mut self, game: &Game, limits: Limits) -> PreparedSearch<'_, E> {
        let multipv = limits.multipv.max(1);
        let thinking_time = self.thinking_time(game, &limits);
        if let Some(mv) = self.book_move(game, &limits) {
            return PreparedSearch {
                engine: &mut self.engine,
                limits: Limits::depth(1).with_min_time(limits.min_time).with_search_moves([mv]),
                choice: MoveChoice::book_move(),
                book_move: Some(mv),
                thinking_time,
            };
        }
        let Some(strength) = self.settings.strength.filter(|_| !is_analysis(&limits)) else {
            let choice = MoveChoice::new(None, multipv);
            let engine = &mut self.engine;
            return PreparedSearch { engine, limits, choice, book_move: None, thinking_time };
        };
        let seed = self.seed();
        self.update_limited_engine();
        let (engine, limits, chooser) = match &mut self.limited {
            Some(limited) => {
                let (engine, limits, chooser) = limited.prepare(game, limits, strength, seed);
                (engine, limits, Some(chooser))
            }
            // There is no memory for a second engine: too few nodes are the limit that is left.
            None => (&mut self.engine, strength.limit(limits), None),
        };
        let choice = MoveChoice::new(chooser, multipv);
        PreparedSearch { engine, limits, choice, book_move: None, thinking_time }
    }

    /// Makes the engine for play at limited strength, or replaces one whose options have become different.
    fn update_limited_engine(&mut self) {
        if !self.limited.as_ref().is_some_and(|limited| limited.matches(&self.engine)) {
            let handicap = self.limited.take().map_or_else(Handicap::default, |former| former.handicap);
            self.limited = LimitedEngine::new(&self.engine, handicap).ok();
        }
        if let Some(limited) = &mut self.limited {
            limited.set_time_source(self.engine.time_source());
        }
    }

    /// The seed of play at limited strength in this game.
    fn seed(&self) -> u64 {
        self.settings.seed.unwrap_or(self.game_seed)
    }

    /// The time that a person would take for a move to play on the clock. `None` at full strength, without a clock, at a fixed time per
    /// move and for analysis, and unless the settings ask for it.
    fn thinking_time(&self, game: &Game, limits: &Limits) -> Option<Duration> {
        let is_human = self.settings.human_pace && self.settings.strength.is_some();
        let is_timed = limits.movetime.is_none() && !limits.ponder && !is_analysis(limits);
        let clock = limits.clock.filter(|_| is_human && is_timed)?;
        Some(thinking_time(game, clock, self.seed()))
    }

    /// A book move for the current position of `game`, if the book is in use and the search is for a move to play, not for analysis.
    fn book_move(&mut self, game: &Game, limits: &Limits) -> Option<Move> {
        let is_for_play =
            !is_analysis(limits) && !limits.ponder && limits.search_moves.is_empty() && limits.multipv <= 1;
        if !is_for_play || u32::from(game.position().fullmove_number()) > self.settings.book_depth {
            return None;
        }
        let random = match self.settings {
            // A hash, because the choice must not depend on earlier ones.
            PlayerSettings { strength: Some(_), seed: Some(seed), .. } => {
                SplitMix64::hash(seed ^ game.position().key())
            }
            _ => self.random.next_u64(),
        };
        self.book().choose(game.position(), random)
    }
}

/// True for a search that asks what is best, and not for a move to play.
fn is_analysis(limits: &Limits) -> bool {
    limits.infinite || limits.mate.is_some()
}

impl PreparedSearch<'_, Engine> {
    /// Makes the search answer no sooner than a person would, if that is asked for.
    pub fn at_human_pace(mut self) -> Self {
        if let Some(time) = self.thinking_time {
            self.limits.min_time = Some(time.saturating_sub(self.engine.options().move_overhead));
        }
        self
    }

    /// Starts the search of the current position of `game`, for which it was prepared. Returns at once.
    pub fn start(self, game: &Game) -> PlayerSearch {
        let (sender, events) = unbounded();
        // An error means that the search has been dropped.
        let search = self.engine.go_with(game, self.limits, move |event| drop(sender.send(event)));
        PlayerSearch { search, events, choice: self.choice }
    }
}

/// A player's search in progress. Dropping it stops it.
#[derive(Debug)]
pub struct PlayerSearch {
    search: Search,
    events: Receiver<SearchEvent>,
    choice: MoveChoice,
}

impl PlayerSearch {
    /// The channel of events, for a `select!`. Each event must be passed to [`event`](Self::event).
    pub fn events(&self) -> &Receiver<SearchEvent> {
        &self.events
    }

    /// Processes an event. Returns `None` for lines that were searched only to limit the strength.
    pub fn event(&mut self, event: SearchEvent) -> Option<PlayerEvent> {
        self.choice.event(event)
    }

    /// Returns the score of a move as [`MoveChoice::score`] does.
    pub fn score(&self, mv: Move) -> Option<Score> {
        self.choice.score(mv)
    }

    /// Requests the best move now.
    pub fn stop(&self) {
        self.search.stop();
    }

    /// Returns a handle by which another thread can stop the search.
    pub fn stop_handle(&self) -> StopHandle {
        self.search.stop_handle()
    }

    /// Signals that the opponent has played the expected move.
    pub fn ponderhit(&self) {
        self.search.ponderhit();
    }

    /// Waits for the move to play. There is none in a finished game.
    pub fn wait(mut self) -> BestMove {
        while let Ok(event) = self.events.recv() {
            if let Some(PlayerEvent::BestMove { answer, .. }) = self.choice.event(event) {
                return answer;
            }
        }
        BestMove::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;
    use tabiya_movegen::Position;
    use tabiya_search::{BlockingEngine, Clock, Info, Options, SEARCH_STACK_SIZE};

    fn player() -> Player {
        Player::new(Engine::new(Options::default().with_hash_mb(1)).unwrap(), 1)
    }

    /// The nodes and the move of a level after 1. e4, with a fixed seed.
    fn level(elo: u16, options: Options) -> (u64, Option<Move>) {
        let mut player = Player::new(Engine::new(options).unwrap(), 1);
        player.settings = settings(elo);
        let game = after_e4();
        let mut search = player.prepare(&game, Limits::default()).start(&game);
        let mut nodes = 0;
        while let Ok(event) = search.events().recv() {
            if let SearchEvent::Info(info) = &event {
                nodes = info.nodes;
            }
            if let Some(PlayerEvent::BestMove { answer, .. }) = search.event(event) {
                return (nodes, answer.best);
            }
        }
        panic!("no best move")
    }

    fn settings(elo: u16) -> PlayerSettings {
        PlayerSettings { strength: Some(Strength::from_elo(elo)), seed: Some(7), ..PlayerSettings::default() }
    }

    fn after_e4() -> Game {
        let mut game = Game::new();
        game.play_san("e4").unwrap();
        game
    }

    #[test]
    fn a_level_depends_on_no_option_and_no_kind_of_engine() {
        for elo in [800, 1500] {
            let expected = level(elo, Options::default());
            assert_eq!(Some(expected.0), Strength::from_elo(elo).limit(Limits::default()).nodes);
            for options in [
                Options::default().with_threads(3),
                Options::default().with_hash_mb(64),
                Options::default().with_threads(2).with_hash_mb(1),
            ] {
                assert_eq!(level(elo, options.clone()), expected, "{options:?}");
            }
            let blocking = move || {
                let engine = BlockingEngine::with_options(Options::default().with_hash_mb(32)).unwrap();
                let mut player = Player::new(engine, 1);
                player.settings = settings(elo);
                let game = after_e4();
                let PreparedSearch { engine, limits, mut choice, .. } =
                    player.prepare(&game, Limits::default());
                let answer = engine.search_with(&game, &limits, |event| {
                    choice.event(event);
                    ControlFlow::Continue(())
                });
                (answer.nodes, choice.choose(answer.best_move()).0.best)
            };
            let thread = std::thread::Builder::new().stack_size(SEARCH_STACK_SIZE).spawn(blocking);
            assert_eq!(thread.unwrap().join().unwrap(), expected);
        }
    }

    #[test]
    fn analysis_is_at_full_strength() {
        let mut player = player();
        player.settings = settings(800);
        let game = Game::from_position("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1".parse().expect("a position"));
        for limits in [Limits::infinite(), Limits::default().with_mate(2)] {
            assert_eq!(player.prepare(&game, limits.clone()).limits.nodes, None, "{limits:?}");
        }
        let best = player.prepare(&game, Limits::default().with_mate(2)).start(&game).wait().best;
        assert_eq!(best.map(|mv| mv.to_uci(false).to_string()).as_deref(), Some("a1a6"));
        assert!(player.prepare(&game, Limits::depth(3)).limits.nodes.is_some());
    }

    #[test]
    fn several_lines_are_reported_once_each() {
        let mut player = player();
        let game = Game::new();
        let (mut searches, mut later) = (0, 0);
        for seed in 0..20 {
            player.settings = PlayerSettings { seed: Some(seed), ..settings(800) };
            let mut search = player.prepare(&game, Limits::default().with_multipv(2)).start(&game);
            let mut lines = Vec::new();
            while let Ok(event) = search.events().recv() {
                match search.event(event) {
                    Some(PlayerEvent::Info(info)) => {
                        lines.truncate(info.multipv as usize - 1);
                        lines.push(info);
                    }
                    Some(PlayerEvent::BestMove { answer, line }) => {
                        let first = lines[0].pv.first().copied();
                        if let Some(line) = line {
                            lines.truncate(line.multipv as usize - 1);
                            lines.push(line);
                        }
                        let score = answer.best.and_then(|mv| search.score(mv));
                        assert!(score.is_some(), "seed {seed}");
                        let is_move = |line: &&Info| line.pv.first().copied() == answer.best;
                        let reported: Vec<_> = lines.iter().filter(is_move).map(|line| line.score).collect();
                        assert_eq!(reported, Vec::from_iter(score), "seed {seed}");
                        searches += 1;
                        later += u32::from(answer.best != first);
                    }
                    _ => {}
                }
            }
        }
        assert_eq!(searches, 20);
        assert!(later > 0, "a later move than the first line's is chosen");
    }

    /// The move of a level in a position, and the moves that it considers.
    fn move_at(player: &mut Player, elo: u16, seed: u64, fen: &str) -> (Move, Vec<Move>) {
        player.settings = PlayerSettings { seed: Some(seed), ..settings(elo) };
        let game = Game::from_position(fen.parse().expect("a position"));
        let prepared = player.prepare(&game, Limits::default());
        let considered = prepared.limits.search_moves.clone();
        (prepared.start(&game).wait().best.expect("a move"), considered)
    }

    #[test]
    fn the_last_piece_is_not_given_to_a_bare_king() {
        let mut player = player();
        for fen in [
            // Positions in which earlier versions gave a rook away.
            "3k4/2R5/1R6/8/8/8/8/2K5 w - - 8 5",
            "6k1/7R/2K5/8/8/8/8/8 w - - 38 20",
            "8/8/8/8/7R/2k5/5K2/8 w - - 8 5",
            "8/8/8/2k5/8/3Q4/8/K7 w - - 0 1",
            "8/8/8/2k5/8/3Q4/6P1/K7 w - - 0 1",
            "8/8/2k5/2p5/8/8/1r6/6K1 b - - 0 1",
        ] {
            let root: Position = fen.parse().expect("a position");
            for (elo, seeds) in [(1200, 20), (1350, 20), (1800, 10)] {
                for seed in 0..seeds {
                    let (mv, _) = move_at(&mut player, elo, seed, fen);
                    let after = root.play(mv).expect("a legal move");
                    let is_lost = after.legal_moves().into_iter().any(|reply| reply.is_capture());
                    assert!(!is_lost, "{elo}, seed {seed}, {fen}: {}", mv.to_uci(false));
                }
            }
        }
    }

    #[test]
    fn a_mate_in_one_that_is_considered_is_played() {
        let mut player = player();
        for (fen, mate) in [
            ("6k1/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8"),
            ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g7"),
            ("7k/R7/8/8/8/8/1R6/4K3 w - - 0 1", "b2b8"),
            ("k7/8/1K6/8/8/8/6P1/3Q4 w - - 0 1", "d1d8"),
        ] {
            for elo in [800, 1000, 1200, 1500, 1800] {
                let is_mate = |mv: &Move| mv.to_uci(false).to_string() == mate;
                let mut considered = 0;
                for seed in 0..10 {
                    let (mv, moves) = move_at(&mut player, elo, seed, fen);
                    if moves.iter().any(is_mate) {
                        considered += 1;
                        assert!(is_mate(&mv), "{elo}, seed {seed}, {fen}: {}", mv.to_uci(false));
                    }
                }
                assert!(considered > 3, "{elo}, {fen}");
            }
        }
    }

    #[test]
    fn the_book_is_used_only_for_moves_to_play() {
        let mut player = player();
        let game = Game::new();
        assert_eq!(player.book_move(&game, &Limits::depth(1)), None, "without a book");
        player.settings.book_depth = 1;
        assert!(player.book_move(&game, &Limits::depth(1)).is_some());
        for limits in [
            Limits::infinite(),
            Limits::default().with_ponder(true),
            Limits::default().with_mate(3),
            Limits::default().with_multipv(3),
        ] {
            assert_eq!(player.book_move(&game, &limits), None, "{limits:?}");
        }
        let mut later = game;
        for mv in ["e4", "e5"] {
            later.play_san(mv).unwrap();
        }
        assert_eq!(player.book_move(&later, &Limits::depth(1)), None, "move 2");
    }

    #[test]
    fn a_book_move_has_no_move_to_ponder_on() {
        let mut player = player();
        player.settings.book_depth = 1;
        let game = Game::new();
        let prepared = player.prepare(&game, Limits::default());
        let expected = prepared.book_move;
        let answer = prepared.start(&game).wait();
        assert_eq!((answer.best, answer.ponder), (expected, None));
        assert!(expected.is_some());
    }

    #[test]
    fn book_moves_vary_with_the_seed() {
        let first = |seed| {
            let mut player = Player::new(Engine::new(Options::default().with_hash_mb(1)).unwrap(), seed);
            player.settings.book_depth = 1;
            player.prepare(&Game::new(), Limits::default()).book_move.expect("a book move")
        };
        assert!((1..40).any(|seed| first(seed) != first(0)));
    }

    #[test]
    fn book_moves_at_limited_strength_depend_only_on_the_seed_of_the_settings() {
        let first = |player_seed, seed| {
            let mut player =
                Player::new(Engine::new(Options::default().with_hash_mb(1)).unwrap(), player_seed);
            player.settings = PlayerSettings { seed: Some(seed), book_depth: 1, ..settings(1500) };
            let moves = [(); 3].map(|()| player.book_move(&Game::new(), &Limits::default()));
            assert_eq!(moves, [moves[0]; 3]);
            moves[0].expect("a book move")
        };
        assert!((2..40).all(|player_seed| first(player_seed, 7) == first(1, 7)));
        assert!((1..40).any(|seed| first(1, seed) != first(1, 0)));
    }

    #[test]
    fn the_book_can_be_replaced() {
        let mut player = player();
        player.settings.book_depth = 1;
        let lines = tabiya_book::TextBook::from_lines("1. Nh3").unwrap();
        player.set_book(Some(Book::Text(lines)));
        let mv = player.book_move(&Game::new(), &Limits::default()).unwrap();
        assert_eq!(mv.to_uci(false).to_string(), "g1h3");
        player.set_book(None);
        assert_ne!(player.book_move(&Game::new(), &Limits::default()), Some(mv), "the built-in book");
    }

    #[test]
    fn a_persons_time_is_for_limited_play_on_a_clock() {
        let on_clock = Limits::clock(Clock::new(Duration::from_secs(600), Duration::ZERO));
        let time = |player: &Player, limits: &Limits| player.thinking_time(&Game::new(), limits);
        let mut player = player();
        player.settings.strength = Some(Strength::from_elo(1500));
        assert_eq!(time(&player, &on_clock), None);
        player.settings.human_pace = true;
        let expected = time(&player, &on_clock).unwrap();
        assert!(expected > Duration::ZERO && expected <= Duration::from_secs(75), "{expected:?}");
        for limits in [
            Limits::depth(3),
            on_clock.clone().with_infinite(true),
            on_clock.clone().with_ponder(true),
            on_clock.clone().with_mate(2),
            on_clock.clone().with_movetime(Some(Duration::from_millis(100))),
        ] {
            assert_eq!(time(&player, &limits), None, "{limits:?}");
        }
        let overhead = player.engine().options().move_overhead;
        let prepared = player.prepare(&Game::new(), on_clock.clone()).at_human_pace();
        assert_eq!(prepared.limits.min_time, Some(expected.saturating_sub(overhead)));
        player.settings.strength = None;
        assert_eq!(time(&player, &on_clock), None);
    }

    #[test]
    fn strength_may_change_between_searches() {
        let mut player = player();
        for elo in [Some(800), None, Some(1200)] {
            player.settings.strength = elo.map(Strength::from_elo);
            let game = Game::new();
            let mv = player.prepare(&game, Limits::depth(3)).start(&game).wait().best.expect("a move");
            assert!(game.position().is_legal(mv));
            player.new_game();
        }
    }
}
