//! Graceful handling of Ctrl-C.

use anyhow::Result;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Installs a handler for Ctrl-C and termination requests that sets the returned flag. A second Ctrl-C ends
/// the process at once; every command can continue from its files then.
///
/// # Errors
/// If the handler cannot be installed.
pub(crate) fn on_interrupt() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let handle = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if handle.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        let _ = writeln!(std::io::stderr(), "\nstopping; press Ctrl-C again to stop at once");
    })?;
    Ok(flag)
}
