//! The progress display: games and moves done, and the time left.

use super::survey::Survey;
use crate::message::counted;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// A progress bar on standard error if it is a terminal; messages in any case. Clones share the bar.
#[derive(Clone)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    /// The number of games, if it is known.
    games: Option<u64>,
}

impl Progress {
    /// Starts the display. Without a survey, the totals are unknown.
    pub(super) fn new(survey: Option<&Survey>) -> Progress {
        let games = survey.map(|survey| survey.moves.len() as u64);
        let bar = io::stderr().is_terminal().then(|| {
            let (bar, template) = match survey {
                Some(survey) => (
                    ProgressBar::new(survey.total_moves()),
                    "{wide_bar} {msg}, {human_pos} of {human_len} moves, {eta} left",
                ),
                None => (ProgressBar::no_length(), "{spinner} {msg}, {human_pos} moves in {elapsed}"),
            };
            // Fails only for an invalid template; the default style is acceptable then.
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        let progress = Progress { bar, games };
        progress.games_done(0);
        progress
    }

    /// Counts moves that an earlier run has reviewed. They do not affect the speed from which the time left is estimated.
    pub(super) fn skip(&self, moves: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(moves);
            bar.reset_eta();
        }
    }

    /// Counts reviewed moves.
    pub(super) fn moves_done(&self, moves: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(moves);
        }
    }

    /// Shows the number of finished games.
    pub(super) fn games_done(&self, done: u64) {
        let Some(bar) = &self.bar else { return };
        bar.set_message(match self.games {
            Some(games) => format!("{} of {} games", HumanCount(done), HumanCount(games)),
            None => counted(done, "game"),
        });
    }

    /// Prints a message.
    pub(super) fn message(&self, message: &str) {
        // A closed standard error must not stop the command.
        self.suspend(|| drop(writeln!(io::stderr(), "{message}")));
    }

    /// Removes the bar while `write` writes to what may be the same terminal.
    pub(super) fn suspend<R>(&self, write: impl FnOnce() -> R) -> R {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Ends the display.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
