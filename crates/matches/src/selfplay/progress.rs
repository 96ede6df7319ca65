//! The state of a running match on the terminal.

use super::history::History;
use super::run_folder::{GameLine, State};
use super::summary::{PairingSummary, PlayerSummary, Summary};
use anyhow::Result;
use std::path::Path;
use tabiya_lab_common::progress::Progress;

/// Number of fault messages shown; the report has the rest.
const MAX_MESSAGES: u32 = 20;

/// Progress display of a match.
pub(crate) struct MatchProgress {
    progress: Progress,
    history: History,
    messages: u32,
}

impl MatchProgress {
    /// Shows the current state of the match in a folder.
    ///
    /// # Errors
    /// If the games of earlier sessions cannot be read.
    pub(crate) fn new(folder: &Path, state: &State) -> Result<MatchProgress> {
        let history = History::read(folder, state)?;
        let status = status(state, &history);
        let progress = Progress::new("games", state.scoreboard.games, 2 * state.plan.pairs, &status);
        Ok(MatchProgress { progress, history, messages: 0 })
    }

    /// Updates the display after a game.
    pub(crate) fn game(&mut self, state: &State, line: &GameLine) {
        self.history.add(&state.plan, line);
        if let Some(fault) = &line.fault {
            self.message(&format!("round {}.{}: {fault}", line.id.pair + 1, line.id.game + 1));
        }
        self.progress.show(state.scoreboard.games, || status(state, &self.history));
    }

    /// Removes the bar.
    pub(crate) fn finish(&mut self) {
        self.progress.finish();
    }

    fn message(&mut self, text: &str) {
        self.messages += 1;
        if self.messages <= MAX_MESSAGES {
            let more = if self.messages == MAX_MESSAGES { " (further faults are not shown)" } else { "" };
            self.progress.message(&format!("{text}{more}"));
        }
    }
}

/// Returns the status: a line with the results, one with the test if there is one, and one with the speed.
fn status(state: &State, history: &History) -> String {
    let summary = Summary::new(state);
    let mut lines = Vec::new();
    match (summary.pairings.as_slice(), history.curves.as_slice()) {
        ([pairing], [curve]) => {
            lines.push(one_pairing(pairing));
            if let Some(sprt) = &pairing.sprt {
                lines.push(format!("{sprt} {}", curve.sparkline(sprt)));
            }
        }
        (pairings, _) => {
            let results = pairings.iter().map(|pairing| {
                // The other player may be the same in all pairings.
                let name = if state.plan.scaling { &pairing.first } else { &pairing.second };
                format!("{name} +{} ={} -{}", pairing.wins, pairing.draws, pairing.losses)
            });
            lines.push(results.collect::<Vec<_>>().join(" | "));
        }
    }
    lines.push(speed(&summary, state.scoreboard.faults()));
    lines.join("\n")
}

fn one_pairing(pairing: &PairingSummary) -> String {
    let mut text =
        format!("+{} ={} -{} | Ptnml {:?}", pairing.wins, pairing.draws, pairing.losses, pairing.ptnml);
    if let Some(elo) = pairing.estimate.and_then(|estimate| estimate.elo) {
        text += &format!(" | Elo {elo}");
    }
    text
}

/// The speed of the match and of its players, the clocks and the faults.
fn speed(summary: &Summary, faults: u64) -> String {
    let mut parts = vec![format!("{:.1} games/min", summary.speed.games_per_minute)];
    if let [first, second] = summary.players.as_slice()
        && first.moves > 0
        && second.moves > 0
    {
        let thousands = |player: &PlayerSummary| player.nodes_per_second / 1e3;
        parts.push(format!("{:.0} and {:.0} thousand nodes/s", thousands(first), thousands(second)));
    }
    let clocks = summary.players.iter().filter_map(|player| {
        let latency = player.latency?;
        Some((latency.lowest_clock?, latency.overruns, &player.name))
    });
    if let Some((seconds, _, name)) = clocks.clone().min_by(|a, b| a.0.total_cmp(&b.0)) {
        let overruns: u64 = clocks.map(|(_, overruns, _)| overruns).sum();
        parts.push(format!("lowest clock {seconds:.3} s ({name}), {overruns} overruns"));
    }
    if faults > 0 {
        parts.push(format!("games lost by a fault: {faults}"));
    }
    parts.join(" | ")
}
