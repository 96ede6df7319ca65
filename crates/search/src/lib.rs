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
//! Every legal move to the depth of the iteration, one ply more in check, and captures behind it:
//! nothing is pruned but what alpha-beta proves not to matter, so the value of an iteration is that of
//! plain negamax (the tests compare them), but for what the transposition table adds. A mate that is
//! reported is one; its line is complete.
//!
//! # Rooms
//!
//! | room | what happens there |
//! |---|---|
//! | `engine`, `worker`, `searcher` | the engine and its handle; the thread; the state of one search |
//! | `limits`, `time`, `control` | what ends a search: limits, the share of the clock, orders while it runs |
//! | `root` | iterative deepening, the order of the root moves, reports |
//! | `node`, `quiescence` | a node above the horizon, and one behind it |
//! | `picker`, `history`, `see` | the order of moves, and what it is learnt and judged by |
//! | `path`, `pv` | repetitions; principal variations |
//! | `tt` | the transposition table with its ancient entries |
//! | `params` | what can be switched off |
//! | `bench` | the positions and the node count that tell one search from another |

mod bench;
mod control;
mod engine;
mod history;
mod limits;
mod node;
mod params;
mod path;
mod picker;
mod pv;
mod quiescence;
mod report;
mod root;
mod searcher;
mod see;
#[cfg(test)]
mod tests;
mod time;
mod tt;
mod worker;

pub use bench::{BENCH_DEPTH, BENCH_POSITIONS, BenchPosition, BenchResult, BenchRun, Phase, bench};
pub use engine::{
    DEFAULT_HASH_MB, Engine, EngineError, MAX_HASH_MB, MAX_THREADS, MIN_HASH_MB, Options, Search,
};
pub use limits::{Clock, Limits};
pub use report::{BestMove, Bound, Info, Score, SearchEvent};
