//! The command line of matches, which `cargo xtask` forwards to.

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use std::process::ExitCode;
use tabiya_experiments::program;
use tabiya_matches::{
    book, conformance, epd, gauntlet, openbench, perft, ratings_command, report_command, selfplay,
    sprt_command, spsa, style,
};
use tabiya_workspace::lab_commands::MATCHES;

/// Matches and test suites of the Tabiya chess engine.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

// Descriptions: see `MATCHES`.
#[derive(Subcommand)]
enum Command {
    Selfplay(selfplay::Args),
    Gauntlet(gauntlet::Args),
    Sprt(sprt_command::Args),
    Ratings(ratings_command::Args),
    Report(report_command::Args),
    Book(book::Args),
    Perft(perft::Args),
    Epd(epd::Args),
    Spsa(spsa::Args),
    Style(style::Args),
    Conformance(conformance::Args),
    Openbench(openbench::Args),
}

fn command_line() -> clap::Command {
    program::with_descriptions(CommandLine::command(), &MATCHES)
}

fn main() -> ExitCode {
    let matches = command_line().get_matches();
    let parsed = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    program::exit_code(match parsed.command {
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Gauntlet(args) => gauntlet::run(&args),
        Command::Sprt(args) => sprt_command::run(&args),
        Command::Ratings(args) => ratings_command::run(&args),
        Command::Report(args) => report_command::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Epd(args) => epd::run(&args),
        Command::Spsa(args) => spsa::run(&args),
        Command::Style(args) => style::run(&args),
        Command::Conformance(args) => conformance::run(args),
        Command::Openbench(args) => openbench::run(&args),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_forwarded_by_xtask() {
        let command_line = CommandLine::command();
        let names: Vec<_> = command_line.get_subcommands().map(clap::Command::get_name).collect();
        let forwarded: Vec<_> = MATCHES.commands.iter().map(|&(name, _)| name).collect();
        assert_eq!(names, forwarded);
    }

    #[test]
    fn arguments_are_consistent() {
        command_line().debug_assert();
    }
}
