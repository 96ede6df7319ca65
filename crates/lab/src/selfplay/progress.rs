//! What a person sees of a match while it runs.

use super::run_folder::{GameLine, State};
use super::summary::{PairingSummary, Summary};
use crate::progress::Progress;

/// How many messages about faults are shown; the rest are in the report.
const MAX_MESSAGES: u32 = 20;

/// The progress of a match.
pub(crate) struct MatchProgress {
    progress: Progress,
    messages: u32,
}

impl MatchProgress {
    /// Shows where `state` stands.
    pub(crate) fn new(state: &State) -> MatchProgress {
        let progress = Progress::new("games", state.scoreboard.games, 2 * state.plan.pairs, &status(state));
        MatchProgress { progress, messages: 0 }
    }

    /// A game is over.
    pub(crate) fn game(&mut self, state: &State, line: &GameLine) {
        if let Some(fault) = &line.fault {
            self.message(&format!("round {}.{}: {fault}", line.id.pair + 1, line.id.game + 1));
        }
        self.progress.show(state.scoreboard.games, || status(state));
    }

    /// Takes the bar away.
    pub(crate) fn finish(&mut self) {
        self.progress.finish();
    }

    fn message(&mut self, text: &str) {
        self.messages += 1;
        if self.messages <= MAX_MESSAGES {
            let more = if self.messages == MAX_MESSAGES { " (no more of these are shown)" } else { "" };
            self.progress.message(&format!("{text}{more}"));
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
