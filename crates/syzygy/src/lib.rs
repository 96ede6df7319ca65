//! A reader of Syzygy endgame tablebases in safe Rust.
//!
//! A Syzygy table is a pair of files: `KRPvKR.rtbw` holds the result of each position (WDL: win, draw or loss), `KRPvKR.rtbz` the
//! distance in plies to the next capture or pawn move of the best line (DTZ: distance to zeroing), which winning within the
//! fifty-move rule needs. The tables cover up to seven pieces. They are made by Ronald de Man's generator and can be downloaded
//! from several sites.
//!
//! ```no_run
//! use tabiya_movegen::Position;
//! use tabiya_syzygy::{FiftyMoves, Tablebases, Wdl};
//!
//! let tables = Tablebases::open(&["/data/syzygy/3-4-5"])?;
//! let position = Position::from_fen("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")?;
//! assert_eq!(tables.probe_wdl(&position), Some(Wdl::Draw));
//! for ranked in tables.probe_root(&position, FiftyMoves::Ignored).unwrap_or_default() {
//!     println!("{}: {:?}", position.san(ranked.mv), ranked.wdl);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | Task | Item |
//! | --- | --- |
//! | Open tables | [`Tablebases::open`] |
//! | Get the result of a position | [`Tablebases::probe_wdl`] |
//! | Get the distance to the next capture or pawn move | [`Tablebases::probe_dtz`] |
//! | Rank the moves of a position | [`Tablebases::probe_root`] |
//! | List damaged files | [`Tablebases::problems`] |
//!
//! A [`Tablebases`] is an ordinary value: a program may hold several sets, and any number of threads may share one. Opening
//! reads the first bytes and the length of each file; the rest is read on first use. Files are never memory-mapped, because
//! a disk error under a memory map ends the process. A damaged file yields no answers and is listed in
//! [`Tablebases::problems`]; the checksums at the end of the files are not verified. A file that cannot be read is listed, too, and tried again
//! later. Each table above 1 MiB keeps its file open, so that a set of seven pieces needs a higher limit of open files than many systems set.
//!
//! The format follows Ronald de Man's prober and its descendant Fathom.
//!
//! # Features
//!
//! - `tracing`: logs each damaged file once, when it is found.
//! - `serde`: `Serialize` and `Deserialize` for [`Wdl`], [`RootRank`] and [`FiftyMoves`].

#![deny(missing_debug_implementations, missing_docs)]

mod cursor;
mod encoding;
mod error;
mod layout;
mod material;
mod pairs;
mod probe;
mod root;
mod source;
mod table;
mod tablebases;
#[cfg(test)]
mod tests;
mod wdl;

pub use error::{TableFault, TableProblem, TablebaseError};
pub use material::MAX_PIECES;
pub use root::{FiftyMoves, RootRank};
pub use tablebases::Tablebases;
pub use wdl::Wdl;

/// Tests the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
