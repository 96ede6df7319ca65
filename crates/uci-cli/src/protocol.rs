//! Selection of the protocol: the first line decides between xboard and UCI.

use crate::early_stop::{COMMAND_TIMEOUT, EarlyStop};
use crate::reader::{self, Input, Urgent};
use crate::uci::Pace;
use crate::version::{AUTHORS, NAME};
use crate::{uci, xboard};
use anyhow::{Context, Result};
use crossbeam_channel::Receiver;
#[cfg(any(unix, windows))]
use std::fs::File;
use std::io::{self, IsTerminal, Read, Stdin, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
#[cfg(windows)]
use std::os::windows::io::AsHandle;
use std::time::{Duration, Instant};
use std::{process, thread};

/// Maximum time from `quit` to the end of the process. Longer than the front ends wait for jobs and searches, so it
/// only ends a process that is blocked, by output that nobody reads or by a large allocation.
const EXIT_TIMEOUT: Duration = Duration::from_secs(3);

/// The interval at which commands that run after the end of the input are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The protocol of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Protocol {
    Uci,
    Xboard,
}

impl Protocol {
    /// The protocol that the first message selects.
    fn of(first: &Input) -> Protocol {
        match first.line() {
            Some(line) if line.trim() == "xboard" => Protocol::Xboard,
            _ => Protocol::Uci,
        }
    }

    /// The urgent request of a line, if it is one.
    fn urgent(self, line: &str) -> Option<Urgent> {
        match self {
            Protocol::Uci => uci::command::urgent(line),
            Protocol::Xboard => xboard::command::urgent(line),
        }
    }
}

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
pub(crate) fn run_arguments(mut lines: Vec<String>, out: &mut impl Write) -> Result<()> {
    match &lines[..] {
        [line] if is_protocol_name(line) => {
            run_reader(io::Cursor::new(format!("{line}\n")).chain(io::stdin()), out)
        }
        _ => {
            lines.truncate(lines_before_quit(&lines));
            run_paced(reader::from_lines(lines), Pace::Sequential, &EarlyStop::default(), out)
        }
    }
}

/// The number of lines before the one that ends the program. What the arguments have requested by then is finished first.
fn lines_before_quit(lines: &[String]) -> usize {
    let Some(first) = lines.first() else { return 0 };
    let protocol = Protocol::of(&Input::Line(first.clone()));
    lines.iter().take_while(|line| protocol.urgent(line) != Some(Urgent::Quit)).count()
}

fn run_reader(source: impl Read + Send + 'static, out: &mut impl Write) -> Result<()> {
    let early_stop = EarlyStop::default();
    let observe = {
        let early_stop = early_stop.clone();
        let mut protocol = None;
        move |input: &Input| {
            let protocol = *protocol.get_or_insert_with(|| Protocol::of(input));
            let Some(line) = input.line() else {
                if *input == Input::End {
                    stop_overdue(&early_stop);
                }
                return;
            };
            let urgent = protocol.urgent(line);
            early_stop.read(line, urgent == Some(Urgent::Stop));
            if urgent == Some(Urgent::Quit) {
                exit_soon();
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
    run_paced(input, Pace::Live, early_stop, out)
}

fn run_paced(input: Receiver<Input>, pace: Pace, early_stop: &EarlyStop, out: &mut impl Write) -> Result<()> {
    let first = input.recv().unwrap_or(Input::End);
    match Protocol::of(&first) {
        Protocol::Xboard => {
            first.line().into_iter().for_each(|line| early_stop.log_received(line));
            xboard::run(input, early_stop, out)
        }
        Protocol::Uci => uci::run(first, input, pace, early_stop, out),
    }
}

/// Returns true if the argument is the name of a protocol.
pub(crate) fn is_protocol_name(argument: &str) -> bool {
    matches!(argument.trim(), "uci" | "xboard")
}

/// Stops what takes too long after the end of the input, unless that is a file: the program that sent it may be gone.
fn stop_overdue(early_stop: &EarlyStop) {
    if is_file(&io::stdin()) {
        return;
    }
    let (early_stop, ended) = (early_stop.clone(), Instant::now());
    let watch = move || {
        loop {
            thread::sleep(CHECK_INTERVAL);
            early_stop.stop_overdue(ended, COMMAND_TIMEOUT);
        }
    };
    // Without a thread a long command runs to its end.
    let _ = thread::Builder::new().name("end".into()).spawn(watch);
}

#[cfg(any(unix, windows))]
fn is_file(stream: &Stdin) -> bool {
    #[cfg(unix)]
    let handle = stream.as_fd();
    #[cfg(windows)]
    let handle = stream.as_handle();
    let file = handle.try_clone_to_owned().map(File::from);
    file.and_then(|file| file.metadata()).is_ok_and(|metadata| metadata.is_file())
}

#[cfg(not(any(unix, windows)))]
fn is_file(_: &Stdin) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn before_quit(lines: &[&str]) -> usize {
        lines_before_quit(&lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_after_quit_are_ignored() {
        assert_eq!(before_quit(&["go perft 3", "quit", "fen"]), 1);
        assert_eq!(before_quit(&["go perft 3", "exit", "fen"]), 1);
        assert_eq!(before_quit(&["go perft 3", "fen"]), 2);
        // `exit` ends xboard's analysis, not the program.
        assert_eq!(before_quit(&["xboard", "analyze", "exit", "quit", "new"]), 3);
    }
}
