//! Alpha-beta chess search with a shared transposition table.
//!
//! An [`Engine`] takes a game and [`Limits`] and searches on its own threads. [`Engine::go`] returns at once
//! with a [`Search`]: a handle that stops the search, shows its lines and has a queue of reports, the last of which is the best
//! move. The crate prints nothing, reads no protocol and keeps no global state.
//!
//! ```
//! use tabiya_movegen::{Game, Position};
//! use tabiya_search::{Engine, Limits, Options, SearchEvent};
//!
//! let mut engine = Engine::new(Options::default())?;
//! let position = Position::from_fen("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")?;
//! let search = engine.go(&Game::from_position(position), Limits::depth(5));
//! for event in search.events() {
//!     match event {
//!         SearchEvent::Info(info) => println!("depth {}: {} {:?}", info.depth, info.score, info.pv),
//!         SearchEvent::CurrentMove { mv, number, .. } => println!("{number}: {mv:?}"),
//!         SearchEvent::BestMove(answer) => assert_eq!(answer.best.unwrap().to_uci(false).to_string(), "h5f7"),
//!         _ => {}
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Search::stop`] works from any thread, and dropping the [`Search`] stops it as well. [`Search::lines`] shows the lines found so
//! far, and [`Search::answer`] waits for the result. The example `progress` has both.
//!
//! | task | items |
//! |---|---|
//! | search a position | [`Engine`], [`Options`], [`Limits`], [`Clock`], [`Search`], [`Answer`], [`Line`], [`Score`] |
//! | pass reports to one's own event loop or channel | [`Engine::go_with`] |
//! | search in the calling thread, without threads or a system clock | [`BlockingEngine`], [`TimeSource`] |
//! | read the reports | [`Events`], [`SearchEvent`], [`Info`], [`Wdl`], [`BestMove`] |
//! | use endgame tablebases | [`TablebaseOptions`] |
//! | overlook moves as a person does | [`MoveFilter`] |
//! | measure and tune the search itself | modules [`bench`](mod@bench) and [`tuning`] |
//!
//! For tasks that you know from python-chess, see the page `coming_from` of this documentation.
//!
//! # Features
//!
//! - `serde`: [`Serialize`](https://docs.rs/serde) and `Deserialize` for [`Limits`], [`Clock`], [`Score`] (as text, such as
//!   `+0.35` or `#-3`), [`Line`], [`Answer`], [`Info`], [`SearchEvent`] and what they consist of; `Serialize` for the results of
//!   the benchmark. [`Options`] have both, without the open tables.
//! - `embedded-network` (default): the network of `tabiya-eval` in the library.
//! - `tune`: `tuning::set_tunable`, which changes the parameters of the search at run time.

#![deny(missing_debug_implementations, missing_docs)]

mod answer;
pub mod bench;
mod blocking;
/// The tasks of programs that use engines through python-chess, with Tabiya.
#[cfg(any(doc, doctest))]
#[doc = include_str!("coming_from.md")]
pub mod coming_from {}
mod control;
mod draw;
mod engine;
mod events;
mod handle;
mod history;
mod job;
mod limit_checker;
mod limits;
mod mate_distance;
mod memory;
mod move_filter;
mod node;
mod node_type;
mod options;
mod params;
mod picker;
mod prefetch;
mod pv;
mod quiescence;
mod repetition;
mod report;
mod reporting;
mod root;
mod root_moves;
mod score;
mod searcher;
mod see;
#[cfg(feature = "serde")]
mod serialization;
mod stack;
mod static_eval;
mod stopwatch;
mod tablebase;
// With the feature `tune`, the parameters of the search are variables with the same values, so that its tests would find the same again.
#[cfg(all(test, not(feature = "tune")))]
mod tests;
mod thread_data;
mod threat_bonus;
mod time;
mod tt;
pub mod tuning;
mod vote;
mod wdl;
mod window;
mod worker;

pub use answer::{Answer, BestMove, Line};
pub use blocking::{BlockingEngine, SEARCH_STACK_SIZE};
pub use engine::Engine;
pub use events::{Events, NoEvent};
pub use handle::{Search, StopHandle};
pub use limits::{Clock, Limits};
pub use move_filter::MoveFilter;
pub use options::{DEFAULT_HASH_MB, EngineError, MAX_HASH_MB, MAX_THREADS, MIN_HASH_MB, Options};
pub use report::{Info, SearchEvent};
pub use score::{Score, ScoreError};
pub use stopwatch::TimeSource;
pub use tablebase::TablebaseOptions;
pub use wdl::Wdl;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
