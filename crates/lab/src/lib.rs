//! Tools for chess engine development: matches with SPRT and ratings, test suites, UCI conformance checks, training
//! data and tuning.
//!
//! Each command of the `tabiya-lab` program is a module here, with its arguments (`Args`) and a `run` function.

pub mod conformance;
pub mod datagen;
mod engine_argument;
pub mod epd;
mod folder_lock;
pub mod gauntlet;
mod html;
mod interrupt;
mod median;
mod number_argument;
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
