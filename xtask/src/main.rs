//! `cargo xtask`: developer tasks of Tabiya.
//!
//! The tasks that need no engine crate are modules here, each with an `Args` for clap and a `run`. All others belong
//! to `tabiya-matches` and `tabiya-training` and are forwarded, so that `cargo xtask tidy` needs no build of the engine.

#[macro_use(print, println, eprintln)]
extern crate tabiya_workspace;

mod api;
mod bench;
mod ci;
mod forward;
mod tidy;
mod web;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;
use tabiya_workspace::lab_commands;

/// Developer tasks of the Tabiya chess engine.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the checks of continuous integration, in the same order
    ///
    /// Hosted CI also tests on Windows and macOS, builds each crate from its package alone, runs Miri, and every night plays against the previous version.
    Ci(ci::Args),
    /// Check sizes, layers, module imports, dependencies, words, sentences and doc comments
    Tidy(tidy::Args),
    /// Compare the public items of the libraries with the lists in docs/api
    Api(api::Args),
    /// Run the engine's bench: check its signature, or compare two revisions
    Bench(bench::Args),
    /// Build the page with the engine in a web worker, as a folder for any static web host
    Web(web::Args),
}

/// The command line, with the forwarded commands listed for `--help`.
fn command_line() -> clap::Command {
    let forwarded = lab_commands::commands().map(|(name, about)| clap::Command::new(name).about(about));
    CommandLine::command().subcommands(forwarded)
}

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let result = api::run_as_rustdoc(&arguments).unwrap_or_else(|| match forward::target(arguments) {
        Some((lab, arguments)) => forward::run(lab, &arguments),
        None => run(),
    });
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let matches = command_line().get_matches();
    match CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).command {
        Command::Ci(args) => ci::run(&args)?,
        Command::Tidy(args) => tidy::run(&args)?,
        Command::Api(args) => api::run(&args)?,
        Command::Bench(args) => bench::run(&args)?,
        Command::Web(args) => web::run(&args)?,
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_lists_the_commands_of_all_programs() {
        let help = command_line().render_help().to_string();
        for name in
            lab_commands::commands().map(|(name, _)| name).chain(["ci", "tidy", "api", "bench", "web"])
        {
            assert!(help.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name}: {help}");
        }
    }

    #[test]
    fn arguments_are_consistent() {
        command_line().debug_assert();
    }
}
