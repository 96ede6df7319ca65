//! An engine that plays at any strength and analyses.

use crate::protocol::{Limit, SearchRequest};
use crate::search::Collector;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;
use tabiya_book::Book;
use tabiya_core::Move;
use tabiya_eval::Evaluation;
use tabiya_movegen::Game;
use tabiya_play::{LineChooser, NoisyEvaluation, Strength};
use tabiya_search::{BestMove, Clock, Engine, EngineError, Limits, Options, Search, SearchEvent};

/// The largest number of lines.
const MAX_LINES: usize = 5;

/// An engine with its book.
pub(crate) struct Player {
    engine: Engine,
    evaluation: Evaluation,
    /// The strength that the engine's evaluation is set to.
    strength: Option<Strength>,
    book: Option<Book>,
    /// Changes with each game, so that limited play is not repeated.
    game_seed: u64,
}

/// A search in progress. Dropping it stops it.
pub(crate) struct RunningSearch {
    pub(crate) search: Search,
    /// Chooses the move if the strength is limited.
    chooser: Option<LineChooser>,
    pub(crate) collector: Collector,
}

/// The start of a search.
pub(crate) enum Started {
    /// The book has a move.
    Book(Move),
    Search(Box<RunningSearch>),
}

impl Player {
    pub(crate) fn new(options: Options) -> Result<Player, EngineError> {
        let evaluation = options.evaluation.clone();
        Ok(Player {
            engine: Engine::new(options)?,
            evaluation,
            strength: None,
            book: None,
            game_seed: RandomState::new().hash_one(0),
        })
    }

    /// Prepares for a new game.
    pub(crate) fn new_game(&mut self) {
        self.engine.clear();
        self.game_seed = RandomState::new().hash_one(self.game_seed);
        // So that the next search with limited strength gets the new seed.
        self.set_strength(None);
    }

    /// Starts a search, or finds a move in the book.
    pub(crate) fn start(&mut self, request: &SearchRequest, game: &Game) -> Started {
        if request.book
            && let Some(mv) = self.book_move(game)
        {
            return Started::Book(mv);
        }
        let lines = request.lines.clamp(1, MAX_LINES);
        let strength = request.elo.map(Strength::from_elo);
        self.set_strength(strength);
        let limits = Limits { multipv: lines, ..limits(&request.limit) };
        let limits = strength.map_or(limits.clone(), |strength| strength.limit(limits));
        let seed = self.game_seed ^ game.position().key();
        Started::Search(Box::new(RunningSearch {
            search: self.engine.go(game, limits),
            chooser: strength.map(|strength| LineChooser::new(strength, seed)),
            collector: Collector::new(game, lines),
        }))
    }

    fn book_move(&mut self, game: &Game) -> Option<Move> {
        let book = self.book.get_or_insert_with(Book::main_lines);
        book.choose(game.position(), RandomState::new().hash_one(game.position().key()))
    }

    fn set_strength(&mut self, strength: Option<Strength>) {
        if strength == self.strength {
            return;
        }
        self.strength = strength;
        let (evaluation, seed) = (self.evaluation.clone(), self.game_seed);
        // Even if noise is added, because the reported probabilities depend on the evaluation.
        self.engine.set_evaluation(evaluation.clone());
        if let Some(strength) = strength {
            self.engine.set_evaluator(move || {
                Box::new(NoisyEvaluation::new(evaluation.evaluator(), strength, seed))
            });
        }
    }
}

fn limits(limit: &Limit) -> Limits {
    Limits {
        depth: limit.depth,
        nodes: limit.nodes,
        movetime: limit.movetime.map(Duration::from_millis),
        clock: limit.clock.map(|clock| Clock {
            remaining: clock.remaining,
            increment: clock.increment,
            moves_to_go: None,
        }),
        ..Limits::default()
    }
}

impl RunningSearch {
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

    fn player() -> Player {
        Player::new(Options { hash_mb: 1, ..Options::default() }).unwrap()
    }

    fn best(player: &mut Player, request: &SearchRequest) -> Option<Move> {
        let Started::Search(mut running) = player.start(request, &Game::new()) else { return None };
        let events = running.search.events().clone();
        events.iter().find_map(|event| running.add(&event))?.best
    }

    #[test]
    fn book_is_used_on_request() {
        let mut player = player();
        let nodes = Limit { nodes: Some(100), ..Limit::default() };
        let request = SearchRequest { limit: nodes, book: true, ..SearchRequest::default() };
        assert!(matches!(player.start(&request, &Game::new()), Started::Book(_)));
        assert!(best(&mut player, &SearchRequest { book: false, ..request }).is_some());
    }

    #[test]
    fn strength_may_change_between_searches() {
        let mut player = player();
        for elo in [Some(800), None, Some(1200)] {
            let limit = Limit { depth: Some(3), ..Limit::default() };
            let request = SearchRequest { limit, elo, lines: 9, ..SearchRequest::default() };
            let mv = best(&mut player, &request).expect("a move");
            assert!(Game::new().position().is_legal(mv));
            player.new_game();
        }
    }
}
