//! The command line of matches, which `cargo xtask` forwards to.

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use std::process::ExitCode;
use tabiya_lab_common::program;
use tabiya_matches::{
    book, conformance, epd, fastchess, gauntlet, openbench, overview, perft, ratings, scaling, selfplay,
    sprt, spsa, style,
};
use tabiya_workspace::lab_commands::MATCHES;

/// Matches and test suites of the Tabiya chess engine.
#[derive(Parser)]
#[command(name = "cargo xtask", max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

// Descriptions: see `MATCHES`.
#[derive(Subcommand)]
enum Command {
    Selfplay(selfplay::SelfplayArgs),
    Gauntlet(gauntlet::GauntletArgs),
    Scaling(scaling::ScalingArgs),
    Sprt(sprt::command::SprtArgs),
    Ratings(ratings::command::RatingsArgs),
    Report(overview::OverviewArgs),
    Book(book::BookArgs),
    Perft(perft::PerftArgs),
    Epd(epd::EpdArgs),
    Spsa(spsa::SpsaArgs),
    Style(style::StyleArgs),
    Conformance(conformance::ConformanceArgs),
    Openbench(openbench::OpenbenchArgs),
}

fn command_line() -> clap::Command {
    program::with_descriptions(CommandLine::command(), &MATCHES)
}

/// The same command for this program, if the arguments of a match are those of fastchess or cutechess-cli.
fn translated() -> Option<fastchess::Translation> {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.into_string()).collect::<Result<_, _>>().ok()?;
    match arguments.split_first()? {
        (command, rest) if command == "selfplay" || command == "gauntlet" => fastchess::translate(rest),
        _ => None,
    }
}

fn main() -> ExitCode {
    if let Some(translation) = translated() {
        eprintln!("error: {translation}");
        return ExitCode::from(2);
    }
    let matches = command_line().get_matches();
    let parsed = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    program::exit_code(match parsed.command {
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Gauntlet(args) => gauntlet::run(&args),
        Command::Scaling(args) => scaling::run(&args),
        Command::Sprt(args) => sprt::command::run(&args),
        Command::Ratings(args) => ratings::command::run(&args),
        Command::Report(args) => overview::run(&args),
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
