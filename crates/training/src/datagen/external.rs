//! A UCI engine that plays the games instead of this program's own search.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::time::Duration;
use tabiya_core::Move;
use tabiya_files::input;
use tabiya_lab_common::engine_score;
use tabiya_movegen::Game;
use tabiya_search::Score;
use tabiya_uci_engine::{EngineCommand, Info, UciEngine};
use tabiya_workspace::fingerprint::fingerprint;

/// The longest wait for the start of the engine and for its answer to the options. A program that is no UCI engine may say nothing.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest wait for another answer. A search has no time limit, so this only ends a run whose engine hangs.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Largest size of a program whose hash is kept, in bytes.
const MAX_PROGRAM: u64 = 1 << 30;

/// The option that engines need for games of Chess960.
const CHESS960_OPTION: &str = "UCI_Chess960";

/// The engine's program and settings.
#[derive(Clone, Debug)]
pub(super) struct ExternalSettings {
    pub(super) program: PathBuf,
    pub(super) options: Vec<(String, String)>,
    /// Nodes of each search.
    pub(super) nodes: u32,
    /// True if some games are of Chess960.
    pub(super) chess960: bool,
}

impl ExternalSettings {
    /// The program's name, hash and options, which determine its moves.
    ///
    /// # Errors
    /// If the program cannot be read.
    pub(super) fn identity(&self) -> Result<String> {
        let command = EngineCommand::new(&self.program);
        let path = command.find_program().context("cannot find the engine")?;
        let bytes = input::read(&path, MAX_PROGRAM)
            .with_context(|| format!("cannot read the engine {}", path.display()))?;
        let mut text = format!("{} {:016x}", command.name, fingerprint(&bytes));
        for (option, value) in &self.options {
            text += &format!(" {option}={value}");
        }
        Ok(text)
    }
}

/// A running engine.
pub(super) struct ExternalEngine {
    engine: UciEngine,
    nodes: u32,
    chess960: bool,
}

impl ExternalEngine {
    /// Starts the program and sets its options.
    ///
    /// # Errors
    /// If it cannot be started, is no UCI engine or has not an option, or if it cannot play Chess960 and games need that.
    pub(super) fn start(settings: &ExternalSettings) -> Result<ExternalEngine> {
        let mut engine = UciEngine::start(&EngineCommand::new(&settings.program), STARTUP_TIMEOUT)?;
        for (name, value) in &settings.options {
            engine.set_option(name, value)?;
        }
        if settings.chess960 {
            if engine.identity().option(CHESS960_OPTION).is_none() {
                bail!(
                    "{} cannot play Chess960 (it has no option {CHESS960_OPTION}); use --mix 1:0:0",
                    engine.name()
                );
            }
            engine.set_option(CHESS960_OPTION, "true")?;
        }
        engine.confirm_options(STARTUP_TIMEOUT)?;
        Ok(ExternalEngine { engine, nodes: settings.nodes, chess960: settings.chess960 })
    }

    /// Makes the engine forget the games before.
    ///
    /// # Errors
    /// If it does not answer.
    pub(super) fn new_game(&mut self) -> Result<()> {
        self.engine.send("ucinewgame");
        Ok(self.engine.is_ready(TIMEOUT)?)
    }

    /// Returns the engine's move with its last score, from the point of view of the side to move.
    ///
    /// # Errors
    /// If it ends, does not answer, or answers with an illegal move or without a score.
    pub(super) fn search(&mut self, game: &Game) -> Result<(Move, Score)> {
        let mut command = format!("position fen {} moves", game.start());
        for mv in game.moves() {
            command += &format!(" {}", mv.to_uci(self.chess960));
        }
        let mut last = None;
        let command = format!("{}\ngo nodes {}", command.trim_end_matches(" moves"), self.nodes);
        let best = self.engine.search(&command, TIMEOUT, |line| {
            let info = Info::parse(&line.text).filter(|info| info.multipv.is_none_or(|number| number == 1));
            last = info.and_then(|info| info.score).or(last);
        })?;
        let (name, position) = (self.engine.name(), game.position());
        let text = best.mv().with_context(|| format!("{name} played no move in {position}"))?;
        let mv = position.parse_uci(text).with_context(|| format!("{name} played {text:?} in {position}"))?;
        let score = last.with_context(|| format!("{name} gave no score in {position}"))?;
        Ok((mv, engine_score::score(score)))
    }
}
