//! Graceful handling of Ctrl-C.

use anyhow::{Context, Result};
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
    tabiya_signals::handle_first(move || {
        flag.store(true, Ordering::Relaxed);
        let _ = writeln!(std::io::stderr(), "\nstopping; press Ctrl-C again to stop at once");
    })
    .context("cannot handle Ctrl-C")?;
    Ok(Arc::clone(INTERRUPTED.get_or_init(|| interrupted)))
}
