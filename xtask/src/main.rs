//! `cargo xtask`: the developer's side of Tabiya.
//!
//! Each command is a module with an `Args` (its command line, described once, for clap) and a
//! `run`, whose error ends the process with exit code 1. `cargo xtask help` lists them.

mod bench;
mod build;
mod ci;
mod conformance;
mod datagen;
mod engine_argument;
mod epd;
mod folder_lock;
mod gauntlet;
mod html;
mod interrupt;
mod median;
mod openbench;
mod parallel;
mod perft;
mod plots;
mod progress;
mod quiet;
mod random;
mod repository;
mod selfplay;
mod sprt_command;
mod spsa;
mod tidy;
mod tune;
mod uci_engine;
mod wdl;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Developer tasks of the Tabiya chess engine.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count move trees and compare them with suites of known counts
    Perft(perft::Args),
    /// Run the engine's bench: check its signature, or compare two revisions
    Bench(bench::Args),
    /// Play a match between two engines, revisions or option sets
    Selfplay(selfplay::Args),
    /// Play one engine against many and work out ratings
    Gauntlet(gauntlet::Args),
    /// Work out what results say: Elo, and a sequential test
    Sprt(sprt_command::Args),
    /// Run an engine over suites of positions with known best moves
    Epd(epd::Args),
    /// Play games with oneself and keep quiet positions with results, to learn from
    Datagen(datagen::Args),
    /// Fit the evaluation's weights to the results of games
    Tune(tune::Args),
    /// Fit what a value means in points to the results of games
    Wdl(wdl::Args),
    /// Tune the numbers of the search by games between perturbed engines
    Spsa(spsa::Args),
    /// Test whether UCI engines keep the protocol
    Conformance(conformance::Args),
    /// Check sizes, layers, dependencies and forbidden words
    Tidy(tidy::Args),
    /// Build the engine the way an OpenBench worker does, and check what it prints
    Openbench(openbench::Args),
    /// Run the checks of continuous integration, in the same order
    ///
    /// Hosted, it also tests on Windows and macOS, packages the crates and runs Miri.
    Ci(ci::Args),
}

fn main() -> ExitCode {
    let result = match CommandLine::parse().command {
        Command::Perft(args) => perft::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Gauntlet(args) => gauntlet::run(&args),
        Command::Sprt(args) => sprt_command::run(&args),
        Command::Epd(args) => epd::run(&args),
        Command::Datagen(args) => datagen::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Wdl(args) => wdl::run(&args),
        Command::Spsa(args) => spsa::run(&args),
        Command::Conformance(args) => conformance::run(&args),
        Command::Tidy(args) => tidy::run(&args),
        Command::Openbench(args) => openbench::run(&args),
        Command::Ci(args) => ci::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
