//! Selection of the protocol: the first line decides between xboard and UCI.

use crate::reader::{self, Input};
use crate::version::{AUTHORS, NAME};
use crate::{logging, uci, xboard};
use anyhow::{Context, Result};
use crossbeam_channel::Receiver;
use std::io::{self, IsTerminal, Read, Write};
use std::time::Duration;
use std::{process, thread};

/// Maximum time from `quit` or the end of the input to the end of the process. Longer than the front ends wait for jobs and
/// searches, so it only ends a process that is blocked, by output that nobody reads or by a large allocation.
const EXIT_TIMEOUT: Duration = Duration::from_secs(3);

/// Runs the engine on standard input.
///
/// # Errors
/// If the engine cannot be set up, or output fails.
pub(crate) fn run_on_stdin(out: &mut impl Write) -> Result<()> {
    if io::stdin().is_terminal() {
        writeln!(out, "{NAME} by {AUTHORS}, ready for UCI or xboard.")?;
        writeln!(out, "Type help or quit. To play, run `tabiya play`; for more, `tabiya --help`.")?;
    }
    run(spawn_reader(io::stdin())?, out)
}

/// Runs the protocol lines given as arguments. A single `uci` or `xboard` is followed by standard input.
///
/// # Errors
/// If the engine cannot be set up, or output fails.
pub(crate) fn run_arguments(lines: Vec<String>, out: &mut impl Write) -> Result<()> {
    match &lines[..] {
        [line] if is_protocol_name(line) => {
            run(spawn_reader(io::Cursor::new(format!("{line}\n")).chain(io::stdin()))?, out)
        }
        _ => run(reader::from_lines(lines), out),
    }
}

/// Runs xboard if the first line of `input` is `xboard`, UCI otherwise.
///
/// # Errors
/// If the engine cannot be set up, or output fails.
pub(crate) fn run(input: Receiver<Input>, out: &mut impl Write) -> Result<()> {
    let first = input.recv().unwrap_or(Input::End);
    match &first {
        Input::Line(line) if line.trim_start_matches('\u{feff}').trim() == "xboard" => {
            logging::received(line);
            xboard::run(input, out)
        }
        _ => uci::run(first, input, out),
    }
}

/// Returns true if the argument is the name of a protocol.
pub(crate) fn is_protocol_name(argument: &str) -> bool {
    matches!(argument.trim(), "uci" | "xboard")
}

fn spawn_reader(source: impl Read + Send + 'static) -> Result<Receiver<Input>> {
    reader::spawn(source, exit_soon).context("cannot start the input thread")
}

/// Ends the process after [`EXIT_TIMEOUT`], even if the main loop is blocked because nobody reads its output.
fn exit_soon() {
    let wait = || {
        thread::sleep(EXIT_TIMEOUT);
        process::exit(0)
    };
    // If the thread cannot be started, the main loop still ends the process unless it is blocked.
    let _ = thread::Builder::new().name("exit".into()).spawn(wait);
}
