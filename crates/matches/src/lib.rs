//! Matches between chess engines, with SPRT, ratings and reports; test suites, UCI and xboard conformance, tuning of parameters.
//!
//! The program `tabiya-matches`, which `cargo xtask` forwards to, has one module here per command, each with its
//! arguments and a `run` function. Other tools can use the parts that the commands are built from:
//!
//! - [`tabiya_uci_engine`] starts and drives any UCI engine, with a deadline for every wait.
//! - [`selfplay::game`] plays a game between two engines ([`selfplay::match_engine`]), from an opening
//!   ([`tabiya_lab_common::openings`]) and under search limits ([`selfplay::limits`]).
//! - [`tabiya_lab_common::referee`] ends games by rule, adjudication or fault.
//! - [`sprt`], [`stats`] and [`ratings`] evaluate the results: SPRT, Elo estimates
//!   with confidence intervals, and rating tables.
//!
//! An SPRT from the results of a match, with the Elo estimate:
//!
//! ```
//! use tabiya_matches::sprt::{Model, Sprt, Verdict};
//! use tabiya_matches::stats::Estimate;
//!
//! // Pairs of games by the points of the first player: 0, ½, 1, 1½, 2.
//! let pairs = [379, 10170, 21828, 10640, 343];
//! let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05, Model::Normalized)?;
//! assert_eq!(sprt.verdict(sprt.llr(&pairs)), Some(Verdict::H1));
//! let elo = Estimate::new(&pairs).and_then(|estimate| estimate.elo);
//! println!("Elo {}", elo.expect("the results are not all equal"));
//! # Ok::<(), tabiya_matches::sprt::SprtError>(())
//! ```

// Not in tests, where those of the standard library let the test harness capture the output.
#[cfg(not(test))]
#[macro_use(print, println, eprintln)]
extern crate tabiya_workspace;

pub mod book;
mod cholesky;
pub mod conformance;
pub mod epd;
pub mod fastchess;
pub mod gauntlet;
mod new_run;
pub mod openbench;
pub mod overview;
pub mod perft;
pub mod ratings;
pub mod scaling;
pub mod selfplay;
pub mod sprt;
pub mod spsa;
pub mod stats;
pub mod style;
