//! Alpha-beta chess search with a shared transposition table.
//!
//! An [`Engine`] is given a game and [`Limits`] and returns a [`Search`] at once: a handle on what
//! its thread is doing, with a channel of reports, the best move last. Nothing here prints, reads a
//! protocol or is global. Analysing a position takes ten lines:
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
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Search::stop`] works from any thread, and dropping the handle stops the search as well.
//!
//! # What the search looks at
//!
//! Iterative deepening with aspiration windows around a principal variation search. Nodes and moves that
//! look hopeless are pruned, late moves reduced, forced ones extended, and behind the horizon captures are
//! played out. All of that can be switched off, which leaves plain alpha-beta with a check extension: the
//! tests compare that with plain negamax, position by position.
//!
//! A mate that is reported is one: nothing is pruned for the side that is being mated.
//!
//! # Rooms
//!
//! | room | what happens there |
//! |---|---|
//! | `engine`, `worker`, `searcher` | the engine and its handle; the threads; the state of one thread's search |
//! | `limits`, `time`, `control` | what ends a search: limits, the share of the clock, orders while it runs |
//! | `root`, `root_moves`, `vote` | iterative deepening and reports; the root's moves and lines; which thread's move to play |
//! | `node`, `quiescence` | a node above the horizon, step by step, and one behind it |
//! | `pruning`, `reduction` | the margins of giving up, and how much less deep late moves are searched: pure functions |
//! | `picker`, `history`, `threats` | the order of moves, and what it is learnt and judged by; the correction of the evaluation |
//! | `stack`, `path`, `pv` | what the nodes of a line know of each other; repetitions; principal variations |
//! | `tt` | the transposition table with its ancient entries |
//! | `answer` | a search in one call |
//! | `tablebase` | Syzygy endgame tables in the search: ranking the root's moves, cutting off in the tree |
//! | `report` | what a search says: its events, scores and bounds |
//! | `wdl` | what a value means in points |
//! | `params` | every number that can be tuned, declared once; what can be switched off |
//! | `bench` | the positions and the node count that tell one search from another |
//!
//! # Features
//!
//! - `tune`: `set_tunable`, which changes the numbers of the search while the program runs.

#![deny(missing_docs)]

mod answer;
mod bench;
mod control;
mod engine;
mod history;
mod limits;
mod node;
mod params;
mod path;
mod picker;
mod pruning;
mod pv;
mod quiescence;
mod reduction;
mod report;
mod root;
mod root_moves;
mod searcher;
mod stack;
mod tablebase;
#[cfg(test)]
mod tests;
mod threats;
mod time;
mod tt;
mod vote;
mod wdl;
mod worker;

pub use answer::Answer;
pub use bench::{
    BENCH_DEPTH, BENCH_POSITIONS, BenchPosition, BenchResult, BenchRun, Phase, bench, bench_until,
};
pub use engine::{
    DEFAULT_HASH_MB, Engine, EngineError, MAX_HASH_MB, MAX_THREADS, MIN_HASH_MB, Options, Search,
};
pub use limits::{Clock, Limits};
#[cfg(feature = "tune")]
pub use params::set_tunable;
pub use params::{TUNABLES, Tunable};
pub use report::{BestMove, Info, Score, SearchEvent};
pub use tablebase::TablebaseOptions;
pub use wdl::{Wdl, WdlModel};

/// Tests what the README shows.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
