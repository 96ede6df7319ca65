//! A first start of every engine of a run, before the run has a folder: mistakes in the settings leave nothing behind.

use super::match_engine::{EngineSetup, MatchEngine};
use super::player::Player;
use anyhow::Result;

/// Starts the engine of each player once with its options, and notes what it prints about them.
///
/// # Errors
/// If an engine cannot be started, rejects an option, or says that one failed.
pub(crate) fn run(players: &mut [Player], setup: &EngineSetup<'_>) -> Result<()> {
    for player in players {
        let notes = MatchEngine::start(player, setup)?.notes().to_vec();
        player.notes.extend(notes);
        for note in &player.notes {
            println!("{}: {note}", player.name());
        }
    }
    Ok(())
}
