//! Ctrl-C, for commands that have something to bring to an end first.

use anyhow::Result;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes Ctrl-C, and a request to terminate, set the flag that it returns. A second Ctrl-C ends the
/// process at once; what is on disk by then is enough to go on from.
///
/// # Errors
/// When the system does not allow it.
pub(crate) fn on_interrupt() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let handle = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if handle.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        let _ = writeln!(std::io::stderr(), "\nstopping; once more to stop at once");
    })?;
    Ok(flag)
}
