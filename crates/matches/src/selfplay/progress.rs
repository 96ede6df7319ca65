//! Progress display of a match.

use super::run_folder::{GameLine, State};
use super::summary::{PairingSummary, Summary};
use tabiya_lab_common::progress::Progress;

/// Number of fault messages shown; the report has the rest.
const MAX_MESSAGES: u32 = 20;

/// Progress display of a match.
pub(crate) struct MatchProgress {
    progress: Progress,
    messages: u32,
}

impl MatchProgress {
    /// Shows the current state.
    pub(crate) fn new(state: &State) -> MatchProgress {
        let progress = Progress::new("games", state.scoreboard.games, 2 * state.plan.pairs, &status(state));
        MatchProgress { progress, messages: 0 }
    }

    /// Updates the display after a game.
    pub(crate) fn game(&mut self, state: &State, line: &GameLine) {
        if let Some(fault) = &line.fault {
            self.message(&format!("round {}.{}: {fault}", line.id.pair + 1, line.id.game + 1));
        }
        self.progress.show(state.scoreboard.games, || status(state));
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

/// Returns the status line.
fn status(state: &State) -> String {
    let summary = Summary::new(state);
    let mut parts = Vec::new();
    match summary.pairings.as_slice() {
        [pairing] => parts.push(one_pairing(pairing)),
        pairings => parts.extend(pairings.iter().map(|pairing| {
            format!("{} +{} ={} -{}", pairing.second, pairing.wins, pairing.draws, pairing.losses)
        })),
    }
    let faults = state.scoreboard.faults();
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
