//! Matches that a process is playing: their state as text and as a part of the page.

use super::Match;
use crate::selfplay::history::History;
use crate::selfplay::run_folder::State;
use crate::selfplay::summary::Summary;
use anyhow::Result;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tabiya_files::lock::Lock;
use tabiya_lab_common::html::{self, escape};
use tabiya_lab_common::interrupt::on_interrupt;

/// Interval between updates of the text and of the page.
const INTERVAL: Duration = Duration::from_secs(5);

/// Interval at which an interruption is noticed.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The start of the head of a page that browsers load again after some seconds.
pub(super) const HEAD: &str = "<head>\n<meta http-equiv=\"refresh\" content=\"5\">\n";

/// Moves the cursor to the top of a terminal and clears it.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// The course of a match that is being played.
pub(super) struct Live {
    history: History,
}

impl Live {
    /// Returns the course of the match in a folder. `None` if no process is playing it, or its games cannot be read.
    pub(super) fn of(folder: &Path, state: &State) -> Option<Live> {
        if state.finish.is_some() || !Lock::is_folder_locked(folder) {
            return None;
        }
        let history = History::read(folder, state).inspect_err(|error| eprintln!("{error:#}")).ok()?;
        Some(Live { history })
    }

    /// The state of the match: results, test, speed and clocks.
    pub(super) fn text(&self, summary: &Summary) -> String {
        let mut text =
            format!("{}, {} of at most {} games\n", summary.title(), summary.games, summary.planned_games);
        if let ([pairing], [curve]) = (summary.pairings.as_slice(), self.history.curves.as_slice())
            && let Some(sprt) = &pairing.sprt
        {
            text += &format!("LLR curve  {}\n", curve.sparkline(sprt));
        }
        text + &summary.to_string()
    }

    /// The state of the match in HTML, with the plot of the test.
    ///
    /// # Errors
    /// If the plot cannot be drawn.
    pub(super) fn section(&self, summary: &Summary) -> Result<String> {
        let mut html = format!(
            "<h2>Running: {}</h2>\n<pre>{}</pre>\n",
            escape(&summary.title()),
            escape(&self.text(summary))
        );
        if let ([pairing], [curve]) = (summary.pairings.as_slice(), self.history.curves.as_slice())
            && let Some(sprt) = &pairing.sprt
        {
            html += &html::plots(curve.llr_plot(sprt)?);
        }
        Ok(html)
    }
}

/// Prints the matches that are being played and updates them, until none is or the user interrupts.
///
/// # Errors
/// If `update` fails.
pub(super) fn watch(mut matches: Vec<Match>, update: impl Fn() -> Result<Vec<Match>>) -> Result<()> {
    let interrupted = on_interrupt()?;
    let mut shown = None;
    loop {
        let playing: Vec<String> =
            matches.iter().filter_map(|found| Some(found.live.as_ref()?.text(&found.summary))).collect();
        if playing.is_empty() {
            println!("no match is being played");
            return Ok(());
        }
        let text = playing.join("\n\n");
        if std::io::stdout().is_terminal() {
            println!("{CLEAR}{text}");
        } else if shown.as_ref() != Some(&text) {
            println!("{text}\n");
        }
        shown = Some(text);
        let start = Instant::now();
        while start.elapsed() < INTERVAL {
            if interrupted.load(Ordering::Relaxed) {
                return Ok(());
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        matches = update()?;
    }
}
