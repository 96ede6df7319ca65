//! The Tabiya chess engine: a UCI or xboard engine when started without arguments, and a chess tool for the
//! terminal with them.
//!
//! This crate is a thin front end: it reads, asks the engine crates, and prints. Standard output
//! belongs to the protocol or to the subcommand; logging goes to the standard error.

mod analyse;
mod bench;
mod book;
mod cli;
mod command;
mod diagram;
mod epd;
mod error_text;
mod eval;
mod flood;
mod genfens;
mod job;
mod limits;
mod line;
mod log;
mod main_loop;
mod options;
mod output;
mod perft;
mod pgn;
mod play;
mod player;
mod position;
mod processor;
mod reader;
mod replay;
mod resources;
mod shell;
mod style;
mod version;
mod xboard;

use anyhow::{Context, Result};
use clap::Parser;
use cli::{Cli, Command};
use crossbeam_channel::Receiver;
use error_text::error_text;
use reader::Input;
use std::env;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::process::ExitCode;

const NO_READER: &str = "the thread that reads could not be started";

fn main() -> ExitCode {
    if processor::complains() {
        return ExitCode::FAILURE;
    }
    start()
}

/// The program, once it is known that it runs here. Not a part of `main`, which is to use no instruction that
/// the processor may lack.
#[inline(never)]
fn start() -> ExitCode {
    let lines = protocol_lines();
    // What is no list of commands is for clap, which leaves the program where it is asked for help.
    let cli = if lines.is_empty() { Cli::parse() } else { Cli { command: None } };
    log::from_environment();
    match run(cli, lines) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has read enough: `tabiya ... | head`, or a GUI that has gone.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // If there is no standard error either, there is nobody left to tell.
            let _ = writeln!(io::stderr(), "error: {}", error_text(&error));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli, lines: Vec<Input>) -> Result<()> {
    let mut out = io::stdout().lock();
    match cli.command {
        None if lines.is_empty() => engine(&mut out)?,
        None => match &lines[..] {
            [Input::Line(line)] if names_protocol(line) => {
                let input = reader::spawn(io::Cursor::new(format!("{line}\n")).chain(io::stdin()))
                    .context(NO_READER)?;
                converse(input, &mut out)?;
            }
            _ => converse(reader::replay(lines), &mut out)?,
        },
        Some(Command::Analyse(args)) => analyse::run(&args, &mut out)?,
        Some(Command::Play(args)) => play::run(&args, &mut io::stdin().lock(), &mut out)?,
        Some(Command::Eval(args)) => eval::run(&args, &mut out)?,
        Some(Command::Perft(args)) => perft::run(&args, &mut out)?,
        Some(Command::Bench(args)) => bench::run(&args, &mut out)?,
        Some(Command::Replay(args)) => replay::run(&args, &mut out)?,
        Some(Command::Pgn(args)) => pgn::run(&args, &mut out)?,
        Some(Command::Epd(args)) => epd::run(&args, &mut out)?,
        Some(Command::Book(args)) => book::run(&args, &mut out)?,
        Some(Command::Completions(args)) => shell::completions(&args, &mut out)?,
        Some(Command::Man(args)) => shell::man(&args, &mut out)?,
    }
    // What a full disk has not taken must not be lost in silence.
    out.flush()?;
    Ok(())
}

/// The arguments, where they are lines of a protocol: `tabiya "go depth 5" quit`. The first has a blank in it,
/// which no subcommand has, or is `uci` or `xboard`.
fn protocol_lines() -> Vec<Input> {
    let lines: Vec<String> = env::args_os().skip(1).map(|line| line.to_string_lossy().into_owned()).collect();
    let are_lines = lines.first().is_some_and(|line| line.trim().contains(' ') || names_protocol(line));
    if are_lines { lines.into_iter().map(Input::Line).collect() } else { Vec::new() }
}

fn names_protocol(line: &str) -> bool {
    matches!(line.trim(), "uci" | "xboard")
}

/// The engine, as a program starts it.
fn engine(out: &mut impl Write) -> Result<()> {
    if io::stdin().is_terminal() {
        writeln!(out, "{} by {}, ready for UCI or xboard.", output::NAME, output::AUTHORS)?;
        writeln!(
            out,
            "Type help, or quit; `tabiya play` is a game against you, `tabiya --help` tells the rest."
        )?;
    }
    let input = reader::spawn(io::stdin()).context(NO_READER)?;
    converse(input, out)
}

/// Speaks the protocol that the first line asks for: xboard if it says so, UCI otherwise.
fn converse(input: Receiver<Input>, out: &mut impl Write) -> Result<()> {
    let first = input.recv().unwrap_or(Input::End);
    match &first {
        Input::Line(line) if line.trim_start_matches('\u{feff}').trim() == "xboard" => {
            log::came(line);
            xboard::run(input, out)
        }
        _ => main_loop::run(first, input, out),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io_error = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    io_error.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
