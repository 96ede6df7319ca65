//! A running engine of a match, and its timeouts.

use super::player::Player;
use crate::uci_engine::{EngineError, UciEngine};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Timeouts, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Timeouts {
    /// From process start to the first `readyok`.
    pub startup: u64,
    /// For an answer to `isready` or `stop`.
    pub ping: u64,
    /// For a move without a time limit.
    pub stall: u64,
    /// Tolerance beyond the clock before a move loses on time.
    pub margin: u64,
}

impl Timeouts {
    /// Start-up timeout.
    pub fn startup(&self) -> Duration {
        Duration::from_millis(self.startup)
    }

    /// Timeout of `isready` and `stop`.
    pub fn ping(&self) -> Duration {
        Duration::from_millis(self.ping)
    }

    /// Timeout of a move without a time limit.
    pub fn stall(&self) -> Duration {
        Duration::from_millis(self.stall)
    }

    /// Tolerance beyond the clock.
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.margin)
    }
}

/// Options set on every engine that supports them, unless the player sets them: equal conditions, and no
/// book moves.
const NEUTRAL_OPTIONS: [(&str, &str); 4] =
    [("Hash", "16"), ("Threads", "1"), ("Ponder", "false"), ("OwnBook", "false")];

/// A running engine.
pub struct MatchEngine {
    /// The UCI driver.
    pub uci: UciEngine,
}

impl MatchEngine {
    /// Starts the engine, sets its options and waits for `readyok`.
    ///
    /// # Errors
    /// If it cannot be started, lacks one of the player's options, or does not answer.
    pub fn start(
        player: &Player,
        chess960: bool,
        timeouts: &Timeouts,
        cancel: &Arc<AtomicBool>,
    ) -> Result<MatchEngine, EngineError> {
        let mut engine = UciEngine::spawn(&player.command)?;
        engine.cancel_with(Arc::clone(cancel));
        engine.handshake(timeouts.startup())?;
        for (name, value) in NEUTRAL_OPTIONS {
            let overridden = player.options.iter().any(|(option, _)| option.eq_ignore_ascii_case(name));
            let supported = engine.identity().option(name).is_some_and(|option| option.check(value).is_ok());
            if supported && !overridden {
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
    pub fn new_game(&mut self, timeouts: &Timeouts) -> Result<(), EngineError> {
        self.uci.send("ucinewgame");
        self.uci.is_ready(timeouts.ping())
    }
}
