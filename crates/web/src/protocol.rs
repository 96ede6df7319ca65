//! The messages, as JSON.
//!
//! Each request has a number, and each reply carries the number of the request it belongs to. A search or a review has many
//! replies; the last one is `best`, `reviewed`, `done` or `error`.
//!
//! A field that a request does not have is an error, so that a misspelt one is noticed. The games in a request are formats of their
//! own, to which the page adds fields; those are ignored.

use crate::explain::ExplainReply;
use crate::openings::OpeningsReply;
use crate::pgn::{GameSummary, SavedGame};
use crate::position::{GameLine, PositionReply};
use crate::search::{ScoreView, SearchState};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;
use tabiya_core::Move;
use tabiya_movegen::Game;
use tabiya_player::accepts_draw;
use tabiya_review::report::ReportGame;
use tabiya_search::Score;

/// The version of the messages. It is increased by changes that an existing page would misunderstand.
pub const VERSION: u32 = 3;

/// Maximum size of a message with PGN texts or games, in bytes.
pub const MAX_MESSAGE: usize = 16 << 20;
/// Maximum number of JSON objects in a message with games. An empty move takes 3 bytes of the message and some hundred in memory; those
/// of the page take more than 100 bytes, so that its games reach [`MAX_MESSAGE`] first.
const MAX_OBJECTS: usize = 300_000;
/// Maximum size of any other message. The longest game by the rules takes 124 kB.
pub const MAX_SMALL_MESSAGE: usize = 128 << 10;

/// The types of requests with PGN texts or games.
const LARGE_REQUESTS: [&str; 6] = ["open", "opening_lines", "game", "save", "report", "review"];
/// The types of requests with games as JSON.
const GAME_REQUESTS: [&str; 3] = ["save", "report", "review"];

/// A request with its number.
#[derive(Clone, Debug, Deserialize)]
pub struct Message {
    /// The number, chosen by the page.
    pub id: u32,
    /// The request.
    #[serde(flatten)]
    pub request: Request,
}

impl Message {
    /// Reads a message of at most [`MAX_MESSAGE`] bytes or, if it has neither PGN nor games, [`MAX_SMALL_MESSAGE`].
    ///
    /// # Errors
    /// The reply that says why it cannot be read. It has the message's number if that can be read.
    pub fn read(text: &str) -> Result<Message, Envelope> {
        let header = Header::read(text);
        let id = header.as_ref().map(|header| header.id);
        let kind = header.and_then(|header| header.kind).unwrap_or_default();
        let refuse =
            |error: String| Envelope { id, reply: Reply::error(format!("invalid message: {error}")) };
        let limit = if LARGE_REQUESTS.contains(&&*kind) { MAX_MESSAGE } else { MAX_SMALL_MESSAGE };
        if text.len() > limit {
            let kind: String = kind.chars().take(20).collect();
            return Err(refuse(format!("{} bytes (expected at most {limit} for {kind:?})", text.len())));
        }
        let objects = || text.bytes().filter(|&byte| byte == b'{').count();
        if GAME_REQUESTS.contains(&&*kind) && objects() > MAX_OBJECTS {
            return Err(refuse(format!("{} JSON objects (expected at most {MAX_OBJECTS})", objects())));
        }
        // The error may quote the message, which may be long.
        serde_json::from_str(text).map_err(|error| refuse(error.to_string().chars().take(200).collect()))
    }

    /// Returns the number of a message, or `None` if it cannot be read.
    #[cfg(feature = "server")]
    pub(crate) fn read_id(text: &str) -> Option<u32> {
        Header::read(text).map(|header| header.id)
    }
}

/// The part of a message that all versions have. The other fields are skipped, not stored.
#[derive(Deserialize)]
struct Header<'a> {
    id: u32,
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
}

impl Header<'_> {
    fn read(text: &str) -> Option<Header<'_>> {
        serde_json::from_str(text).ok()
    }
}

/// A request of the page.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Request {
    /// The first request: asks for the engine's name and abilities.
    Hello {
        /// The [`VERSION`] that the page speaks.
        version: u32,
        /// The wanted size of the engine; absent members leave the server's.
        #[serde(flatten)]
        size: EngineSize,
    },
    /// Asks for the legal moves and the state of a position.
    Position {
        /// The game up to the position.
        game: GameLine,
    },
    /// Asks for the start position of Chess960 with this number.
    Chess960 {
        /// The number, from 0 to 959.
        number: u16,
    },
    /// Asks for the moves that people play in a position, and for the move with which the game leaves the openings they know.
    Openings {
        /// The game up to the position.
        game: GameLine,
    },
    /// Asks for the first moves of games.
    OpeningLines {
        /// A PGN text for each game. Text after the plies that are asked for may be missing.
        pgns: Vec<String>,
        /// The number of plies.
        plies: usize,
    },
    /// Asks for the evaluations of a position in detail.
    Explain {
        /// The game up to the position.
        game: GameLine,
    },
    /// Asks for the games in a PGN text.
    Open {
        /// The text.
        pgn: String,
    },
    /// Asks for the moves of the first game in a PGN text.
    Game {
        /// The text.
        pgn: String,
    },
    /// Asks for the position or the moves in a text that is not PGN, as people copy it.
    Read {
        /// The text.
        text: String,
    },
    /// Asks for the PGN of a game.
    Save {
        /// The game.
        game: SavedGame,
    },
    /// Asks for an HTML page of reviewed games.
    Report {
        /// The page's title.
        title: String,
        /// The search in words, such as `100,000 nodes`.
        search: String,
        /// The games.
        games: Vec<ReportGame>,
    },
    /// Starts a search. A search that is still running is stopped.
    Search(SearchRequest),
    /// Starts the review of a game. A review that is still running is cancelled.
    Review {
        /// The game. Its glyphs and comments are part of the reply.
        game: SavedGame,
        /// Nodes for each position.
        nodes: u64,
    },
    /// Stops the search or the review with this number. Has no reply; the stopped request gets its last one.
    Stop {
        /// The number of the request that started it.
        target: u32,
    },
    /// Forgets what the engine has learnt, for a new game.
    // Serde ignores the fields of a variant without braces.
    NewGame {},
    /// Replies `done`.
    Ping {},
}

/// The size of a page's engine. Sizes above the server's limits are cut down to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct EngineSize {
    /// The number of search threads.
    pub threads: Option<usize>,
    /// The size of the transposition table in MiB.
    pub hash: Option<usize>,
}

/// A request for a search.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchRequest {
    /// The game up to the position.
    pub game: GameLine,
    /// The limits.
    pub limit: Limit,
    /// The number of lines, from 1 to 5.
    pub lines: usize,
    /// The strength in Elo; absent for full strength.
    pub elo: Option<u16>,
    /// True if the engine may answer from its opening book, if one line is asked for.
    pub book: bool,
    /// True if the reply should have a person's thinking time.
    pub human_pace: bool,
}

/// The limits of a search. Without any, it runs until stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limit {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Time in milliseconds.
    pub movetime: Option<u64>,
    /// The clock of the side to move.
    pub clock: Option<PlayerClock>,
}

/// A player's clock, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerClock {
    /// The remaining time.
    pub remaining: i64,
    /// The increment for each move.
    #[serde(default)]
    pub increment: i64,
}

/// A reply with the number of its request.
#[derive(Clone, Debug, Serialize)]
pub struct Envelope {
    /// The number of the request, or `None` if the request could not be read.
    pub id: Option<u32>,
    /// The reply.
    #[serde(flatten)]
    pub reply: Reply,
}

/// A reply of the engine.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reply {
    /// The reply to `hello`.
    Welcome(Welcome),
    /// The reply to `position`.
    Position(Box<PositionReply>),
    /// The reply to `chess960`.
    Start {
        /// The start position.
        fen: String,
    },
    /// The reply to `openings`.
    Openings(Box<OpeningsReply>),
    /// The reply to `opening_lines`.
    OpeningLines {
        /// The first moves of each game, up to the first that cannot be played.
        lines: Vec<GameLine>,
    },
    /// The reply to `explain`.
    Explained(Box<ExplainReply>),
    /// The reply to `open`.
    Opened {
        /// The games, in the order of the text.
        games: Vec<GameSummary>,
        /// The number of games after the last one in `games`.
        omitted: usize,
    },
    /// The reply to `game` and `read`.
    Game {
        /// The moves, in the format of reviewed games.
        game: Box<ReportGame>,
        /// The error after which moves are missing.
        error: Option<String>,
    },
    /// The reply to `save`.
    Saved {
        /// The game as PGN.
        pgn: String,
    },
    /// The reply to `report`.
    Report {
        /// The page.
        html: String,
    },
    /// A report of a running search.
    Info(SearchState),
    /// The end of a search.
    Best {
        /// The move to play; absent if there is no legal move, or if another request has replaced the search.
        uci: Option<String>,
        /// The same in SAN.
        san: Option<String>,
        /// The score of the move from White's point of view; absent for a move from the book.
        score: Option<ScoreView>,
        /// True if the engine would agree to a draw after the move, from its score and the move number; absent if not. Draws that can be
        /// claimed are in the reply to `position`.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        accepts_draw: bool,
        /// The time in milliseconds that a person would take for the move, from the request on. The page waits for it: a web worker cannot.
        /// Absent unless asked for, at full strength, and without a clock.
        #[serde(skip_serializing_if = "Option::is_none")]
        thinking_time: Option<u64>,
    },
    /// A report of a running review.
    Progress(ReviewProgress),
    /// The end of a review.
    Reviewed {
        /// The game with its review.
        game: Box<ReportGame>,
    },
    /// The reply to `new_game` and `ping`, and to a review that was stopped.
    Done,
    /// The request failed.
    Error {
        /// The reason.
        message: String,
    },
}

/// The engine's name and abilities.
#[derive(Clone, Debug, Serialize)]
pub struct Welcome {
    /// Name and version of the program.
    pub name: String,
    /// The number of search threads.
    pub threads: usize,
    /// The size of the transposition table in MiB.
    pub hash: usize,
    /// The largest number of search threads that a page may ask for.
    pub max_threads: usize,
    /// The largest transposition table that a page may ask for, in MiB.
    pub max_hash: usize,
}

/// A report of a running review, after each move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewProgress {
    /// The number of reviewed plies.
    pub ply: usize,
    /// The number of plies of the main line.
    pub total: usize,
    /// White's expected score after the ply, from 0 to 1.
    pub white: f64,
}

impl Reply {
    /// The end of a search without a move.
    pub(crate) const NO_MOVE: Reply =
        Reply::Best { uci: None, san: None, score: None, accepts_draw: false, thinking_time: None };

    /// The end of a search of `game`. The score is that of the side to move.
    pub(crate) fn best(
        game: &Game,
        mv: Option<Move>,
        score: Option<Score>,
        thinking_time: Option<Duration>,
    ) -> Reply {
        let root = game.position();
        let mut next = game.clone();
        let is_played = mv.is_some_and(|mv| next.play(mv).is_ok());
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Reply::Best {
            uci: mv.map(|mv| mv.to_uci(true).to_string()),
            san: mv.map(|mv| root.san(mv).to_string()),
            score: score.map(|score| ScoreView::new(score, root.side_to_move())),
            accepts_draw: is_played && next.claimable_draw().is_none() && accepts_draw(&next, score),
            thinking_time: thinking_time.map(milliseconds),
        }
    }

    /// The reply to a request that failed.
    pub fn error(error: impl ToString) -> Reply {
        Reply::Error { message: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_requests_with_defaults() {
        let read = |text: &str| serde_json::from_str::<Message>(text).unwrap().request;
        let text = r#"{"id":3,"type":"search","game":{"start":"8/8/8/8/8/8/8/8 w - - 0 1"},"limit":{"clock":{"remaining":-5}}}"#;
        let Request::Search(search) = read(text) else { panic!("a search") };
        assert_eq!(search.limit.clock, Some(PlayerClock { remaining: -5, increment: 0 }));
        assert_eq!((search.lines, search.elo, search.book), (0, None, false));
        let Request::Hello { size, .. } = read(r#"{"id":1,"type":"hello","version":1,"hash":64}"#) else {
            panic!("a hello")
        };
        assert_eq!(size, EngineSize { threads: None, hash: Some(64) });
        assert!(matches!(read(r#"{"id":1,"type":"stop","target":3}"#), Request::Stop { target: 3 }));
        assert!(matches!(read(r#"{"id":1,"type":"new_game"}"#), Request::NewGame {}));
    }

    #[test]
    fn rejects_unknown_and_broken_requests() {
        for text in [
            "",
            "[]",
            "{}",
            r#"{"id":1}"#,
            r#"{"id":-1,"type":"new_game"}"#,
            r#"{"id":1,"type":"format_disk"}"#,
        ] {
            assert!(Message::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn unknown_fields_are_errors_except_in_games() {
        for text in [
            r#"{"id":1,"type":"ping","later":[]}"#,
            r#"{"id":1,"type":"new_game","later":[]}"#,
            r#"{"id":1,"type":"stop","target":3,"targets":[]}"#,
            r#"{"id":1,"type":"hello","version":1,"thread":2}"#,
            r#"{"id":1,"type":"search","eol":800}"#,
            r#"{"id":1,"type":"search","limit":{"movestime":100}}"#,
            r#"{"id":1,"type":"search","limit":{"clock":{"remaining":1,"inc":2}}}"#,
            r#"{"id":1,"type":"position","game":{"fen":"8/8/8/8/8/8/8/8 w - - 0 1"}}"#,
        ] {
            let error = Message::read(text).unwrap_err();
            let Reply::Error { message } = error.reply else { panic!("an error") };
            assert!(error.id == Some(1) && message.contains("unknown field"), "{text}: {message}");
        }
        let save = r#"{"id":1,"type":"save","game":{"current":0,"nodes":[{"marks":{}}]}}"#;
        assert!(matches!(Message::read(save).unwrap().request, Request::Save { .. }));
    }

    #[test]
    fn broken_request_is_answered_with_its_number() {
        let id = |text| Message::read(text).unwrap_err().id;
        assert_eq!(id(r#"{"id":7,"type":"format_disk"}"#), Some(7));
        assert_eq!(id(r#"{"id":7,"type":"search","lines":[]}"#), Some(7));
        assert_eq!(id(r#"{"type":"hello"}"#), None);
    }

    #[test]
    fn size_is_limited_by_type() {
        let message = |kind: &str, length: usize| {
            let fields = match kind {
                "open" | "game" => r#","pgn":"""#,
                "review" => r#","game":{},"nodes":1"#,
                _ => "",
            };
            format!(r#"{{"id":7,"type":"{kind}"{fields}{}}}"#, " ".repeat(length))
        };
        for kind in ["new_game", "ping", "search"] {
            assert!(Message::read(&message(kind, 1000)).is_ok(), "{kind}");
            let error = Message::read(&message(kind, MAX_SMALL_MESSAGE)).unwrap_err();
            let Reply::Error { message } = error.reply else { panic!("an error") };
            assert_eq!(error.id, Some(7));
            assert!(message.ends_with(&format!("(expected at most 131072 for \"{kind}\")")), "{message}");
        }
        for kind in ["open", "game", "review"] {
            assert!(Message::read(&message(kind, MAX_SMALL_MESSAGE)).is_ok(), "{kind}");
            assert!(Message::read(&message(kind, MAX_MESSAGE)).is_err(), "{kind}");
        }
    }

    #[test]
    fn number_of_moves_is_limited() {
        let message = |moves: usize| {
            let nodes = vec!["{}"; moves].join(",");
            Message::read(&format!(r#"{{"id":7,"type":"save","game":{{"nodes":[{nodes}]}}}}"#))
        };
        // The message and the game are objects, too.
        assert!(message(MAX_OBJECTS - 2).is_ok());
        let Reply::Error { message } = message(MAX_OBJECTS - 1).unwrap_err().reply else {
            panic!("an error")
        };
        assert_eq!(message, "invalid message: 300001 JSON objects (expected at most 300000)");
        // Braces of comments are no objects.
        let pgn = "1. e4 {}".repeat(MAX_OBJECTS);
        assert!(Message::read(&format!(r#"{{"id":7,"type":"open","pgn":"{pgn}"}}"#)).is_ok());
    }

    #[test]
    fn replies_are_flat_objects() {
        let envelope = Envelope { id: Some(4), reply: Reply::error("no") };
        assert_eq!(serde_json::to_string(&envelope).unwrap(), r#"{"id":4,"type":"error","message":"no"}"#);
    }
}
