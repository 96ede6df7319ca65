//! Tools for chess engine development: a driver for UCI engines, matches with SPRT and ratings, test suites,
//! UCI conformance checks, training data and tuning.
//!
//! The `tabiya-lab` program, which `cargo xtask` forwards to, has one module here per command, each with its
//! arguments (`Args`) and a `run` function. Other tools can use the parts that the commands are built from:
//!
//! - [`tabiya_uci_engine`] starts and drives any UCI engine, with a deadline for every wait.
//! - [`selfplay::game`] plays a game between two engines ([`selfplay::match_engine`]), from an opening
//!   ([`selfplay::openings`]) and under search limits ([`selfplay::limits`]).
//! - [`selfplay::referee`] ends games by rule, adjudication or fault.
//! - [`selfplay::sprt`], [`selfplay::stats`] and [`selfplay::ratings`] evaluate the results: SPRT, Elo estimates
//!   with confidence intervals, and rating tables.
//!
//! An SPRT from the results of a match, with the Elo estimate:
//!
//! ```
//! use tabiya_lab::selfplay::sprt::{Model, Sprt, Verdict};
//! use tabiya_lab::selfplay::stats::Estimate;
//!
//! // Pairs of games by the points of the first player: 0, ½, 1, 1½, 2.
//! let pairs = [379, 10170, 21828, 10640, 343];
//! let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05, Model::Normalized)?;
//! assert_eq!(sprt.verdict(sprt.llr(&pairs)), Some(Verdict::H1));
//! let elo = Estimate::new(&pairs).and_then(|estimate| estimate.elo);
//! println!("Elo {}", elo.expect("the results are not all equal"));
//! # Ok::<(), tabiya_lab::selfplay::sprt::SprtError>(())
//! ```

// Not in tests, where those of the standard library let the test harness capture the output.
#[cfg(not(test))]
#[macro_use(print, println, eprintln)]
extern crate tabiya_workspace;

pub mod book;
mod cholesky;
pub mod conformance;
pub mod data;
pub mod datagen;
mod engine_argument;
pub mod epd;
mod evaluation_argument;
mod folder_lock;
mod games;
pub mod gauntlet;
mod html;
mod interrupt;
mod number_argument;
pub mod openbench;
mod ordered;
mod parallel;
pub mod perft;
mod plots;
mod progress;
mod quiet;
mod random;
pub mod ratings_command;
mod record;
mod record_file;
pub mod report_command;
pub mod selfplay;
mod sha256;
pub mod sprt_command;
pub mod spsa;
pub mod style;
#[cfg(test)]
mod test_arguments;
pub mod train;
pub mod tune;
pub mod wdl;
