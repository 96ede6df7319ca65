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
use tabiya_uci_engine::{EngineError, EngineErrorKind, Line, UciEngine};

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
pub struct MatchEngine<'a> {
    driver: Driver,
    player: &'a Player,
    setup: EngineSetup<'a>,
    /// The options as set last, in the order in which they were set first.
    options: Vec<(String, String)>,
    /// The opponent's move that the engine expects while it ponders.
    pondering: Option<Move>,
    /// True if the process has been prepared for a game.
    has_played: bool,
    /// True if the engine did not end pondering when it was told to.
    is_broken: bool,
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

impl<'a> MatchEngine<'a> {
    /// Starts the engine, sets its options and waits for its answer.
    ///
    /// # Errors
    /// If it cannot be started, lacks one of the player's options, says that one failed, or does not answer.
    pub fn start(player: &'a Player, setup: &EngineSetup<'a>) -> Result<MatchEngine<'a>, EngineError> {
        let EngineSetup { chess960, ponder, timeouts, .. } = *setup;
        let driver = Driver::start(player, setup)?;
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
        let mut engine = MatchEngine {
            driver,
            player,
            setup: *setup,
            options,
            pondering: None,
            has_played: false,
            is_broken: false,
            notes: Vec::new(),
        };
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
        player: &'a Player,
        setup: &EngineSetup<'a>,
        recovers: bool,
    ) -> Result<MatchEngine<'a>, EngineError> {
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
        self.driver.set_option(name, value)?;
        match self.options.iter_mut().rfind(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, known)) => value.clone_into(known),
            None => self.options.push((name.to_owned(), value.to_owned())),
        }
        Ok(())
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
        let allows_reuse = match &self.driver {
            Driver::Uci(_) => true,
            Driver::Xboard(engine) => engine.is_reusable(),
        };
        allows_reuse && !self.is_broken
    }

    /// Prepares for a new game, after setting all options again if `resend_options` is true.
    ///
    /// A process that has exited after its last game is started again, since its exit is no fault of its play in this game; the
    /// exit is returned.
    ///
    /// # Errors
    /// If the engine does not answer, or cannot play from the start position of this game.
    pub fn new_game(
        &mut self,
        game: &Game,
        resend_options: bool,
        timeouts: &Timeouts,
    ) -> Result<Option<EngineErrorKind>, EngineError> {
        let exit = match self.prepare_game(game, resend_options, timeouts) {
            Err(error) if self.has_played && has_exited(&error) => {
                self.restart()?;
                self.prepare_game(game, resend_options, timeouts)?;
                Some(error.kind)
            }
            prepared => prepared.map(|()| None)?,
        };
        self.has_played = true;
        Ok(exit)
    }

    /// Starts the program again, with the same options.
    fn restart(&mut self) -> Result<(), EngineError> {
        let fresh = MatchEngine::start(self.player, &self.setup)?;
        *self = MatchEngine { options: std::mem::take(&mut self.options), ..fresh };
        self.send_options()
    }

    fn prepare_game(
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
                engine.new_game(game.start(), &self.player.limits, self.setup.chess960, timeouts.ping())
            }
        }
    }

    /// Tells the engine the position before its clock runs, unless it has pondered on it. With a time limit, waits until the engine
    /// has read the position and returns the time of its answer.
    ///
    /// # Errors
    /// If it does not answer. No search has begun, so this is no loss on time.
    pub fn set_position(
        &mut self,
        turn: &Turn<'_>,
        timeouts: &Timeouts,
    ) -> Result<Option<Duration>, EngineError> {
        let is_timed = !turn.limits.is_deterministic();
        let sent = match &mut self.driver {
            Driver::Uci(engine) => {
                let expected = self.pondering.take();
                if expected.is_some() && expected == turn.game.moves().last().copied() {
                    self.pondering = expected;
                    return Ok(None);
                }
                if expected.is_some() {
                    engine.stop(timeouts.ping())?;
                }
                if !is_timed {
                    // Sent with `go`, which saves the engine a wake-up.
                    return Ok(None);
                }
                engine.send(turn.position_command);
                let sent = Instant::now();
                engine.is_ready(timeouts.ping())?;
                sent
            }
            Driver::Xboard(engine) if engine.answers(turn.game) => return Ok(None),
            Driver::Xboard(engine) => {
                let sent = Instant::now();
                engine.update(turn.game, timeouts.ping())?;
                sent
            }
        };
        Ok(is_timed.then(|| sent.elapsed()))
    }

    /// Lets the engine search in the position of [`MatchEngine::set_position`], or tells it that the opponent has played the move
    /// that it expected.
    ///
    /// # Errors
    /// If no move arrives within `timeout`; [`MatchEngine::stop`] then ends the search.
    pub fn search(
        &mut self,
        turn: &Turn<'_>,
        timeout: Duration,
        mut on_output: impl FnMut(SearchOutput),
    ) -> Result<Answer, EngineError> {
        let position = turn.game.position();
        match &mut self.driver {
            Driver::Uci(engine) => {
                let on_line = |line: Line| on_output(SearchOutput::Line(line.text));
                let ponder_hit = self.pondering.take().is_some();
                let best = if ponder_hit {
                    engine.send("ponderhit");
                    engine.await_best_move(Instant::now(), timeout, on_line)?
                } else if turn.limits.is_deterministic() {
                    let commands = format!("{}\n{}", turn.position_command, turn.go_command());
                    engine.search(&commands, timeout, on_line)?
                } else {
                    engine.search(&turn.go_command(), timeout, on_line)?
                };
                Ok(Answer { best: Some(EngineMove::of_uci(position, best)), ponder_hit })
            }
            Driver::Xboard(engine) => {
                let on_info = |info| on_output(SearchOutput::Info(info));
                let best = match engine.search(turn.game, turn.own_and_other_clock(), timeout, on_info)? {
                    XboardAnswer::Move(best) => Some(best),
                    XboardAnswer::Resignation => None,
                };
                // The engine does not tell whether it expected the opponent's move.
                Ok(Answer { best, ponder_hit: false })
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
    /// If the engine does not answer. It is then no longer [reusable](MatchEngine::is_reusable).
    pub fn stop_pondering(&mut self, timeouts: &Timeouts) -> Result<(), EngineError> {
        let stopped = match &mut self.driver {
            Driver::Xboard(engine) => engine.stop_pondering(timeouts.ping()),
            Driver::Uci(_) if self.pondering.take().is_some() => self.stop(timeouts),
            Driver::Uci(_) => Ok(()),
        };
        self.is_broken |= stopped.is_err();
        stopped
    }
}

impl Driver {
    /// Starts the program and reads its options or features.
    fn start(player: &Player, setup: &EngineSetup<'_>) -> Result<Driver, EngineError> {
        let EngineSetup { timeouts, cancel, processors, .. } = *setup;
        match player.protocol {
            Protocol::Uci => {
                let mut engine = UciEngine::spawn_on(&player.command, processors)?;
                engine.cancel_with(Arc::clone(cancel));
                engine.handshake(timeouts.startup())?;
                Ok(Driver::Uci(engine))
            }
            Protocol::Xboard => XboardEngine::start(&player.command, processors, cancel, timeouts.startup())
                .map(Driver::Xboard),
        }
    }

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

/// Returns true if the error is that the process has exited or closed its output.
fn has_exited(error: &EngineError) -> bool {
    matches!(error.kind, EngineErrorKind::Exited { .. } | EngineErrorKind::Disconnected { .. })
}

#[cfg(all(test, unix))]
mod tests;
