//! `tabiya web`: starts the program `tabiya-web`, which serves the page.
//!
//! The server is a separate program, so that the engine contains no asynchronous runtime.

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgAction, Args};
use std::env;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::process::Command;

/// The name of the program.
const PROGRAM: &str = "tabiya-web";

/// Play, analyse and review games in the browser.
///
/// Starts the program tabiya-web, which must be in the folder of tabiya or on PATH.
#[derive(Args, Debug)]
#[command(
    disable_help_flag = true,
    after_help = "\
Examples:
  tabiya web
  tabiya web --port 8000 --no-open
  tabiya web --help"
)]
pub struct WebArgs {
    /// Options of tabiya-web; --help lists them.
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

/// The options of `tabiya-web`, with the names of their values, and their help.
const OPTIONS: [(&str, &str); 9] = [
    ("--host ADDRESS", "Address to listen on [default: 127.0.0.1]"),
    ("--port PORT", "Port to listen on; 0 for any that is free [default: 8960]"),
    ("--allow-host NAME", "Further host name or address by which browsers may address the server"),
    ("--threads N", "Search threads of each page [default: half of the processors]"),
    ("--hash MIB", "Transposition table of each page, in MiB [default: 64]"),
    ("--syzygy DIRECTORIES", "Directories of Syzygy tablebases, separated as in PATH"),
    ("--evaluation NAME", "Evaluation: nnue, handcrafted or classic"),
    ("--sessions N", "Maximum number of pages open at once [default: 16]"),
    ("--no-open", "Do not open a browser"),
];

/// Declares the options of `tabiya-web`, for the manual page and the completions: `tabiya web` itself passes them on unread.
pub(crate) fn with_options(cli: clap::Command) -> clap::Command {
    let options = OPTIONS.map(|(option, help)| {
        let (name, value) =
            option.split_once(' ').map_or((option, None), |(name, value)| (name, Some(value)));
        let name = name.trim_start_matches("--");
        let arg = Arg::new(name).long(name).help(help);
        match value {
            Some(value) => arg.value_name(value),
            None => arg.action(ArgAction::SetTrue),
        }
    });
    cli.mut_subcommands(|command| match command.get_name() {
        "web" => command.mut_arg("options", |arg| arg.hide(true)).args(&options),
        _ => command,
    })
}

/// Runs `tabiya web`.
///
/// # Errors
/// If the program is missing, cannot be started, or fails.
pub(crate) fn run(args: &WebArgs) -> Result<()> {
    let mut command = Command::new(neighbour().unwrap_or_else(|| PROGRAM.into()));
    match start(command.args(&args.options)) {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "{PROGRAM}, the program with the page, is neither in the folder of this program nor on PATH: releases contain it, and \
             in a copy of the repository `cargo install --locked --path crates/web` installs it"
        ),
        result => result.with_context(|| format!("cannot start {PROGRAM}")),
    }
}

/// The program in the folder of this one, if it is there.
fn neighbour() -> Option<PathBuf> {
    let path = env::current_exe().ok()?.with_file_name(format!("{PROGRAM}{}", env::consts::EXE_SUFFIX));
    path.is_file().then_some(path)
}

/// Replaces this process by the program, so that signals reach it.
#[cfg(unix)]
fn start(command: &mut Command) -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Runs the program to its end, with its exit code as that of this process.
#[cfg(not(unix))]
fn start(command: &mut Command) -> io::Result<()> {
    // Ctrl-C reaches both processes; the program ends itself.
    tabiya_signals::handle(|_| {})?;
    let status = command.status()?;
    std::process::exit(status.code().unwrap_or(1))
}
