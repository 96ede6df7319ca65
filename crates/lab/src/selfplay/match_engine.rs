//! A player's running engine, ready for games.

use super::player::Player;
use crate::uci_engine::{EngineError, UciEngine};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long engines are waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Timeouts {
    /// Milliseconds from the start of the program to its being ready.
    pub(crate) startup: u64,
    /// Milliseconds for an answer to `isready` or `stop`.
    pub(crate) ping: u64,
    /// Milliseconds for a move where no time limit applies.
    pub(crate) stall: u64,
    /// Milliseconds beyond the clock before a move counts as late.
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

/// What every engine is set to where it has such an option and the player does not say otherwise: equal
/// conditions, and moves of its own.
const NEUTRAL_OPTIONS: [(&str, &str); 4] =
    [("Hash", "16"), ("Threads", "1"), ("Ponder", "false"), ("OwnBook", "false")];

/// A running engine.
pub(crate) struct MatchEngine {
    /// The engine.
    pub(crate) uci: UciEngine,
}

impl MatchEngine {
    /// Starts the engine, sets its options and waits until it is ready.
    ///
    /// # Errors
    /// When it cannot be started, lacks an option of the player's, or does not answer.
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

    /// Announces a new game and waits until the engine is ready for it.
    ///
    /// # Errors
    /// When it does not answer.
    pub(crate) fn new_game(&mut self, timeouts: &Timeouts) -> Result<(), EngineError> {
        self.uci.send("ucinewgame");
        self.uci.is_ready(timeouts.ping())
    }
}
