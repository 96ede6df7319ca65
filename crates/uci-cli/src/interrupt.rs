//! Ctrl-C and termination requests.

use anyhow::{Context, Result};

/// The conventional exit code after SIGINT.
const EXIT_CODE: i32 = 130;

/// Installs a handler for Ctrl-C and termination requests that calls `act` the first time, to end what is in progress, and ends
/// the process the second time. A process can have only one such handler.
///
/// # Errors
/// If the handler cannot be installed.
pub(crate) fn on_first(act: impl FnOnce() + Send + 'static) -> Result<()> {
    let mut act = Some(act);
    handle(move || match act.take() {
        Some(act) => act(),
        None => exit(),
    })
}

/// Installs a handler that is called each time.
///
/// # Errors
/// If the handler cannot be installed.
pub(crate) fn handle(handler: impl FnMut() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(handler).context("cannot handle Ctrl-C")
}

/// Ends the process as interrupted.
pub(crate) fn exit() -> ! {
    std::process::exit(EXIT_CODE)
}
