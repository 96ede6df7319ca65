//! Selection of the protocol: the first line decides between xboard and UCI.

use crate::early_stop::{COMMAND_TIMEOUT, EarlyStop};
use crate::reader::{self, End, Input};
use crate::version::{AUTHORS, NAME};
use crate::{logging, uci, xboard};
use anyhow::{Context, Result};
use crossbeam_channel::Receiver;
#[cfg(any(unix, windows))]
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
#[cfg(windows)]
use std::os::windows::io::AsHandle;
use std::time::Duration;
use std::{process, thread};

/// Maximum time from `quit` to the end of the process. Longer than the front ends wait for jobs and searches, so it
/// only ends a process that is blocked, by output that nobody reads or by a large allocation.
const EXIT_TIMEOUT: Duration = Duration::from_secs(3);

/// The interval at which commands that run after the end of the input are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Runs the engine on standard input.
///
/// # Errors
/// If the engine cannot be set up, or output fails.
pub(crate) fn run_on_stdin(out: &mut impl Write) -> Result<()> {
    if io::stdin().is_terminal() {
        writeln!(out, "{NAME} by {AUTHORS}, ready for UCI or xboard.")?;
        writeln!(out, "Type help or quit. To play, run `tabiya play`; for more, `tabiya --help`.")?;
    }
    run_reader(io::stdin(), out)
}

/// Runs the protocol lines given as arguments. A single `uci` or `xboard` is followed by standard input.
///
/// # Errors
/// If the engine cannot be set up, or output fails.
pub(crate) fn run_arguments(lines: Vec<String>, out: &mut impl Write) -> Result<()> {
    match &lines[..] {
        [line] if is_protocol_name(line) => {
            run_reader(io::Cursor::new(format!("{line}\n")).chain(io::stdin()), out)
        }
        _ => run(reader::from_lines(lines), &EarlyStop::default(), out),
    }
}

fn run_reader(source: impl Read + Send + 'static, out: &mut impl Write) -> Result<()> {
    let early_stop = EarlyStop::default();
    let observe = {
        let early_stop = early_stop.clone();
        move |input: &Input| {
            if let Input::Line(line) = input {
                early_stop.read_line(line);
            }
            match input.end() {
                None => {}
                Some(End::Quit) => exit_soon(),
                Some(End::Input) => end_input(&early_stop),
            }
        }
    };
    let input = reader::spawn(source, observe).context("cannot start the input thread")?;
    run(input, &early_stop, out)
}

/// Runs xboard if the first line of `input` is `xboard`, UCI otherwise.
///
/// # Errors
/// If the engine cannot be set up, or output fails.
pub(crate) fn run(input: Receiver<Input>, early_stop: &EarlyStop, out: &mut impl Write) -> Result<()> {
    let first = input.recv().unwrap_or(Input::End);
    match &first {
        Input::Line(line) if line.trim_start_matches('\u{feff}').trim() == "xboard" => {
            logging::received(line);
            xboard::run(input, early_stop, out)
        }
        _ => uci::run(first, input, early_stop, out),
    }
}

/// Returns true if the argument is the name of a protocol.
pub(crate) fn is_protocol_name(argument: &str) -> bool {
    matches!(argument.trim(), "uci" | "xboard")
}

/// Stops what would run for ever after the end of the input or, if the input is not a file, for too long: the program
/// that sent it may be gone.
fn end_input(early_stop: &EarlyStop) {
    early_stop.end_input();
    if is_file(&io::stdin()) {
        return;
    }
    let early_stop = early_stop.clone();
    let watch = move || {
        loop {
            thread::sleep(CHECK_INTERVAL);
            early_stop.stop_overdue(COMMAND_TIMEOUT);
        }
    };
    // Without a thread a long command runs to its end.
    let _ = thread::Builder::new().name("end".into()).spawn(watch);
}

#[cfg(unix)]
fn is_file(stream: &impl AsFd) -> bool {
    let file = stream.as_fd().try_clone_to_owned().map(File::from);
    file.and_then(|file| file.metadata()).is_ok_and(|metadata| metadata.is_file())
}

#[cfg(windows)]
fn is_file(stream: &impl AsHandle) -> bool {
    let file = stream.as_handle().try_clone_to_owned().map(File::from);
    file.and_then(|file| file.metadata()).is_ok_and(|metadata| metadata.is_file())
}

#[cfg(not(any(unix, windows)))]
fn is_file<T>(_: &T) -> bool {
    false
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
