//! A session in the calling thread.

use crate::answer::{Answered, answer};
use crate::protocol::{Envelope, Message, Reply, SearchRequest};
use crate::review;
use crate::search::InfoCollector;
use crate::session_options::{SessionOptions, welcome};
use std::fmt;
use std::ops::ControlFlow;
use tabiya_core::Bound;
use tabiya_movegen::{Game, GameTree};
use tabiya_player::{Player, PlayerEvent, PreparedSearch};
use tabiya_review::{CancelToken, Reviewer};
use tabiya_search::{BestMove, BlockingEngine, EngineError, TimeSource};

/// A session that starts no thread, for a web worker: it answers a request completely before it returns.
///
/// So nothing can be stopped by a request: whoever wants to end a search ends the thread, and [`Request::Stop`] is answered by nothing. The
/// thread needs the stack of [`tabiya_search::SEARCH_STACK_SIZE`].
///
/// ```
/// use tabiya_search::TimeSource;
/// use tabiya_web::{BlockingSession, Reply, SessionOptions};
///
/// let mut session = BlockingSession::new(SessionOptions::default(), TimeSource::System, 1);
/// let mut replies = Vec::new();
/// let request = r#"{"id":1,"type":"position","game":{"moves":["e2e4"]}}"#;
/// session.handle(serde_json::from_str(request)?, &mut |reply| replies.push(reply));
/// assert!(matches!(replies[0].reply, Reply::Position(_)));
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// [`Request::Stop`]: crate::Request::Stop
pub struct BlockingSession {
    options: SessionOptions,
    time_source: TimeSource,
    seed: u64,
    /// `None` until the first search.
    player: Option<Player<BlockingEngine>>,
}

impl BlockingSession {
    /// Creates a session. Its engine is created by the first search, and uses one thread. `seed` decides on the choice
    /// among book moves and on the play at limited strength.
    pub fn new(options: SessionOptions, time_source: TimeSource, seed: u64) -> BlockingSession {
        BlockingSession { options: SessionOptions { threads: 1, ..options }, time_source, seed, player: None }
    }

    /// Answers a request and passes each reply to `send`.
    pub fn handle(&mut self, message: Message, send: &mut dyn FnMut(Envelope)) {
        let Message { id, request } = message;
        let send = &mut |reply| send(Envelope { id: Some(id), reply });
        match answer(request, &self.options.resources) {
            Answered::Done(reply) => send(reply),
            Answered::Hello { version, .. } => send(welcome(version, &self.options)),
            Answered::Search { request, game } => self.search(&request, &game, send),
            Answered::Review { game, nodes } => {
                let last = self.review(*game, nodes, send);
                send(last);
            }
            Answered::Stop { .. } => {}
            Answered::NewGame => {
                if let Some(player) = &mut self.player {
                    player.new_game();
                }
                send(Reply::Done);
            }
        }
    }

    fn search(&mut self, request: &SearchRequest, game: &Game, send: &mut dyn FnMut(Reply)) {
        if game.outcome().is_some() {
            return send(Reply::NO_MOVE);
        }
        let player = match self.player() {
            Ok(player) => player,
            Err(error) => return send(Reply::error(error)),
        };
        player.settings = request.settings();
        let limits = request.limits();
        let lines = limits.multipv;
        let PreparedSearch { engine, limits, mut choice, book_move, thinking_time } =
            player.prepare(game, limits);
        if book_move.is_some() {
            return send(Reply::best(game, book_move, None, thinking_time));
        }
        // At limited strength only some moves are searched.
        let moves = match limits.search_moves.len() {
            0 => game.position().count_legal_moves(),
            moves => moves,
        };
        let lines = lines.min(moves);
        let mut collector = InfoCollector::new(game);
        let mut score = None;
        let answer = engine.search_with(game, &limits, |event| {
            if let Some(PlayerEvent::Info(info)) = choice.event(event) {
                collector.update(&info);
                if info.multipv == 1 {
                    score = Some(info.score);
                }
                // The lines of an iteration are reported one after another; they are sent together.
                if info.multipv as usize == lines || info.bound != Bound::Exact {
                    send(Reply::Info(collector.state().clone()));
                }
            }
            ControlFlow::Continue(())
        });
        let (BestMove { best, .. }, _) = choice.choose(answer.best_move());
        let score = best.and_then(|mv| choice.score(mv)).or(score);
        send(Reply::best(game, best, score, thinking_time));
    }

    fn player(&mut self) -> Result<&mut Player<BlockingEngine>, EngineError> {
        let BlockingSession { options, time_source, seed, player } = self;
        match player {
            Some(player) => Ok(player),
            empty => Ok(empty.insert(Player::new(engine(options, *time_source)?, *seed))),
        }
    }

    /// Reviews a game and returns the last reply.
    fn review(&self, tree: GameTree, nodes: u64, send: &mut dyn FnMut(Reply)) -> Reply {
        match engine(&self.options, self.time_source) {
            Ok(engine) => {
                let reviewer = Reviewer::new(engine, review::limits(nodes));
                review::review(tree, reviewer, &CancelToken::never(), |progress| {
                    send(Reply::Progress(progress));
                })
            }
            Err(error) => Reply::error(error),
        }
    }
}

impl fmt::Debug for BlockingSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockingSession").field("options", &self.options).finish_non_exhaustive()
    }
}

fn engine(options: &SessionOptions, time_source: TimeSource) -> Result<BlockingEngine, EngineError> {
    let mut engine = BlockingEngine::with_options(options.engine())?;
    engine.set_time_source(time_source);
    Ok(engine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::VERSION;
    use serde_json::{Value, json};
    use tabiya_search::SEARCH_STACK_SIZE;

    /// The replies to requests that are sent one after another.
    fn replies(requests: Vec<Value>) -> Vec<Value> {
        let answer_all = move || {
            let options = SessionOptions { hash_mb: 1, ..SessionOptions::default() };
            let mut session = BlockingSession::new(options, TimeSource::System, 7);
            let mut replies = Vec::new();
            for request in requests {
                let message = serde_json::from_value(request).unwrap();
                session.handle(message, &mut |reply| replies.push(serde_json::to_value(reply).unwrap()));
            }
            replies
        };
        let builder = std::thread::Builder::new().stack_size(SEARCH_STACK_SIZE);
        builder.spawn(answer_all).unwrap().join().unwrap()
    }

    #[test]
    fn search_reports_complete_sets_of_lines_and_the_best_move() {
        let replies = replies(vec![
            json!({"id": 3, "type": "search", "lines": 3, "limit": {"depth": 5}, "game": {"moves": ["f2f3", "e7e5", "g2g4"]}}),
        ]);
        let (best, infos) = replies.split_last().unwrap();
        assert!(infos.len() > 2, "{replies:?}");
        for info in infos {
            assert_eq!((&info["type"], info["lines"].as_array().unwrap().len()), (&json!("info"), 3));
        }
        let expected = json!({"id": 3, "type": "best", "uci": "d8h4", "san": "Qh4#", "score": {"mate": -1}});
        assert_eq!(best, &expected);
    }

    #[test]
    fn book_strength_and_finished_games_are_as_in_a_session_with_threads() {
        let replies = replies(vec![
            json!({"id": 1, "type": "hello", "version": VERSION}),
            json!({"id": 2, "type": "search", "book": true}),
            json!({"id": 3, "type": "search", "elo": 900, "human_pace": true, "limit": {"clock": {"remaining": 300_000}}}),
            json!({"id": 4, "type": "new_game"}),
            json!({"id": 5, "type": "search", "game": {"start": "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}}),
            json!({"id": 6, "type": "search", "game": {"moves": ["e2e5"]}}),
            json!({"id": 7, "type": "stop", "target": 3}),
        ]);
        let last = |id| replies.iter().rfind(|reply| reply["id"] == id).map(|reply| &reply["type"]);
        assert_eq!(replies[0]["threads"], 1);
        assert_eq!(replies[1]["type"], "best");
        assert_eq!(
            [3, 4, 5, 6].map(last),
            ["best", "done", "best", "error"].map(|kind| Some(json!(kind))).each_ref().map(Option::as_ref)
        );
        assert_eq!(last(7), None);
        let person = replies.iter().find(|reply| reply["id"] == 3 && reply["type"] == "best").unwrap();
        assert!(person["thinking_time"].as_u64().unwrap() > 0);
        assert_eq!(replies[1].get("thinking_time"), None);
    }

    #[test]
    fn draw_is_accepted_late_by_a_side_that_is_not_better() {
        let accepts = |fen: &str| {
            let request = json!({"id": 1, "type": "search", "limit": {"depth": 4}, "game": {"start": fen}});
            replies(vec![request]).pop().unwrap().get("accepts_draw").cloned()
        };
        assert_eq!(accepts("k7/8/8/8/8/8/1q6/7K w - - 0 40"), Some(json!(true)));
        assert_eq!(accepts("k7/8/8/8/8/8/1q6/7K w - - 0 10"), None, "too early");
        assert_eq!(accepts("k7/8/8/8/8/8/1Q6/7K w - - 0 40"), None, "a queen ahead");
    }

    #[test]
    fn limited_strength_reports_its_lines() {
        let replies = replies(vec![json!({"id": 1, "type": "search", "elo": 900, "lines": 5})]);
        assert!(replies.iter().any(|reply| reply["type"] == "info"), "{replies:?}");
    }

    #[test]
    fn review_reports_progress_and_the_annotated_game() {
        let moves = json!([{}, {"uci": "f2f3"}, {"uci": "e7e5"}, {"uci": "g2g4"}, {"uci": "d8h4"}]);
        let replies =
            replies(vec![json!({"id": 4, "type": "review", "game": {"nodes": moves}, "nodes": 1000})]);
        let kinds: Vec<_> = replies.iter().map(|reply| reply["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["progress", "progress", "progress", "progress", "reviewed"]);
        assert_eq!(replies[4]["game"]["nodes"][3]["judgement"], "blunder");
    }
}
