//! What a person sees of long work while it is done.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Without a terminal, how often a line is written.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// A bar on a terminal, or else a line from time to time, on the standard error.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    total: u64,
    what: &'static str,
    last_line: Instant,
}

impl Progress {
    /// `done` of `total` of `what` (such as "games") are done by now.
    pub(crate) fn new(what: &'static str, done: u64, total: u64, status: &str) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            // Only a template of our own can be wrong, and then the default serves as well.
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}\n{msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(500));
            // What earlier sessions did is no measure for the time that is left.
            bar.set_position(done);
            bar.reset_eta();
            bar.set_message(status.to_owned());
            bar
        });
        Progress { bar, total, what, last_line: Instant::now() }
    }

    /// Shows how far the work is; `status` is asked for one line, where there is somebody to see it.
    pub(crate) fn show(&mut self, done: u64, status: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(status());
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            // A closed standard error is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{done}/{} {}: {}", self.total, self.what, status());
        }
    }

    /// Shows a line that stays.
    pub(crate) fn message(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => drop(writeln!(std::io::stderr(), "{text}")),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
