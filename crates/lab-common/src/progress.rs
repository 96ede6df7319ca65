//! Progress display of long-running commands.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Interval between progress lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// A progress bar on a terminal, or periodic lines otherwise, on standard error.
pub struct Progress {
    bar: Option<ProgressBar>,
    total: u64,
    unit: &'static str,
    last_line: Instant,
}

impl Progress {
    /// Starts at `done` of `total`, counted in `unit` (such as "games").
    pub fn new(unit: &'static str, done: u64, total: u64, status: &str) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            // The template is a valid constant; otherwise the default style remains.
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}\n{msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(500));
            // Work done by an earlier process must not distort the estimated time.
            bar.set_position(done);
            bar.reset_eta();
            bar.set_message(status.to_owned());
            bar
        });
        Progress { bar, total, unit, last_line: Instant::now() }
    }

    /// Updates the display. `status` returns lines of text, which are joined if there is no terminal. It is only called if it is shown.
    pub fn show(&mut self, done: u64, status: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(status());
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            // Ignore errors: a closed standard error must not end the run.
            let status = status().replace('\n', " | ");
            let _ = writeln!(std::io::stderr(), "{done}/{} {}: {status}", self.total, self.unit);
        }
    }

    /// Prints a permanent line above the bar.
    pub fn message(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => drop(writeln!(std::io::stderr(), "{text}")),
        }
    }

    /// Removes the bar.
    pub fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
