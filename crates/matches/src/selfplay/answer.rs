//! Output and moves of an engine, whatever protocol it speaks.

use std::time::Duration;
use tabiya_core::Move;
use tabiya_lab_common::referee::Fault;
use tabiya_movegen::Position;
use tabiya_uci_engine::{BestMove, Info};

/// Longest text of an engine in the message about a fault, in characters: it may have any length.
const MAX_QUOTED: usize = 40;

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
    /// The move, or the fault if the engine wrote no legal one.
    pub mv: Result<Move, Fault>,
    /// The answer that it expects, as text.
    pub ponder: Option<String>,
    /// Time from the start of the search to the arrival of the move.
    pub elapsed: Duration,
}

/// An engine's answer.
pub struct Answer {
    /// Its move; `None` if it resigns, which only xboard engines do.
    pub best: Option<EngineMove>,
    /// True if the engine pondered on the opponent's move.
    pub ponder_hit: bool,
}

impl EngineMove {
    /// Reads the move of a UCI engine.
    pub(super) fn of_uci(position: &Position, answer: BestMove) -> EngineMove {
        let mv = position.parse_uci(&answer.best);
        let illegal = |error| Fault::IllegalMove { text: quoted(&answer.best), why: format!("{error}") };
        EngineMove { mv: mv.map_err(illegal), ponder: answer.ponder, elapsed: answer.elapsed }
    }
}

/// Shortens an engine's text for the message about a fault.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shortened() {
        for (text, expected) in [
            ("e2e5".to_owned(), "e2e5".to_owned()),
            ("a".repeat(MAX_QUOTED), "a".repeat(MAX_QUOTED)),
            ("♞".repeat(300_000), format!("{}...", "♞".repeat(MAX_QUOTED))),
        ] {
            let answer = BestMove { best: text, ponder: None, elapsed: Duration::ZERO };
            let Err(Fault::IllegalMove { text, .. }) = EngineMove::of_uci(&Position::startpos(), answer).mv
            else {
                panic!("{expected} is no move");
            };
            assert_eq!(text, expected);
        }
    }
}
