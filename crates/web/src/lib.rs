//! Tabiya in the browser: the messages between a page and an engine, the sessions that answer them, and a local server.
//!
//! A page sends [`Request`]s and receives [`Reply`]s, as JSON. Everything that needs no search is a pure function of the request
//! ([`answer`](fn@answer)). A [`Session`] also searches and reviews games, in other threads. The page keeps the game, so nothing is
//! lost when a session ends.
//!
//! ```
//! use tabiya_web::{Answered, Message, Reply, Resources, answer};
//!
//! let message: Message = serde_json::from_str(r#"{"id":1,"type":"position","game":{"moves":["e2e4","c7c5"]}}"#)?;
//! let Answered::Done(Reply::Position(position)) = answer(message.request, &Resources::default()) else { panic!() };
//! assert_eq!(position.opening.unwrap().name, "Sicilian Defense");
//! assert_eq!(position.san.as_deref(), Some("c5"));
//! assert_eq!(position.legal.len(), 30);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! | Task | Item |
//! | --- | --- |
//! | Read and write messages | [`Message`], [`Request`], [`Reply`], [`VERSION`] |
//! | Answer what needs no search | [`answer`](fn@answer), [`Resources`] |
//! | Serve a page with searches | [`Session`], [`Outbox`] |
//! | Run the server | `server` (feature `server`) |

#![deny(missing_docs)]

mod answer;
mod explain;
mod openings;
mod outbox;
mod pgn;
mod play;
mod position;
mod protocol;
mod resources;
mod review;
mod search;
#[cfg(feature = "server")]
pub mod server;
mod session;

pub use answer::{Answered, answer};
pub use explain::{ClassicView, ExplainReply, Marks, NetworkView, PieceView, Sides, TermView};
pub use openings::Opening;
pub use outbox::{Closed, Outbox};
pub use pgn::{GameSummary, SavedGame, SavedNode};
pub use position::{GameLine, LegalMove, PositionReply, TablebaseView};
pub use protocol::{
    Envelope, Limit, Message, PlayerClock, Reply, Request, ReviewProgress, SearchRequest, VERSION, Welcome,
};
pub use resources::Resources;
pub use search::{LineView, ScoreView, SearchView};
pub use session::{Session, SessionOptions, check_options};

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
