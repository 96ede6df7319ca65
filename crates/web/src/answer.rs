//! Answers to the requests that need no search.

use crate::explain;
use crate::openings;
use crate::pgn;
use crate::position::{self, GameLine};
use crate::protocol::{EngineSize, Reply, Request, SearchRequest};
use crate::resources::{GENERATOR, Resources};
use tabiya_movegen::{Game, GameTree, Position};
use tabiya_review::report::{Heading, HtmlReport, ReportGame};

/// The result of [`answer`](fn@answer).
#[derive(Clone, Debug)]
pub enum Answered {
    /// The reply.
    Done(Reply),
    /// The request needs an engine. It is valid so far that its game could be played.
    Search {
        /// The request.
        request: SearchRequest,
        /// The game up to the position to search.
        game: Box<Game>,
    },
    /// The page wants to know the engine.
    Hello {
        /// The version of the messages that the page speaks.
        version: u32,
        /// The wanted size of the engine.
        size: EngineSize,
    },
    /// The request needs a review.
    Review {
        /// The game.
        game: Box<GameTree>,
        /// Nodes for each position.
        nodes: u64,
    },
    /// A search or a review must be stopped.
    Stop {
        /// The number of the request that started it.
        target: u32,
    },
    /// A new game begins.
    NewGame,
}

/// Answers a request, unless it needs an engine.
pub fn answer(request: Request, resources: &Resources) -> Answered {
    Answered::Done(match request {
        Request::Position { game } => {
            with_game(&game, |game| Reply::Position(Box::new(position::view(game, resources))))
        }
        Request::Openings { game } => {
            with_game(&game, |game| Reply::Openings(Box::new(openings::view(game))))
        }
        Request::OpeningLines { pgns, plies } => {
            Reply::OpeningLines { lines: pgns.iter().map(|pgn| pgn::first_moves(pgn, plies)).collect() }
        }
        Request::Explain { game } => with_game(&game, |game| {
            Reply::Explained(Box::new(explain::explain(game.position(), &resources.evaluation)))
        }),
        Request::Chess960 { number } => match Position::chess960(number) {
            Some(position) => Reply::Start { fen: position.to_string() },
            None => Reply::error(format!("invalid Chess960 number: {number} (expected 0 to 959)")),
        },
        Request::Open { pgn } => {
            let (games, omitted) = pgn::open(&pgn);
            if games.is_empty() {
                Reply::error("there is no game in this text: expected PGN")
            } else {
                Reply::Opened { games, omitted }
            }
        }
        Request::Game { pgn } => {
            let (game, error) = pgn::game(&pgn);
            Reply::Game { game: Box::new(game), error }
        }
        Request::Read { text } => match pgn::read(&text) {
            Ok(game) => Reply::Game { game: Box::new(game), error: None },
            Err(error) => Reply::error(error),
        },
        Request::Save { game } => match game.to_tree() {
            Ok(tree) => Reply::Saved { pgn: tree.to_string() },
            Err(error) => Reply::error(error),
        },
        Request::Report { title, search, games } => report(title, search, &games),
        Request::Search(request) => match request.game.play() {
            Ok(game) => return Answered::Search { request, game: Box::new(game) },
            Err(error) => Reply::error(error),
        },
        Request::Hello { version, size } => return Answered::Hello { version, size },
        Request::Review { game, nodes } => match game.to_tree() {
            Ok(game) => return Answered::Review { game: Box::new(game), nodes },
            Err(error) => Reply::error(error),
        },
        Request::Stop { target } => return Answered::Stop { target },
        Request::NewGame {} => return Answered::NewGame,
        Request::Ping {} => Reply::Done,
    })
}

fn with_game(line: &GameLine, reply: impl FnOnce(&Game) -> Reply) -> Reply {
    match line.play() {
        Ok(game) => reply(&game),
        Err(error) => Reply::error(error),
    }
}

fn report(title: String, search: String, games: &[ReportGame]) -> Reply {
    let write = || {
        let mut report = HtmlReport::new(Vec::new(), &Heading::new(title, GENERATOR, search))?;
        for game in games {
            report.add(game)?;
        }
        report.finish()
    };
    match write() {
        Ok(html) => Reply::Report { html: String::from_utf8_lossy(&html).into_owned() },
        Err(error) => Reply::error(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(text: &str) -> serde_json::Value {
        let message: crate::Message = serde_json::from_str(text).unwrap();
        match answer(message.request, &Resources::default()) {
            Answered::Done(reply) => serde_json::to_value(reply).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn chess960_numbers_are_checked() {
        assert_eq!(
            reply(r#"{"id":1,"type":"chess960","number":518}"#)["fen"],
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
        assert_eq!(reply(r#"{"id":1,"type":"chess960","number":960}"#)["type"], "error");
    }

    #[test]
    fn copied_positions_and_moves_are_read() {
        let read =
            |text: &str| reply(&serde_json::json!({"id": 1, "type": "read", "text": text}).to_string());
        // Each line has a pasted text and the position that it leads to.
        let cases =
            include_str!("../../../tests/data/pasted.tsv").lines().filter(|line| !line.starts_with('#'));
        for (text, expected) in cases.map(|line| line.split_once('\t').unwrap()) {
            let game = read(text)["game"].take();
            let moves = game["nodes"].as_array().unwrap().iter().skip(1);
            let moves = moves.map(|node| node["uci"].as_str().unwrap().to_owned()).collect();
            let line = GameLine { start: game["start"].as_str().map(str::to_owned), moves };
            assert_eq!(line.play().unwrap().position().to_string(), expected, "{text}");
        }
        assert!(
            read("https://example.org/1.html")["message"].as_str().unwrap().starts_with("neither a position")
        );
    }

    #[test]
    fn openings_have_shares_and_results_as_numbers() {
        let moves = reply(r#"{"id":1,"type":"openings","game":{"moves":[]}}"#)["moves"].take();
        assert_eq!(moves[0]["san"], "e4");
        let number = |name: &str| moves[0]["results"][name].as_f64().unwrap();
        assert!(number("games") > 100.0 && number("score") > 0.0);
        assert!((number("white") + number("draws") + number("black") - 1.0).abs() < 1e-9);
    }

    #[test]
    fn opening_lines_are_the_first_moves_of_main_lines() {
        let start = "8/4k3/8/8/8/8/4P3/4K3 w - - 0 1";
        let pgns = [
            "[White \"A\"]\n\n1. e4 {good} (1. d4 d5) e5 2. Nf3 Nc6 1-0",
            &format!("[FEN \"{start}\"]\n\n1. e4 Kd7 *"),
            "1. e4 e5 2. Ke3 *",
            // A text that was cut within a comment.
            "1. e4 {a long",
            "no game",
        ];
        let request = serde_json::json!({"id": 1, "type": "opening_lines", "pgns": pgns, "plies": 3});
        let lines = reply(&request.to_string())["lines"].take();
        let moves: Vec<_> = (0..pgns.len()).map(|index| lines[index]["moves"].to_string()).collect();
        assert_eq!(
            moves,
            [r#"["e2e4","e7e5","g1f3"]"#, r#"["e2e4","e7d7"]"#, r#"["e2e4","e7e5"]"#, r#"["e2e4"]"#, "[]"]
        );
        assert_eq!(lines[1]["start"], start);
    }

    #[test]
    fn report_contains_the_games_of_a_request() {
        let game =
            reply(r#"{"id":1,"type":"game","pgn":"[White \"<script>\"]\n\n1. e4 e5 *"}"#)["game"].take();
        let request =
            serde_json::json!({"id": 2, "type": "report", "title": "T", "search": "S", "games": [game]});
        let html = reply(&request.to_string())["html"].take();
        let html = html.as_str().unwrap();
        assert!(html.starts_with("<!doctype html>") && html.contains("\\u003cscript>"), "{html}");
    }
}
