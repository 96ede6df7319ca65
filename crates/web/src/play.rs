//! Playing at any strength: book, limits, what a limited player overlooks and misjudges, and the choice of the move.

use crate::protocol::{Limit, SearchRequest};
use crate::search::InfoCollector;
use std::sync::Arc;
use std::time::Duration;
use tabiya_book::Book;
use tabiya_core::{Move, SplitMix64};
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_movegen::Game;
use tabiya_player::{Handicap, LineChooser, NoisyEvaluation, Oversight, Strength, thinking_time};
use tabiya_search::{BestMove, BlockingEngine, Clock, Engine, Limits, MoveFilter, SearchEvent};

/// The largest number of lines.
const MAX_LINES: usize = 5;

/// An engine that a [`Player`] plays with.
pub(crate) trait PlayEngine {
    fn clear(&mut self);
    /// Sets an evaluation, which also decides on the reported probabilities.
    fn set_evaluation(&mut self, evaluation: Evaluation);
    /// Sets an evaluator that leaves the probabilities as they are.
    fn set_evaluator(&mut self, make: impl Fn() -> Box<dyn Evaluate> + Send + Sync + 'static);
    /// Sets the moves that the search sees; `None` for all moves.
    fn set_move_filter(&mut self, filter: Option<Arc<dyn MoveFilter>>);
}

impl PlayEngine for Engine {
    fn clear(&mut self) {
        Engine::clear(self);
    }

    fn set_evaluation(&mut self, evaluation: Evaluation) {
        Engine::set_evaluation(self, evaluation);
    }

    fn set_evaluator(&mut self, make: impl Fn() -> Box<dyn Evaluate> + Send + Sync + 'static) {
        Engine::set_evaluator(self, make);
    }

    fn set_move_filter(&mut self, filter: Option<Arc<dyn MoveFilter>>) {
        Engine::set_move_filter(self, filter);
    }
}

impl PlayEngine for BlockingEngine {
    fn clear(&mut self) {
        BlockingEngine::clear(self);
    }

    fn set_evaluation(&mut self, evaluation: Evaluation) {
        BlockingEngine::set_evaluation(self, evaluation);
    }

    fn set_evaluator(&mut self, make: impl Fn() -> Box<dyn Evaluate> + Send + Sync + 'static) {
        BlockingEngine::set_evaluator(self, make());
    }

    fn set_move_filter(&mut self, filter: Option<Arc<dyn MoveFilter>>) {
        BlockingEngine::set_move_filter(self, filter);
    }
}

/// An engine with its book.
pub(crate) struct Player<E> {
    pub(crate) engine: E,
    evaluation: Evaluation,
    /// The strength that the engine's evaluation is set to.
    strength: Option<Strength>,
    handicap: Handicap,
    book: Option<Book>,
    random: SplitMix64,
    /// Changes with each game, so that limited play is not repeated.
    game_seed: u64,
}

/// The answer to a request for a search.
pub(crate) enum Prepared {
    /// The book has a move. With the time that a person would take for it, if that is asked for.
    Book(Move, Option<Duration>),
    /// The engine must search.
    Search(Limits, Box<SearchProgress>),
}

/// The reports of a search in progress, and the choice of its move.
pub(crate) struct SearchProgress {
    /// Chooses the move if the strength is limited.
    chooser: Option<LineChooser>,
    pub(crate) collector: InfoCollector,
    /// The time that a person would take for the move, if that is asked for.
    pub(crate) thinking_time: Option<Duration>,
}

impl<E: PlayEngine> Player<E> {
    /// Creates a player. `seed` decides on its choices among equal book moves and, at limited strength, among its lines.
    pub(crate) fn new(engine: E, evaluation: Evaluation, seed: u64) -> Player<E> {
        let mut random = SplitMix64::new(seed);
        let game_seed = random.next_u64();
        let handicap = Handicap::default();
        Player { engine, evaluation, strength: None, handicap, book: None, random, game_seed }
    }

    /// Prepares for a new game.
    pub(crate) fn new_game(&mut self) {
        self.engine.clear();
        self.game_seed = self.random.next_u64();
        self.handicap.new_game();
        // So that the next search with limited strength gets the new seed.
        self.set_strength(None);
    }

    /// Finds a move in the book, or prepares the engine for a search.
    pub(crate) fn prepare(&mut self, request: &SearchRequest, game: &Game) -> Prepared {
        let limits = limits(&request.limit);
        let clock = limits.clock.filter(|_| request.human_pace && request.elo.is_some());
        let thinking_time = clock.map(|clock| thinking_time(game, clock, self.game_seed));
        if request.book
            && let Some(mv) = self.book_move(game)
        {
            return Prepared::Book(mv, thinking_time);
        }
        let lines = request.lines.clamp(1, MAX_LINES);
        let strength = request.elo.map(Strength::from_elo);
        self.set_strength(strength);
        let limits = limits.with_multipv(lines);
        let (limits, chooser) = match strength {
            Some(strength) => {
                // A move that was overlooked earlier may be seen now, so earlier TT entries are not valid.
                self.engine.clear();
                let (limits, chooser) = self.handicap.prepare(game, limits, strength, self.game_seed);
                (limits, Some(chooser))
            }
            None => (limits, None),
        };
        let collector = InfoCollector::new(game, lines);
        Prepared::Search(limits, Box::new(SearchProgress { chooser, collector, thinking_time }))
    }

    fn book_move(&mut self, game: &Game) -> Option<Move> {
        let book = self.book.get_or_insert_with(Book::main_lines);
        book.choose(game.position(), self.random.next_u64())
    }

    fn set_strength(&mut self, strength: Option<Strength>) {
        if strength == self.strength {
            return;
        }
        self.strength = strength;
        let (evaluation, seed) = (self.evaluation.clone(), self.game_seed);
        // The reported probabilities depend on the evaluation, so it must be set even if noise is added.
        self.engine.set_evaluation(evaluation.clone());
        self.engine.set_move_filter(strength.map(|strength| Oversight::filter(strength, seed)));
        if let Some(strength) = strength {
            self.engine.set_evaluator(move || {
                Box::new(NoisyEvaluation::new(evaluation.evaluator(), strength, seed))
            });
        }
    }
}

fn limits(limit: &Limit) -> Limits {
    Limits::default()
        .with_depth(limit.depth)
        .with_nodes(limit.nodes)
        .with_movetime(limit.movetime.map(Duration::from_millis))
        .with_clock(limit.clock.map(|clock| Clock::from_millis(clock.remaining, clock.increment)))
}

impl SearchProgress {
    /// Adds an event. Returns the best move at the end.
    pub(crate) fn add(&mut self, event: &SearchEvent) -> Option<BestMove> {
        match event {
            SearchEvent::Info(info) => {
                self.collector.update(info);
                if let Some(chooser) = &mut self.chooser {
                    chooser.update(info);
                }
                None
            }
            SearchEvent::CurrentMove { .. } => None,
            SearchEvent::BestMove(best) => {
                Some(self.chooser.as_ref().map_or(*best, |chooser| chooser.choose(*best).0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::PlayerClock;
    use tabiya_search::Options;

    fn player(seed: u64) -> Player<Engine> {
        let options = Options::default().with_hash_mb(1);
        let evaluation = options.evaluation.clone();
        Player::new(Engine::new(options).unwrap(), evaluation, seed)
    }

    fn best(player: &mut Player<Engine>, request: &SearchRequest) -> Option<Move> {
        let Prepared::Search(limits, mut progress) = player.prepare(request, &Game::new()) else {
            return None;
        };
        let search = player.engine.go(&Game::new(), limits);
        search.events().find_map(|event| progress.add(&event))?.best
    }

    #[test]
    fn book_is_used_on_request() {
        let mut player = player(1);
        let nodes = Limit { nodes: Some(100), ..Limit::default() };
        let request = SearchRequest { limit: nodes, book: true, ..SearchRequest::default() };
        assert!(matches!(player.prepare(&request, &Game::new()), Prepared::Book(..)));
        assert!(best(&mut player, &SearchRequest { book: false, ..request }).is_some());
    }

    #[test]
    fn book_moves_vary_with_the_seed() {
        let request = SearchRequest { book: true, ..SearchRequest::default() };
        let first_move = |seed| match player(seed).prepare(&request, &Game::new()) {
            Prepared::Book(mv, _) => mv,
            Prepared::Search(..) => panic!("no book move"),
        };
        assert!((1..40).any(|seed| first_move(seed) != first_move(0)));
    }

    #[test]
    fn persons_time_is_reported_at_limited_strength_on_a_clock() {
        let clock = Some(PlayerClock { remaining: 600_000, increment: 0 });
        let on_clock =
            |limit| SearchRequest { limit, elo: Some(1200), human_pace: true, ..SearchRequest::default() };
        let human = on_clock(Limit { clock, ..Limit::default() });
        let mut player = player(1);
        let mut time = |request: &SearchRequest| match player.prepare(request, &Game::new()) {
            Prepared::Book(_, time) => time,
            Prepared::Search(limits, progress) => {
                assert_eq!(limits.min_time, None);
                progress.thinking_time
            }
        };
        let expected = time(&human).unwrap();
        assert!(expected > Duration::ZERO && expected <= Duration::from_secs(75), "{expected:?}");
        assert_eq!(time(&SearchRequest { book: true, ..human.clone() }), Some(expected));
        assert_eq!(time(&on_clock(Limit::default())), None);
        assert_eq!(time(&SearchRequest { elo: None, ..human.clone() }), None);
        assert_eq!(time(&SearchRequest { human_pace: false, ..human }), None);
    }

    #[test]
    fn strength_may_change_between_searches() {
        let mut player = player(1);
        for elo in [Some(800), None, Some(1200)] {
            let limit = Limit { depth: Some(3), ..Limit::default() };
            let request = SearchRequest { limit, elo, lines: 9, ..SearchRequest::default() };
            let mv = best(&mut player, &request).expect("a move");
            assert!(Game::new().position().is_legal(mv));
            player.new_game();
        }
    }
}
