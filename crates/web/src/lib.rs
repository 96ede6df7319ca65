//! Tabiya in the browser: the messages between a page and an engine, the sessions that answer them, and a local server.
//!
//! A page sends [`Request`]s and receives [`Reply`]s, as JSON. Everything that needs no search is a pure function of the request
//! ([`answer`](fn@answer)). A [`Session`] also searches and reviews games, in other threads; a [`BlockingSession`] does so in the calling
//! thread. The page keeps the game, so nothing is lost when a session ends.
//!
//! ```
//! use tabiya_web::{Answered, Message, Reply, Resources, answer};
//!
//! let message: Message = serde_json::from_str(r#"{"id":1,"type":"position","game":{"moves":["e2e4","c7c5"]}}"#)?;
//! let Answered::Done(Reply::Position(position)) = answer(message.request, &Resources::default()) else { panic!() };
//! assert_eq!(position.opening.unwrap().name, "Sicilian Defense");
//! assert_eq!(position.legal.len(), 30);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! | Task | Item |
//! | --- | --- |
//! | Read and write messages | [`Message`], [`Request`], [`Reply`], [`VERSION`] |
//! | Answer what needs no search | [`answer`](fn@answer), [`Resources`] |
//! | Serve a page with searches | [`Session`], [`SessionOptions`], [`ReplySender`] |
//! | Serve it without threads | [`BlockingSession`] |
//! | Run the server | `server` (feature `server`) |

#![deny(missing_docs)]

mod answer;
mod blocking_session;
mod explain;
mod openings;
mod pgn;
mod position;
mod protocol;
mod reply_sender;
mod resources;
mod review;
mod search;
#[cfg(feature = "server")]
pub mod server;
mod session;
mod session_options;

pub use answer::{Answered, answer};
pub use blocking_session::BlockingSession;
pub use explain::{ClassicView, ExplainReply, Marks, NetworkView, PieceView, TermView};
pub use openings::{BookExit, OpeningsReply, PopularMove, PopularResults};
pub use pgn::{GameSummary, SavedGame, SavedNode};
pub use position::{GameLine, LegalMove, OutcomeView, PositionReply, TablebaseResult, TablebaseView};
pub use protocol::{
    EngineSize, Envelope, Limit, MAX_MESSAGE, MAX_SMALL_MESSAGE, Message, PlayerClock, Reply, Request,
    ReviewProgress, SearchRequest, VERSION, Welcome,
};
pub use reply_sender::{Disconnected, ReplySender};
pub use resources::Resources;
pub use search::{LineView, ScoreView, SearchState};
pub use session::Session;
pub use session_options::{SessionOptions, check_options};
pub use tabiya_book::Opening;

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
