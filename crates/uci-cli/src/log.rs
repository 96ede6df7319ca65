//! The log: what `TABIYA_LOG` asks for on the standard error, or everything in the `Debug Log File`.
//!
//! Off by default, and then it costs nothing. The lines of the conversation are logged as they came
//! and went, so that a log is a session that can be held again: see [`crate::replay`].

use anyhow::{Context, Result};
use std::env;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, OnceLock};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::time::Uptime;

/// The variable that says what to log: a level (`info`, `debug`) or the filters of `tracing`.
const VARIABLE: &str = "TABIYA_LOG";

/// What a `Debug Log File` logs where the variable does not say.
const DEFAULT_FILTER: &str = "debug";

/// The target of the lines of a conversation, whatever the protocol.
pub(crate) const CONVERSATION: &str = "tabiya::conversation";

/// What the log says before a line that came in.
pub(crate) const CAME: &str = "> ";
/// What the log says before a line that went out.
pub(crate) const WENT: &str = "< ";

/// Where the log goes.
enum Target {
    Nowhere,
    Error,
    File(File),
}

static TARGET: Mutex<Target> = Mutex::new(Target::Nowhere);
static STARTED: OnceLock<()> = OnceLock::new();

/// Writes wherever the log goes at the moment.
struct Writer;

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut target = TARGET.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match &mut *target {
            Target::Nowhere => Ok(bytes.len()),
            Target::Error => io::stderr().write(bytes),
            Target::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn set_target(target: Target) {
    *TARGET.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = target;
}

fn start(filter: EnvFilter, ansi: bool) {
    STARTED.get_or_init(|| {
        tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_timer(Uptime::default())
            .with_writer(|| Writer)
            .with_ansi(ansi)
            .log_internal_errors(false)
            .init();
    });
}

/// Logs to the standard error what the variable asks for; without it nothing.
pub(crate) fn from_environment() {
    let Some(filter) = env::var_os(VARIABLE).filter(|value| !value.is_empty()) else { return };
    match EnvFilter::try_new(filter.to_string_lossy()) {
        Ok(filter) => {
            set_target(Target::Error);
            start(filter, io::stderr().is_terminal());
        }
        // A log that cannot be had is no reason not to play.
        Err(error) => {
            let _ = writeln!(io::stderr(), "{VARIABLE}: {error}");
        }
    }
}

/// Logs to a file from now on, which is written anew; to none if the name is empty.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn to_file(name: &str) -> Result<()> {
    if name.is_empty() {
        set_target(Target::Nowhere);
        return Ok(());
    }
    let file = File::create(name).with_context(|| format!("the log file {name:?} cannot be written"))?;
    set_target(Target::File(file));
    let filter = env::var(VARIABLE).ok().and_then(|filter| EnvFilter::try_new(filter).ok());
    start(filter.unwrap_or_else(|| EnvFilter::new(DEFAULT_FILTER)), false);
    Ok(())
}

/// Logs a line that came in.
pub(crate) fn came(line: &str) {
    tracing::debug!(target: CONVERSATION, "{CAME}{}", quoted(line));
}

/// Logs lines that went out.
pub(crate) fn went(text: &str) {
    text.lines().for_each(|line| tracing::debug!(target: CONVERSATION, "{WENT}{}", quoted(line)));
}

/// The line in quotes, as JSON has them: whatever is in it, it can be read back from a line of the log.
fn quoted(line: &str) -> serde_json::Value {
    serde_json::Value::from(line)
}
