//! Ctrl-C and termination requests.

use anyhow::{Context, Result};
use tabiya_review::{CancelToken, Canceller};

/// Installs a handler for Ctrl-C and termination requests that cancels the returned token. A second Ctrl-C ends the process
/// at once.
///
/// # Errors
/// If the handler cannot be installed.
pub(super) fn cancel_on_interrupt() -> Result<CancelToken> {
    let (canceller, token) = Canceller::new();
    let mut canceller = Some(canceller);
    ctrlc::set_handler(move || {
        if canceller.take().is_none() {
            // The conventional exit code after SIGINT.
            std::process::exit(130);
        }
    })
    .context("cannot handle Ctrl-C")?;
    Ok(token)
}
