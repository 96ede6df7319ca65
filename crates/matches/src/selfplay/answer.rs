//! Output and moves of an engine, whatever protocol it speaks.

use std::time::Duration;
use tabiya_core::Move;
use tabiya_movegen::Position;
use tabiya_uci_engine::{BestMove, Info};

/// Output of an engine that searches.
#[derive(Clone, Debug)]
pub enum SearchOutput {
    /// A line of a UCI engine, which is not parsed while its clock runs.
    Line(String),
    /// Thinking output of an xboard engine.
    Info(Info),
}

/// The move of an engine.
#[derive(Debug)]
pub struct EngineMove {
    /// The move, or what the engine wrote instead of a legal one.
    pub mv: Result<Move, IllegalMove>,
    /// The answer that it expects, as text.
    pub ponder: Option<String>,
    /// Time from the start of the search to the arrival of the move.
    pub elapsed: Duration,
}

/// A text that is no legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    /// The text.
    pub text: String,
    /// The error.
    pub why: String,
}

/// An engine's answer.
pub struct Answer {
    /// Its move; `None` if it resigns, which only xboard engines do.
    pub best: Option<EngineMove>,
    /// Time between `isready` and `readyok` before the move, for engines with a time limit that did not ponder.
    pub ping: Option<Duration>,
    /// True if the engine pondered on the opponent's move.
    pub ponder_hit: bool,
}

impl EngineMove {
    /// Reads the move of a UCI engine.
    pub(super) fn of_uci(position: &Position, answer: BestMove) -> EngineMove {
        let mv = position.parse_uci(&answer.best);
        let mv = mv.map_err(|error| IllegalMove { text: answer.best, why: error.to_string() });
        EngineMove { mv, ponder: answer.ponder, elapsed: answer.elapsed }
    }
}
