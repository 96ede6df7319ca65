//! `tabiya pgn`: processing PGN files.

mod annotate;
mod digest;
mod journal;
mod outputs;
mod progress;
mod summary;
mod survey;

use anyhow::Result;
use clap::{Args, Subcommand};
use std::io::Write;

/// Process PGN files.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya pgn annotate games.pgn -o annotated.pgn
  tabiya pgn annotate games.pgn --html games.html --nodes 500000 -j 4")]
pub struct PgnArgs {
    #[command(subcommand)]
    command: PgnCommand,
}

#[derive(Subcommand, Debug)]
enum PgnCommand {
    Annotate(annotate::AnnotateArgs),
}

/// Runs `tabiya pgn`.
///
/// # Errors
/// If a file cannot be read or written, an engine cannot be set up, or a game is invalid.
pub(crate) fn run(args: &PgnArgs, out: &mut impl Write) -> Result<()> {
    let PgnCommand::Annotate(args) = &args.command;
    annotate::run(args, out)
}
