//! A running engine of a match, and its timeouts.

use super::player::Player;
use crate::uci_engine::{EngineError, UciEngine};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Timeouts, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Timeouts {
    /// From process start to the first `readyok`.
    pub(crate) startup: u64,
    /// For an answer to `isready` or `stop`.
    pub(crate) ping: u64,
    /// For a move without a time limit.
    pub(crate) stall: u64,
    /// Tolerance beyond the clock before a move loses on time.
    pub(crate) margin: u64,
}

impl Timeouts {
    pub(crate) fn startup(&self) -> Duration {
        Duration::from_millis(self.startup)
    }

    pub(crate) fn ping(&self) -> Duration {
        Duration::from_millis(self.ping)
    }

    pub(crate) fn stall(&self) -> Duration {
        Duration::from_millis(self.stall)
    }

    pub(crate) fn margin(&self) -> Duration {
        Duration::from_millis(self.margin)
    }
}

/// Options set on every engine that supports them, unless the player sets them: equal conditions, and no
/// book moves.
const NEUTRAL_OPTIONS: [(&str, &str); 4] =
    [("Hash", "16"), ("Threads", "1"), ("Ponder", "false"), ("OwnBook", "false")];

/// A running engine.
pub(crate) struct MatchEngine {
    /// The UCI driver.
    pub(crate) uci: UciEngine,
}

impl MatchEngine {
    /// Starts the engine, sets its options and waits for `readyok`.
    ///
    /// # Errors
    /// If it cannot be started, lacks one of the player's options, or does not answer.
    pub(crate) fn start(
        player: &Player,
        chess960: bool,
        timeouts: &Timeouts,
        cancel: &Arc<AtomicBool>,
    ) -> Result<MatchEngine, EngineError> {
        let mut engine = UciEngine::spawn(&player.command)?;
        engine.cancel_with(Arc::clone(cancel));
        engine.handshake(timeouts.startup())?;
        for (name, value) in NEUTRAL_OPTIONS {
            let chosen = player.options.iter().any(|(chosen, _)| chosen.eq_ignore_ascii_case(name));
            let takes_it = engine.identity().option(name).is_some_and(|option| option.check(value).is_ok());
            if takes_it && !chosen {
                engine.set_option(name, value)?;
            }
        }
        if chess960 {
            engine.set_option("UCI_Chess960", "true")?;
        }
        for (name, value) in &player.options {
            engine.set_option(name, value)?;
        }
        engine.is_ready(timeouts.startup())?;
        Ok(MatchEngine { uci: engine })
    }

    /// Sends `ucinewgame` and waits for `readyok`.
    ///
    /// # Errors
    /// If it does not answer.
    pub(crate) fn new_game(&mut self, timeouts: &Timeouts) -> Result<(), EngineError> {
        self.uci.send("ucinewgame");
        self.uci.is_ready(timeouts.ping())
    }
}
