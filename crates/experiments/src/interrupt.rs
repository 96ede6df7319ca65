//! Graceful handling of Ctrl-C.

use anyhow::Result;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Installs a handler for Ctrl-C and termination requests that sets the returned flag. A second Ctrl-C ends
/// the process at once; matches, `datagen`, `spsa`, `data rescore` and `train run` can still be continued from their files.
///
/// # Errors
/// If the handler cannot be installed.
pub fn on_interrupt() -> Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            // The conventional exit code after SIGINT.
            std::process::exit(130);
        }
        let _ = writeln!(std::io::stderr(), "\nstopping; press Ctrl-C again to stop at once");
    })?;
    Ok(interrupted)
}
