//! Driver for xboard engines (Chess Engine Communication Protocol, version 2), for matches.
//!
//! The engine is in `force` mode except while it thinks, so that the runner decides about every move. An engine that ponders is
//! left out of `force` mode after its move: it thinks in its opponent's time, and answers the opponent's move by itself.
//!
//! Source: Tim Mann and H.G. Muller, "Chess Engine Communication Protocol".

use super::answer::{EngineMove, quoted};
use super::limits::{Clock, Limits, TimeControl};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tabiya_core::Move;
use tabiya_lab_common::referee::Fault;
use tabiya_movegen::{Game, Position};
use tabiya_uci_engine::xboard::{Features, thinking};
use tabiya_uci_engine::{EngineCommand, EngineError, EngineErrorKind, Info, ProcessorSet, Session};

/// Time that an engine gets to declare features, according to the protocol, unless it asks for more.
const FEATURE_TIMEOUT: Duration = Duration::from_secs(2);

/// Features that the driver uses, or whose commands it never sends. Others are rejected: moves in SAN, for one.
const SUPPORTED: [&str; 21] = [
    "analyze", "colors", "debug", "done", "draw", "ics", "memory", "myname", "name", "nps", "option", "ping",
    "playother", "reuse", "setboard", "sigint", "sigterm", "smp", "time", "usermove", "variants",
];

/// A running xboard engine.
pub(super) struct XboardEngine {
    session: Session,
    features: Features,
    /// Number of the last `ping`.
    pings: u32,
    /// Number of moves of the game that the engine knows.
    known_moves: usize,
    chess960: bool,
    /// True if the engine may ponder.
    ponders: bool,
    /// True if the engine is not in `force` mode after its move: it ponders and answers the opponent's move by itself.
    plays_on: bool,
}

/// An engine's answer to `go`.
pub(super) enum XboardAnswer {
    Move(EngineMove),
    /// The engine resigns.
    Resignation,
}

impl XboardEngine {
    /// Starts the program and reads its features.
    ///
    /// # Errors
    /// If it cannot be started, exits, or asks for more time for its features than `timeout`.
    pub(super) fn start(
        command: &EngineCommand,
        processors: Option<&ProcessorSet>,
        cancel: &Arc<AtomicBool>,
        timeout: Duration,
    ) -> Result<XboardEngine, EngineError> {
        let mut session = Session::spawn(command, processors)?;
        session.cancel_with(Arc::clone(cancel));
        let mut engine = XboardEngine {
            session,
            features: Features::default(),
            pings: 0,
            known_moves: 0,
            chess960: false,
            ponders: false,
            plays_on: false,
        };
        engine.send("xboard\nprotover 2");
        let start = Instant::now();
        while !engine.features.is_on("done") {
            // After `done=0`, the timeout for the features does not apply.
            let waits = engine.features.value("done").is_some();
            let allowed = if waits { timeout } else { FEATURE_TIMEOUT.min(timeout) };
            match engine.session.line(start + allowed, allowed, "\"feature done=1\"", false) {
                Ok(line) => {
                    for answer in engine.features.read(&line.text, |name| SUPPORTED.contains(&name)) {
                        engine.send(&answer);
                    }
                }
                // Engines of version 1 of the protocol declare nothing.
                Err(EngineError { kind: EngineErrorKind::TimedOut { .. }, .. }) if !waits => break,
                Err(error) => return Err(error),
            }
        }
        engine.send("easy\npost");
        engine.ping(timeout)?;
        Ok(engine)
    }

    /// The name used in messages.
    pub(super) fn name(&self) -> &str {
        self.session.name()
    }

    /// The engine's name for itself.
    pub(super) fn id(&self) -> Option<&str> {
        self.features.value("myname")
    }

    /// True if the process can play another game.
    pub(super) fn is_reusable(&self) -> bool {
        self.features.is_on("reuse")
    }

    /// The last lines of the session.
    pub(super) fn transcript(&self) -> Vec<String> {
        self.session.transcript()
    }

    fn send(&self, line: &str) {
        self.session.send(line.as_bytes());
    }

    /// Lets the engine ponder in later games, or not. It must be in no game.
    pub(super) fn set_pondering(&mut self, ponders: bool) {
        self.ponders = ponders;
    }

    /// Returns true if the engine has an option of this name: `Hash`, `Threads` and `Ponder` are commands of the protocol.
    pub(super) fn has_option(&self, name: &str) -> bool {
        match name {
            _ if name.eq_ignore_ascii_case("Ponder") => true,
            _ if name.eq_ignore_ascii_case("Hash") && self.features.is_on("memory") => true,
            _ if name.eq_ignore_ascii_case("Threads") && self.features.is_on("smp") => true,
            _ => self.features.option(name).is_some(),
        }
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If the engine has not declared it.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        // Check options take 1 or 0.
        let value = match value {
            "true" => "1",
            "false" => "0",
            other => other,
        };
        if name.eq_ignore_ascii_case("Ponder") {
            // `set_pondering` decides, and each game begins with `hard` or `easy`.
        } else if let Some(option) = self.features.option(name) {
            // Without a value, the option is a button.
            let assignment = if value.is_empty() { String::new() } else { format!("={value}") };
            self.send(&format!("option {option}{assignment}"));
        } else if self.has_option(name) {
            let command = if name.eq_ignore_ascii_case("Hash") { "memory" } else { "cores" };
            self.send(&format!("{command} {value}"));
        } else {
            let available = self.features.options().map(str::to_owned).collect();
            return Err(self
                .session
                .error(EngineErrorKind::NoSuchOption { name: name.to_owned(), available }));
        }
        Ok(())
    }

    /// Waits until all commands have been carried out, if the engine can tell.
    fn ping(&mut self, timeout: Duration) -> Result<(), EngineError> {
        if !self.features.is_on("ping") {
            return Ok(());
        }
        self.pings += 1;
        self.send(&format!("ping {}", self.pings));
        let expected = format!("pong {}", self.pings);
        let waiting_for = format!("{expected:?}");
        let deadline = Instant::now() + timeout;
        while self.session.line(deadline, timeout, &waiting_for, false)?.text.trim() != expected {}
        Ok(())
    }

    /// Sets up the start position and the limits of a game.
    ///
    /// # Errors
    /// If the engine lacks a feature that the game needs, or does not answer.
    pub(super) fn new_game(
        &mut self,
        start: &Position,
        limits: &Limits,
        chess960: bool,
        timeout: Duration,
    ) -> Result<(), EngineError> {
        self.known_moves = 0;
        self.chess960 = chess960;
        self.plays_on = false;
        self.send("new");
        if chess960 {
            self.require(self.features.lists("variants", "fischerandom"), "variant fischerandom")?;
            self.send("variant fischerandom");
        }
        self.send("force");
        if *start != Position::startpos() {
            self.require(self.features.is_on("setboard"), "setboard")?;
            self.send(&format!("setboard {start}"));
        }
        // `new` resets these in some engines.
        self.send(if self.ponders { "hard\npost" } else { "easy\npost" });
        for command in limit_commands(limits) {
            self.send(&command);
        }
        self.ping(timeout)
    }

    fn require(&self, has: bool, feature: &str) -> Result<(), EngineError> {
        if has {
            Ok(())
        } else {
            Err(self.session.error(EngineErrorKind::NoSuchFeature { name: feature.to_owned() }))
        }
    }

    /// Returns true if the engine has pondered and will answer the last move of the game by itself.
    pub(super) fn answers(&self, game: &Game) -> bool {
        self.plays_on && self.known_moves + 1 == game.moves().len()
    }

    /// Sends the moves that the engine does not know yet, and waits until it has read them.
    ///
    /// # Errors
    /// If it does not answer.
    pub(super) fn update(&mut self, game: &Game, timeout: Duration) -> Result<(), EngineError> {
        self.session.discard_lines();
        if std::mem::take(&mut self.plays_on) {
            self.send("force");
        }
        let commands = self.new_moves(game);
        if !commands.is_empty() {
            self.send(&commands.join("\n"));
        }
        self.ping(timeout)
    }

    /// Returns the commands for the moves that the engine does not know yet.
    fn new_moves(&mut self, game: &Game) -> Vec<String> {
        let word = if self.features.is_on("usermove") { "usermove " } else { "" };
        let moves = game.positions().zip(game.moves()).skip(self.known_moves);
        let commands = moves
            .map(|(position, &mv)| format!("{word}{}", move_text(position, mv, self.chess960)))
            .collect();
        self.known_moves = game.moves().len();
        commands
    }

    /// Returns the commands for the clocks, which are the engine's and the opponent's.
    fn clock_commands(&self, clocks: [Option<&Clock>; 2]) -> Vec<String> {
        match clocks {
            [Some(own), other] if self.features.is_on("time") => {
                let centiseconds = |clock: &Clock| clock.remaining().as_millis() / 10;
                let other = other.unwrap_or(own);
                vec![format!("time {}", centiseconds(own)), format!("otim {}", centiseconds(other))]
            }
            _ => Vec::new(),
        }
    }

    /// Sends `go` in a position that [`update`](XboardEngine::update) has set, or the opponent's move to an engine that
    /// [answers](XboardEngine::answers) it, and passes thinking output to `on_info`. `clocks` are the engine's
    /// and the opponent's.
    ///
    /// # Errors
    /// If no move arrives within `timeout`; [`move_now`](XboardEngine::move_now) then ends the search.
    pub(super) fn search(
        &mut self,
        game: &Game,
        clocks: [Option<&Clock>; 2],
        timeout: Duration,
        on_info: impl FnMut(Info),
    ) -> Result<XboardAnswer, EngineError> {
        let mut commands = self.clock_commands(clocks);
        if self.answers(game) {
            // The output of pondering.
            self.session.discard_lines();
            commands.extend(self.new_moves(game));
        } else {
            commands.push("go".to_owned());
        }
        self.send(&commands.join("\n"));
        self.await_move(game.position(), Instant::now(), timeout, on_info)
    }

    /// Ends pondering, at the end of a game.
    ///
    /// # Errors
    /// If the engine does not answer.
    pub(super) fn stop_pondering(&mut self, timeout: Duration) -> Result<(), EngineError> {
        if !std::mem::take(&mut self.plays_on) {
            return Ok(());
        }
        self.send("force");
        self.ping(timeout)
    }

    /// Ends the search with `?`.
    ///
    /// # Errors
    /// If no move arrives within `timeout`.
    pub(super) fn move_now(&mut self, timeout: Duration) -> Result<XboardAnswer, EngineError> {
        self.send("?");
        self.await_move(&Position::startpos(), Instant::now(), timeout, drop)
    }

    fn await_move(
        &mut self,
        position: &Position,
        start: Instant,
        timeout: Duration,
        mut on_info: impl FnMut(Info),
    ) -> Result<XboardAnswer, EngineError> {
        loop {
            let line = self.session.line(start + timeout, timeout, "\"move\"", false)?;
            let text = line.text.trim();
            let elapsed = line.at.saturating_duration_since(start);
            let result_comment = result_comment(text);
            if text == "resign" || result_comment.is_some_and(is_resignation) {
                return Ok(XboardAnswer::Resignation);
            }
            if result_comment.is_some() {
                // The engine considers the game over and would never move.
                let mv = Err(Fault::FalseClaim { text: quoted(text) });
                return Ok(XboardAnswer::Move(EngineMove { mv, ponder: None, elapsed }));
            }
            if let Some(mv) = text.strip_prefix("move ") {
                self.plays_on = self.ponders;
                if !self.ponders {
                    // The engine would answer the opponent's move at once.
                    self.send("force");
                }
                self.known_moves += 1;
                let mv = read_move(position, mv.trim());
                return Ok(XboardAnswer::Move(EngineMove { mv, ponder: None, elapsed }));
            }
            if let Some(info) = thinking(text) {
                on_info(info);
            }
        }
    }
}

/// Returns the commands for limits, of which there is at least one that the protocol has.
fn limit_commands(limits: &Limits) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(TimeControl { moves, base, increment }) = limits.clock {
        // At least a second: the true time is sent before each move.
        let seconds = base.div_ceil(1000).max(1);
        let minutes = seconds / 60;
        let base = match seconds % 60 {
            0 => minutes.to_string(),
            rest => format!("{minutes}:{rest:02}"),
        };
        commands.push(format!("level {} {base} {}", moves.unwrap_or(0), increment as f64 / 1000.0));
    }
    if let Some(milliseconds) = limits.movetime {
        commands.push(format!("st {}", milliseconds as f64 / 1000.0));
    }
    if let Some(depth) = limits.depth {
        commands.push(format!("sd {depth}"));
    }
    commands
}

/// Formats a move in coordinates; castling in Chess960 is `O-O` or `O-O-O`.
fn move_text(position: &Position, mv: Move, chess960: bool) -> String {
    let san = position.san(mv).to_string();
    if chess960 && san.starts_with("O-O") {
        return san.trim_end_matches(['+', '#']).to_owned();
    }
    mv.to_uci(false).to_string()
}

/// Reads an engine's move. Castling in Chess960, and moves of some engines, are in SAN.
fn read_move(position: &Position, text: &str) -> Result<Move, Fault> {
    position.parse_uci(text).or_else(|error| {
        let illegal = |_| Fault::IllegalMove { text: quoted(text), why: error.to_string() };
        position.parse_san(text).map_err(illegal)
    })
}

/// The comment of a result, such as `1-0 {White mates}`, from its brace on. `None` if the line is no result.
fn result_comment(text: &str) -> Option<&str> {
    let (result, comment) = text.split_once(' ')?;
    (matches!(result, "1-0" | "0-1" | "1/2-1/2") && comment.starts_with('{')).then_some(comment)
}

/// Returns true for the comment of a result by which the engine resigns, such as `{White resigns}`.
fn is_resignation(comment: &str) -> bool {
    comment.to_ascii_lowercase().contains("resign")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_with_that_word_are_resignations() {
        let resigns = |text: &str| result_comment(text).map(is_resignation);
        assert_eq!((resigns("0-1 {White resigns}"), resigns("1-0 {Resigned}")), (Some(true), Some(true)));
        assert_eq!((resigns("1-0 {White mates}"), resigns("1/2-1/2 {Draw}")), (Some(false), Some(false)));
        for text in ["move e2e4", "1 20 3 100 {e4}", "1-0", "telluser {I resign}"] {
            assert_eq!(resigns(text), None, "{text}");
        }
    }

    #[test]
    fn limits_become_commands() {
        let commands = |clock: &str| {
            limit_commands(&Limits { clock: Some(clock.parse().unwrap()), ..Limits::default() }).join(",")
        };
        assert_eq!(commands("40/5:00+1"), "level 40 5 1");
        assert_eq!(commands("90+0.5"), "level 0 1:30 0.5");
        assert_eq!(commands("0.2+0.01"), "level 0 0:01 0.01");
        let limits = Limits { movetime: Some(1500), depth: Some(7), ..Limits::default() };
        assert_eq!(limit_commands(&limits), ["st 1.5", "sd 7"]);
    }

    #[test]
    fn moves_are_written_and_read() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/6P1/R3K2R w KQkq - 0 1").unwrap();
        for (text, chess960, expected) in
            [("O-O", true, "O-O"), ("O-O-O", false, "e1c1"), ("g4", true, "g2g4")]
        {
            let mv = position.parse_san(text).unwrap();
            assert_eq!(move_text(&position, mv, chess960), expected);
        }
        for (text, expected) in [("e1g1", "O-O"), ("O-O", "O-O"), ("g4", "g4"), ("g2g4", "g4")] {
            let mv = read_move(&position, text).unwrap();
            assert_eq!(position.san(mv).to_string(), expected, "{text}");
        }
        for text in ["e1e5", "?"] {
            let illegal = read_move(&position, text);
            assert!(
                matches!(illegal, Err(Fault::IllegalMove { text: quoted, .. }) if quoted == text),
                "{text}"
            );
        }
    }
}
