//! The Tabiya chess engine: a UCI or xboard engine when started without arguments, and a set of terminal
//! commands otherwise.
//!
//! This crate is a thin front end over the engine crates; the terminal commands are in `tabiya-terminal`. Standard output carries only the protocol or the
//! output of the command; logs go to standard error or a file.

mod cli;
mod controller;
mod early_stop;
mod logging;
mod options;
mod output;
mod position;
mod protocol;
mod rate_limiter;
mod reader;
mod replay;
mod resources;
#[cfg(feature = "tune")]
mod spsa;
mod uci;
mod version;
mod xboard;

use anyhow::Result;
use clap::{CommandFactory, Parser};
use cli::{Cli, Command};
use message::error_text;
use std::env;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
// The protocols show boards, evaluations, counts and errors as the terminal commands do.
use tabiya_terminal::{bench, diagram, eval, message, perft, shell};

fn main() -> ExitCode {
    if tabiya_processor::report_missing_features() {
        return ExitCode::FAILURE;
    }
    start()
}

/// Runs the program after the processor check. Separate from `main`, which must not contain instructions that
/// the processor may lack.
#[inline(never)]
fn start() -> ExitCode {
    let lines = protocol_lines();
    // Anything else is parsed by clap.
    let cli = if lines.is_empty() { Cli::try_parse() } else { Ok(Cli { command: None }) };
    let result = match cli {
        Ok(cli) => {
            logging::init_from_env();
            run(cli, lines)
        }
        Err(error) if error.use_stderr() => error.exit(),
        Err(help_or_version) => print(&help_or_version),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output is gone (`tabiya ... | head`, a closed GUI), which is not an error.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed too, the message cannot be delivered.
            let _ = writeln!(io::stderr(), "error: {}", error_text(&error));
            ExitCode::FAILURE
        }
    }
}

/// Prints the help or the version. `clap::Error::exit` would ignore a failed write.
fn print(help_or_version: &clap::Error) -> Result<()> {
    help_or_version.print()?;
    io::stdout().flush()?;
    Ok(())
}

fn run(cli: Cli, lines: Vec<String>) -> Result<()> {
    let mut out = io::stdout().lock();
    match cli.command {
        None if lines.is_empty() => protocol::run_on_stdin(&mut out)?,
        None => protocol::run_arguments(lines, &mut out)?,
        Some(Command::Terminal(command)) => command.run(&mut out)?,
        Some(Command::Replay(args)) => replay::run(&args, &mut out)?,
        #[cfg(feature = "tune")]
        Some(Command::Spsa(args)) => spsa::run(&args, &mut out)?,
        Some(Command::Completions(args)) => shell::completions(Cli::command(), &args, &mut out)?,
        Some(Command::Man(args)) => shell::man(Cli::command(), &args, &mut out)?,
    }
    // Report a failed final write, for example on a full disk.
    out.flush()?;
    Ok(())
}

/// The arguments if they are protocol lines, as in `tabiya "go depth 5" quit`; otherwise empty. The arguments
/// are protocol lines if the first is `uci` or `xboard`, or contains a space, which no subcommand does.
fn protocol_lines() -> Vec<String> {
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let are_lines = arguments
        .first()
        .is_some_and(|first| first.trim().contains(' ') || protocol::is_protocol_name(first));
    if are_lines { arguments } else { Vec::new() }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io_error = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    io_error.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
