//! A running engine of a match, whatever protocol it speaks, and its timeouts.

use super::answer::{Answer, EngineMove, SearchOutput};
use super::limits::{Clock, Limits, go_command};
use super::player::{Player, Protocol};
use super::xboard_engine::{XboardAnswer, XboardEngine};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tabiya_core::Move;
use tabiya_movegen::Game;
use tabiya_uci_engine::ProcessorSet;
use tabiya_uci_engine::{EngineError, EngineErrorKind, UciEngine};

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
const NEUTRAL_OPTIONS: [(&str, &str); 3] = [("Hash", "16"), ("Threads", "1"), ("OwnBook", "false")];

/// Attempts to start an engine of a match that recovers from faults.
const START_ATTEMPTS: u32 = 3;

/// Pause before the next attempt.
const START_PAUSE: Duration = Duration::from_secs(1);

/// The option that announces pondering: of UCI, and of this driver for xboard engines.
const PONDER: &str = "Ponder";

/// The conditions under which an engine is started.
#[derive(Clone, Copy)]
pub struct EngineSetup<'a> {
    /// True if the games are Chess960.
    pub chess960: bool,
    /// True if the engine may think while its opponent does.
    pub ponder: bool,
    /// Timeouts.
    pub timeouts: &'a Timeouts,
    /// Ends all waits when it becomes true.
    pub cancel: &'a Arc<AtomicBool>,
    /// The processors of the engine; `None` if it may use all.
    pub processors: Option<&'a ProcessorSet>,
}

/// A running engine.
pub struct MatchEngine {
    driver: Driver,
    /// The options as set at the start.
    options: Vec<(String, String)>,
    limits: Limits,
    chess960: bool,
    /// The opponent's move that the engine expects while it ponders.
    pondering: Option<Move>,
    /// The lines that it printed when its options had been set.
    notes: Vec<String>,
}

enum Driver {
    Uci(UciEngine),
    Xboard(XboardEngine),
}

/// A position in which an engine has to move.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The moves so far.
    pub game: &'a Game,
    /// The same as a UCI command, `position ... moves ...`.
    pub position_command: &'a str,
    /// The engine's limits.
    pub limits: &'a Limits,
    /// White's and Black's clocks.
    pub clocks: [Option<&'a Clock>; 2],
}

impl<'a> Turn<'a> {
    /// The clocks of the side to move and of the other side.
    fn own_and_other_clock(&self) -> [Option<&'a Clock>; 2] {
        let side = self.game.position().side_to_move().index();
        [self.clocks[side], self.clocks[1 - side]]
    }

    fn go_command(&self) -> String {
        go_command(self.limits, self.own_and_other_clock()[0], self.clocks)
    }
}

impl MatchEngine {
    /// Starts the engine, sets its options and waits for its answer.
    ///
    /// # Errors
    /// If it cannot be started, lacks one of the player's options, says that one failed, or does not answer.
    pub fn start(player: &Player, setup: &EngineSetup<'_>) -> Result<MatchEngine, EngineError> {
        let EngineSetup { chess960, ponder, timeouts, cancel, processors } = *setup;
        let driver = match player.protocol {
            Protocol::Uci => {
                let mut engine = UciEngine::spawn_on(&player.command, processors)?;
                engine.cancel_with(Arc::clone(cancel));
                engine.handshake(timeouts.startup())?;
                Driver::Uci(engine)
            }
            Protocol::Xboard => {
                Driver::Xboard(XboardEngine::start(&player.command, processors, cancel, timeouts.startup())?)
            }
        };
        let neutral = NEUTRAL_OPTIONS.into_iter().chain([(PONDER, if ponder { "true" } else { "false" })]);
        let mut options: Vec<(String, String)> = Vec::new();
        for (name, value) in neutral {
            let overridden = player.options.iter().any(|(option, _)| option.eq_ignore_ascii_case(name));
            if !overridden && driver.accepts(name, value) {
                options.push((name.to_owned(), value.to_owned()));
            }
        }
        if chess960 && player.protocol == Protocol::Uci {
            options.push(("UCI_Chess960".to_owned(), "true".to_owned()));
        }
        options.extend(player.options.iter().cloned());
        let limits = player.limits.clone();
        let mut engine =
            MatchEngine { driver, options, limits, chess960, pondering: None, notes: Vec::new() };
        engine.send_options()?;
        let ponders = ponder && engine.can_ponder();
        match &mut engine.driver {
            Driver::Uci(uci) => engine.notes = uci.confirm_options(timeouts.startup())?,
            Driver::Xboard(xboard) => xboard.set_pondering(ponders),
        }
        Ok(engine)
    }

    /// Starts the engine as [`MatchEngine::start`] does, and tries again after a failure if `recovers` is true: an overloaded
    /// machine may be too slow or out of processes for a moment.
    ///
    /// # Errors
    /// The error of the last attempt.
    pub fn start_with_retries(
        player: &Player,
        setup: &EngineSetup<'_>,
        recovers: bool,
    ) -> Result<MatchEngine, EngineError> {
        let mut attempts = if recovers { START_ATTEMPTS } else { 1 };
        loop {
            let started = MatchEngine::start(player, setup);
            attempts -= 1;
            if started.is_ok() || attempts == 0 || setup.cancel.load(Ordering::Relaxed) {
                return started;
            }
            thread::sleep(START_PAUSE);
        }
    }

    fn send_options(&mut self) -> Result<(), EngineError> {
        for (name, value) in &self.options {
            self.driver.set_option(name, value)?;
        }
        Ok(())
    }

    /// Sets an option, after checking that the engine has it.
    ///
    /// # Errors
    /// If the engine has no such option, or the value is out of range.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        self.driver.set_option(name, value)
    }

    /// The player's name.
    pub fn name(&self) -> &str {
        match &self.driver {
            Driver::Uci(engine) => engine.name(),
            Driver::Xboard(engine) => engine.name(),
        }
    }

    /// The engine's name for itself, as UCI's `id name`.
    pub fn id(&self) -> Option<&str> {
        match &self.driver {
            Driver::Uci(engine) => engine.identity().name.as_deref(),
            Driver::Xboard(engine) => engine.id(),
        }
    }

    /// The lines that the engine printed when its options had been set.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The last lines of the session.
    pub fn transcript(&self) -> Vec<String> {
        match &self.driver {
            Driver::Uci(engine) => engine.transcript(),
            Driver::Xboard(engine) => engine.transcript(),
        }
    }

    /// True if the process can play another game.
    pub fn is_reusable(&self) -> bool {
        match &self.driver {
            // An engine that still ponders has not answered `stop` and may never do.
            Driver::Uci(_) => self.pondering.is_none(),
            Driver::Xboard(engine) => engine.is_reusable(),
        }
    }

    /// Prepares for a new game, after setting all options again if `resend_options` is true.
    ///
    /// # Errors
    /// If the engine does not answer, or cannot play from the start position of this game.
    pub fn new_game(
        &mut self,
        game: &Game,
        resend_options: bool,
        timeouts: &Timeouts,
    ) -> Result<(), EngineError> {
        if resend_options {
            self.send_options()?;
        }
        match &mut self.driver {
            Driver::Uci(engine) => {
                engine.send("ucinewgame");
                engine.is_ready(timeouts.ping())
            }
            Driver::Xboard(engine) => {
                engine.new_game(game.start(), &self.limits, self.chess960, timeouts.ping())
            }
        }
    }

    /// Lets the engine search for its move, or tells it that the opponent has played the move that it expected.
    ///
    /// # Errors
    /// If no move arrives within `timeout`; [`MatchEngine::stop`] then ends the search.
    pub fn search(
        &mut self,
        turn: &Turn<'_>,
        timeout: Duration,
        timeouts: &Timeouts,
        mut on_output: impl FnMut(SearchOutput),
    ) -> Result<Answer, EngineError> {
        let expected = self.pondering.take();
        let position = turn.game.position();
        match &mut self.driver {
            Driver::Uci(engine) => {
                if expected.is_some() && expected == turn.game.moves().last().copied() {
                    engine.send("ponderhit");
                    let best = engine.await_best_move(Instant::now(), timeout, |line| {
                        on_output(SearchOutput::Line(line.text));
                    })?;
                    let best = Some(EngineMove::of_uci(position, best));
                    return Ok(Answer { best, ping: None, ponder_hit: true });
                }
                if expected.is_some() {
                    engine.stop(timeouts.ping())?;
                }
                // With a time limit, the engine's clock must not run while it wakes up or reads the position.
                let mut commands = turn.go_command();
                let ping = if turn.limits.is_deterministic() {
                    commands = format!("{}\n{commands}", turn.position_command);
                    None
                } else {
                    engine.send(turn.position_command);
                    let sent = Instant::now();
                    engine.is_ready(timeouts.ping())?;
                    Some(sent.elapsed())
                };
                let best =
                    engine.search(&commands, timeout, |line| on_output(SearchOutput::Line(line.text)))?;
                Ok(Answer { best: Some(EngineMove::of_uci(position, best)), ping, ponder_hit: false })
            }
            Driver::Xboard(engine) => {
                let mut ping = None;
                if !engine.answers(turn.game) {
                    let sent = Instant::now();
                    engine.update(turn.game, timeouts.ping())?;
                    ping = (!turn.limits.is_deterministic()).then(|| sent.elapsed());
                }
                let on_info = |info| on_output(SearchOutput::Info(info));
                let best = match engine.search(turn.game, turn.own_and_other_clock(), timeout, on_info)? {
                    XboardAnswer::Move(best) => Some(best),
                    XboardAnswer::Resignation => None,
                };
                // The engine does not tell whether it expected the opponent's move.
                Ok(Answer { best, ping, ponder_hit: false })
            }
        }
    }

    /// Ends the search of an engine that is late.
    ///
    /// # Errors
    /// If it does not answer, either.
    pub fn stop(&mut self, timeouts: &Timeouts) -> Result<(), EngineError> {
        match &mut self.driver {
            Driver::Uci(engine) => engine.stop(timeouts.ping()).map(drop),
            Driver::Xboard(engine) => engine.move_now(timeouts.ping()).map(drop),
        }
    }

    /// True if the engine has the option `Ponder`, and it is on.
    fn can_ponder(&self) -> bool {
        let option = self.options.iter().rfind(|(name, _)| name.eq_ignore_ascii_case(PONDER));
        option.is_some_and(|(_, value)| value == "true")
    }

    /// Lets the engine ponder in the position of `turn`, which follows after the opponent's move that it expects. Has no effect on
    /// engines whose option `Ponder` is not on, and on xboard engines, which ponder by themselves.
    pub fn ponder(&mut self, turn: &Turn<'_>) {
        if !self.can_ponder() {
            return;
        }
        let Driver::Uci(engine) = &mut self.driver else { return };
        let go = turn.go_command().replacen("go", "go ponder", 1);
        engine.start_search(&format!("{}\n{go}", turn.position_command));
        self.pondering = turn.game.moves().last().copied();
    }

    /// Ends pondering.
    ///
    /// # Errors
    /// If the engine does not answer.
    pub fn stop_pondering(&mut self, timeouts: &Timeouts) -> Result<(), EngineError> {
        match &mut self.driver {
            Driver::Xboard(engine) => engine.stop_pondering(timeouts.ping()),
            Driver::Uci(_) if self.pondering.is_some() => {
                let stopped = self.stop(timeouts);
                if !stopped.as_ref().is_err_and(is_timeout) {
                    self.pondering = None;
                }
                stopped
            }
            Driver::Uci(_) => Ok(()),
        }
    }
}

impl Driver {
    /// Returns true if the engine has an option that accepts a value.
    fn accepts(&self, name: &str, value: &str) -> bool {
        match self {
            Driver::Uci(engine) => {
                engine.identity().option(name).is_some_and(|option| option.check(value).is_ok())
            }
            Driver::Xboard(engine) => engine.has_option(name),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        match self {
            Driver::Uci(engine) => engine.set_option(name, value),
            Driver::Xboard(engine) => engine.set_option(name, value),
        }
    }
}

/// Returns true if the error is that an engine took too long.
pub(super) fn is_timeout(error: &EngineError) -> bool {
    matches!(error.kind, EngineErrorKind::TimedOut { .. })
}
