//! Logging to standard error, configured by `TABIYA_LOG`, or to the `Debug Log File`.
//!
//! Logging is off by default and then costs nothing. Protocol lines are logged verbatim in both directions,
//! so that a log can be replayed by `tabiya replay`.

use crate::version::NAME;
use anyhow::{Context, Result};
use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use tabiya_files::input;
use tracing::Level;
use tracing_subscriber::filter::{LevelFilter, ParseError, Targets};
use tracing_subscriber::fmt::time::Uptime;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Registry, reload};

/// The environment variable with a level (`info`, `debug`) or a list of targets with levels (`info,tabiya::conversation=debug`).
const VARIABLE: &str = "TABIYA_LOG";

/// The level of a `Debug Log File` if the environment variable is not set, and of its protocol lines in any case.
const FILE_LEVEL: LevelFilter = LevelFilter::DEBUG;

/// The `tracing` target of protocol lines, in either protocol.
pub(crate) const PROTOCOL_TARGET: &str = "tabiya::conversation";

/// The prefix of a received line in the log.
pub(crate) const RECEIVED: &str = "> ";
/// The prefix of a sent line in the log.
pub(crate) const SENT: &str = "< ";

/// The beginning of the line that starts a session in a log.
pub(crate) const SESSION: &str = "# Log of Tabiya";

/// The line after it if the transposition table has entries of searches that are not in the log.
pub(crate) const EARLIER_SEARCHES: &str = "# Searches before this log may influence its best moves";

/// The destination of the log.
enum Destination {
    None,
    Stderr,
    File { name: String, file: File },
}

static DESTINATION: Mutex<Destination> = Mutex::new(Destination::None);

/// The lines received so far that chose the protocol or set options, for the beginning of a log file: without them, `tabiya replay`
/// would search with other settings.
static SET_UP_LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The first words of these lines, in either protocol.
const SET_UP_WORDS: [&str; 8] =
    ["uci", "setoption", "xboard", "protover", "option", "memory", "cores", "egtpath"];

/// Maximum number of these lines that are kept.
const MAX_SET_UP_LINES: usize = 1000;

/// Maximum length of these lines, in bytes.
const MAX_SET_UP_LENGTH: usize = 10_000;

/// True after a `go` since the last `ucinewgame`. Under xboard it does not matter: replays do not expect the same moves there.
static HAS_SEARCHED: AtomicBool = AtomicBool::new(false);

/// Writes to the current destination.
struct Writer;

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *destination() {
            Destination::None => Ok(bytes.len()),
            Destination::Stderr => io::stderr().write(bytes),
            Destination::File { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn destination() -> MutexGuard<'static, Destination> {
    DESTINATION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Logs what `filter` admits to this destination from now on. Without colours, because the destination may become a file.
fn log_to(new_destination: Destination, filter: Targets) {
    static FILTER: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();
    *destination() = new_destination;
    let handle = FILTER.get_or_init(|| {
        let (layer, handle) = reload::Layer::new(Targets::new());
        let format = tracing_subscriber::fmt::layer()
            .with_timer(Uptime::default())
            .with_writer(|| Writer)
            .with_ansi(false)
            .log_internal_errors(false);
        tracing_subscriber::registry().with(layer).with(format).init();
        handle
    });
    // Cannot fail: the subscriber lives as long as the process.
    let _ = handle.reload(filter);
}

/// The filter of the environment variable; `None` if that is not set or empty.
fn filter_from_env() -> Option<Result<Targets, ParseError>> {
    let filter = env::var_os(VARIABLE).filter(|value| !value.is_empty())?;
    Some(filter.to_string_lossy().parse())
}

/// Starts logging to standard error if `TABIYA_LOG` is set.
pub(crate) fn init_from_env() {
    match filter_from_env() {
        Some(Ok(filter)) => {
            // The logs of several processes may be appended to one file. One without protocol lines cannot be replayed.
            if filter.would_enable(PROTOCOL_TARGET, &Level::DEBUG) {
                // A closed standard error must not keep the engine from playing.
                let _ = writeln!(io::stderr(), "{SESSION}: {NAME}");
            }
            log_to(Destination::Stderr, filter);
        }
        // A bad filter must not keep the engine from playing.
        Some(Err(error)) => drop(writeln!(io::stderr(), "{VARIABLE}: {error}")),
        None => {}
    }
}

/// Appends to a log file from now on. An empty name ends that, and logging goes on as `TABIYA_LOG` says.
///
/// # Errors
/// If the file cannot be written, is not a regular file, or has contents that are not a log of this program.
pub(crate) fn log_to_file(name: &str) -> Result<()> {
    let filter = filter_from_env().and_then(Result::ok);
    if name.is_empty() {
        match filter {
            Some(filter) => log_to(Destination::Stderr, filter),
            None => log_to(Destination::None, Targets::new()),
        }
        return Ok(());
    }
    // Some GUIs set all options before each game, which is still the same session.
    if is_logging_to(name) {
        return Ok(());
    }
    let file = open(Path::new(name)).with_context(|| format!("the log file {name:?} cannot be written"))?;
    let filter = filter.unwrap_or_else(|| Targets::new().with_default(FILE_LEVEL));
    // Without the protocol lines, the file could not be replayed.
    let filter = filter.with_target(PROTOCOL_TARGET, FILE_LEVEL);
    log_to(Destination::File { name: name.to_owned(), file }, filter);
    set_up_lines().iter().for_each(|line| log_received(line));
    Ok(())
}

fn is_logging_to(path: &str) -> bool {
    matches!(&*destination(), Destination::File { name, .. } if name == path) && Path::new(path).exists()
}

/// Opens a log file for appending and starts a session in it.
fn open(path: &Path) -> io::Result<File> {
    match input::check_regular(path) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let mut start = Vec::new();
    (&mut file).take(100).read_to_end(&mut start)?;
    if !start.is_empty() {
        if !is_log(&String::from_utf8_lossy(&start)) {
            let message = "it has contents that do not begin like a log of Tabiya; choose another name";
            return Err(io::Error::new(ErrorKind::InvalidInput, message));
        }
        // A killed process may have left an incomplete line.
        let mut last = [b'\n'];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != [b'\n'] {
            file.write_all(b"\n")?;
        }
    }
    writeln!(file, "{SESSION}: {NAME}")?;
    if HAS_SEARCHED.load(Ordering::Relaxed) {
        writeln!(file, "{EARLIER_SEARCHES}")?;
    }
    Ok(file)
}

/// Returns true if a file with this beginning is a log of this program: a log file, or standard error with `TABIYA_LOG`.
fn is_log(start: &str) -> bool {
    let mut words = start.split_whitespace();
    let is_time = |word: &str| word.strip_suffix('s').is_some_and(|seconds| seconds.parse::<f64>().is_ok());
    let is_level = |word: &str| ["ERROR", "WARN", "INFO", "DEBUG", "TRACE"].contains(&word);
    start.starts_with(SESSION)
        || (words.next().is_some_and(is_time)
            && words.next().is_some_and(is_level)
            && words.next().is_some_and(|target| target.starts_with("tabiya")))
}

/// Logs a received line.
pub(crate) fn received(line: &str) {
    log_received(line);
    match line.split_whitespace().next() {
        Some("go") => HAS_SEARCHED.store(true, Ordering::Relaxed),
        Some("ucinewgame") => HAS_SEARCHED.store(false, Ordering::Relaxed),
        Some(word) if SET_UP_WORDS.contains(&word) && line.len() <= MAX_SET_UP_LENGTH => {
            keep_set_up_line(&mut set_up_lines(), line);
        }
        _ => {}
    }
}

fn keep_set_up_line(lines: &mut Vec<String>, line: &str) {
    // It may have chosen the protocol and must stay the first.
    if lines.first().is_some_and(|first| first == line) {
        return;
    }
    // A GUI may set all options again before each game.
    lines.retain(|earlier| earlier != line);
    if lines.len() == MAX_SET_UP_LINES {
        lines.remove(1);
    }
    lines.push(line.to_owned());
}

fn set_up_lines() -> MutexGuard<'static, Vec<String>> {
    SET_UP_LINES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn log_received(line: &str) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_first_and_the_latest_set_up_lines() {
        let mut lines = Vec::new();
        let option = |number| format!("option Contempt={number}");
        keep_set_up_line(&mut lines, "xboard");
        (0..MAX_SET_UP_LINES + 10).for_each(|number| keep_set_up_line(&mut lines, &option(number)));
        assert_eq!(lines.len(), MAX_SET_UP_LINES);
        assert_eq!(lines[..2], ["xboard".to_owned(), option(11)]);
        keep_set_up_line(&mut lines, "xboard");
        assert_eq!(lines[0], "xboard");
        keep_set_up_line(&mut lines, &option(11));
        assert_eq!((&lines[1], lines.last()), (&option(12), Some(&option(11))));
    }

    #[test]
    fn recognises_logs() {
        assert!(is_log("# Log of Tabiya: Tabiya 1.0\n"));
        assert!(is_log("   0.000051234s DEBUG tabiya::conversation: > \"uci\"\n"));
        for other in [
            "", "\n", "# A suite", "[Event \"?\"]", "1.5s DEBUG other: x", "DEBUG tabiya: x",
            "1 DEBUG tabiya",
        ] {
            assert!(!is_log(other), "{other}");
        }
    }
}
