//! Tabiya's laboratory: matches between UCI engines, test suites, training data and tuning.
//!
//! Each command of `cargo xtask` that needs more than a few seconds to build is a module here, with an `Args` for
//! clap and a `run`; the binary of this package only picks one.

pub mod conformance;
pub mod datagen;
mod engine_argument;
pub mod epd;
mod folder_lock;
pub mod gauntlet;
mod html;
mod interrupt;
mod median;
pub mod openbench;
mod parallel;
pub mod perft;
mod plots;
mod progress;
mod quiet;
mod random;
pub mod selfplay;
pub mod sprt_command;
pub mod spsa;
pub mod tune;
mod uci_engine;
pub mod wdl;
