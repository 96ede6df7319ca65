//! Logging to standard error, configured by `TABIYA_LOG`, or to the `Debug Log File`.
//!
//! Logging is off by default and then costs nothing. Protocol lines are logged verbatim in both directions,
//! so that a log can be replayed by `tabiya replay`.

use anyhow::{Context, Result};
use std::env;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, OnceLock};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::time::Uptime;

/// The environment variable with a level (`info`, `debug`) or a `tracing` filter.
const VARIABLE: &str = "TABIYA_LOG";

/// The filter of a `Debug Log File` if the environment variable is not set.
const DEFAULT_FILTER: &str = "debug";

/// The `tracing` target of protocol lines, in either protocol.
pub(crate) const PROTOCOL_TARGET: &str = "tabiya::conversation";

/// The prefix of a received line in the log.
pub(crate) const RECEIVED: &str = "> ";
/// The prefix of a sent line in the log.
pub(crate) const SENT: &str = "< ";

/// The destination of the log.
enum Destination {
    None,
    Stderr,
    File(File),
}

static DESTINATION: Mutex<Destination> = Mutex::new(Destination::None);
static STARTED: OnceLock<()> = OnceLock::new();

/// Writes to the current destination.
struct Writer;

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut destination = DESTINATION.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match &mut *destination {
            Destination::None => Ok(bytes.len()),
            Destination::Stderr => io::stderr().write(bytes),
            Destination::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn set_destination(destination: Destination) {
    *DESTINATION.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = destination;
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

/// Starts logging to standard error if `TABIYA_LOG` is set.
pub(crate) fn init_from_env() {
    let Some(filter) = env::var_os(VARIABLE).filter(|value| !value.is_empty()) else { return };
    match EnvFilter::try_new(filter.to_string_lossy()) {
        Ok(filter) => {
            set_destination(Destination::Stderr);
            start(filter, io::stderr().is_terminal());
        }
        // A bad filter must not keep the engine from playing.
        Err(error) => {
            let _ = writeln!(io::stderr(), "{VARIABLE}: {error}");
        }
    }
}

/// Logs to a new file from now on. An empty name ends logging.
///
/// # Errors
/// If the file cannot be created.
pub(crate) fn log_to_file(name: &str) -> Result<()> {
    if name.is_empty() {
        set_destination(Destination::None);
        return Ok(());
    }
    let file = File::create(name).with_context(|| format!("the log file {name:?} cannot be written"))?;
    set_destination(Destination::File(file));
    let filter = env::var(VARIABLE).ok().and_then(|filter| EnvFilter::try_new(filter).ok());
    start(filter.unwrap_or_else(|| EnvFilter::new(DEFAULT_FILTER)), false);
    Ok(())
}

/// Logs a received line.
pub(crate) fn received(line: &str) {
    tracing::debug!(target: PROTOCOL_TARGET, "{RECEIVED}{}", json_string(line));
}

/// Logs sent lines.
pub(crate) fn sent(text: &str) {
    text.lines().for_each(|line| tracing::debug!(target: PROTOCOL_TARGET, "{SENT}{}", json_string(line)));
}

/// The line as a JSON string, so that any content stays on one line of the log and can be read back.
fn json_string(line: &str) -> serde_json::Value {
    serde_json::Value::from(line)
}
