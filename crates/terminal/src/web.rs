//! `tabiya web`: starts the program `tabiya-web`, which serves the page.
//!
//! The server is a separate program, so that the engine contains no asynchronous runtime.

use anyhow::{Context, Result, bail};
use clap::Args;
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
