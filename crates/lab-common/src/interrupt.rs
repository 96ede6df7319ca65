//! Graceful handling of Ctrl-C.

use anyhow::Result;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Installs a handler for Ctrl-C and termination requests that sets the returned flag. A second Ctrl-C ends
/// the process at once; matches, `datagen`, `spsa`, `data rescore` and `train run` can still be continued from their files.
/// Later calls return the same flag.
///
/// # Errors
/// If the handler cannot be installed.
pub fn on_interrupt() -> Result<Arc<AtomicBool>> {
    static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    if let Some(interrupted) = INTERRUPTED.get() {
        return Ok(Arc::clone(interrupted));
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            // The conventional exit code after SIGINT.
            std::process::exit(130);
        }
        let _ = writeln!(std::io::stderr(), "\nstopping; press Ctrl-C again to stop at once");
    })?;
    Ok(Arc::clone(INTERRUPTED.get_or_init(|| interrupted)))
}
