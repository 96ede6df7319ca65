//! Training: self-play games, training data, networks, weights. The program that `cargo xtask` forwards these commands to.
//!
//! One module per command, each with its arguments and a `run` function.

// Not in tests, where those of the standard library let the test harness capture the output.
#[cfg(not(test))]
#[macro_use(print, println, eprintln)]
extern crate tabiya_workspace;

mod data;
mod datagen;
mod golden_section;
mod labelling;
mod parallel;
mod record;
mod record_file;
mod sha256;
mod train;
mod tune;
mod wdl;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use std::process::ExitCode;
use tabiya_lab_common::program;
use tabiya_workspace::lab_commands::TRAINING;

/// Training data, networks and weights of the Tabiya chess engine.
#[derive(Parser)]
#[command(name = "cargo xtask", max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

// Descriptions: see `TRAINING`.
#[derive(Subcommand)]
enum Command {
    Datagen(datagen::DatagenArgs),
    Data(data::DataArgs),
    Tune(tune::TuneArgs),
    Train(train::TrainArgs),
    Wdl(wdl::WdlArgs),
}

fn command_line() -> clap::Command {
    program::with_descriptions(CommandLine::command(), &TRAINING)
}

fn main() -> ExitCode {
    let matches = command_line().get_matches();
    let parsed = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    program::exit_code(match parsed.command {
        Command::Datagen(args) => datagen::run(&args),
        Command::Data(args) => data::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Wdl(args) => wdl::run(&args),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_forwarded_by_xtask() {
        let command_line = CommandLine::command();
        let names: Vec<_> = command_line.get_subcommands().map(clap::Command::get_name).collect();
        let forwarded: Vec<_> = TRAINING.commands.iter().map(|&(name, _)| name).collect();
        assert_eq!(names, forwarded);
    }

    #[test]
    fn arguments_are_consistent() {
        command_line().debug_assert();
    }
}
