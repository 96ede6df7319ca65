//! What a person sees of a match while it runs.

use super::store::{GameLine, State};
use super::summary::{PairingSummary, Summary};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Without a terminal, how often a line is written.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// How many messages about faults are shown; the rest are in the report.
const MOST_MESSAGES: u32 = 20;

/// A bar on a terminal, or else a line from time to time, on the standard error.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    last_line: Instant,
    messages: u32,
}

impl Progress {
    /// Shows where `state` stands.
    pub(crate) fn new(state: &State) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(2 * state.plan.pairs);
            // Only a template of our own can be wrong, and then the default serves as well.
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}\n{msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        let progress = Progress { bar, last_line: Instant::now(), messages: 0 };
        if let Some(bar) = &progress.bar {
            // What earlier sessions played is no measure for the time that is left.
            bar.set_position(state.tally.games);
            bar.reset_eta();
            bar.set_message(status(state));
        }
        progress
    }

    /// A game is over.
    pub(crate) fn game(&mut self, state: &State, line: &GameLine) {
        if let Some(fault) = &line.fault {
            self.message(&format!("round {}.{}: {fault}", line.id.pair + 1, line.id.game + 1));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(state.tally.games);
            bar.set_message(status(state));
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            // A closed standard error is no reason to stop a match.
            let _ = writeln!(
                std::io::stderr(),
                "{}/{} games: {}",
                state.tally.games,
                2 * state.plan.pairs,
                status(state)
            );
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn message(&mut self, text: &str) {
        self.messages += 1;
        if self.messages > MOST_MESSAGES {
            return;
        }
        let more = if self.messages == MOST_MESSAGES { " (no more of these are shown)" } else { "" };
        let text = format!("{text}{more}");
        match &self.bar {
            Some(bar) => bar.println(text),
            None => drop(writeln!(std::io::stderr(), "{text}")),
        }
    }
}

/// One line.
fn status(state: &State) -> String {
    let summary = Summary::new(state);
    let mut parts = Vec::new();
    match summary.pairings.as_slice() {
        [pairing] => parts.push(one_pairing(pairing)),
        pairings => parts.extend(pairings.iter().map(|pairing| {
            format!("{} +{} ={} -{}", pairing.second, pairing.wins, pairing.draws, pairing.losses)
        })),
    }
    let faults = state.tally.faults();
    if faults > 0 {
        parts.push(format!("{faults} games lost by a fault"));
    }
    parts.push(format!("{:.1} games/min", summary.speed.games_per_minute));
    parts.join(" | ")
}

fn one_pairing(pairing: &PairingSummary) -> String {
    let mut text = format!("+{} ={} -{}", pairing.wins, pairing.draws, pairing.losses);
    if let Some(elo) = pairing.estimate.and_then(|estimate| estimate.elo) {
        text += &format!(" | Elo {elo}");
    }
    if let Some(sprt) = &pairing.sprt {
        text += &format!(" | {sprt}");
    }
    text
}
