#![doc = include_str!("../README.md")]

use std::io;

/// The conventional exit code after SIGINT.
const EXIT_CODE: i32 = 130;

/// A request from outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Signal {
    /// The Ctrl-C key (SIGINT), by which a user stops the current activity.
    CtrlC,
    /// A request to end the program: SIGTERM or SIGHUP. Other systems than Unix report [`Signal::CtrlC`] instead.
    Termination,
}

/// Calls `handler` for each later request, on a separate thread. A program calls this once.
///
/// # Errors
/// If the handler cannot be installed.
#[cfg(unix)]
pub fn handle(mut handler: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    // `nohup` has told the program to go on when the terminal is closed.
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    let act = move || {
        for signal in &mut signals {
            handler(if signal == SIGINT { Signal::CtrlC } else { Signal::Termination });
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(act).map(drop)
}

/// Calls `handler` for each later request, on a separate thread. A program calls this once.
///
/// # Errors
/// If the handler cannot be installed.
#[cfg(not(unix))]
pub fn handle(mut handler: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || handler(Signal::CtrlC)).map_err(io::Error::other)
}

/// Calls `handler` at the first request, on a separate thread; the second request ends the process. A program calls this once.
///
/// # Errors
/// If the handler cannot be installed.
pub fn handle_first(handler: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut handler = Some(handler);
    handle(move |_| match handler.take() {
        Some(handler) => handler(),
        None => exit(),
    })
}

/// Ends the process with the exit code of an interruption.
pub fn exit() -> ! {
    std::process::exit(EXIT_CODE)
}

/// Returns true if this process ignores a signal. False where the system has no `/proc`.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignored(&status) >> (signal - 1) & 1 == 1)
}

/// The mask of ignored signals in the text of `/proc/self/status`: bit 0 is signal 1.
#[cfg(unix)]
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
