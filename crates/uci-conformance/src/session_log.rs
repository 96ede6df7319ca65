//! Log of a session: assigns each line to its search, and each search to its position.

use std::time::Instant;
use tabiya_movegen::Position;
use tabiya_uci_engine::Info;

/// A search and its output.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// Searched position; `None` if the last command that set it could not be parsed.
    pub(crate) root: Option<Position>,
    /// Time at which the command that starts the search was sent.
    pub(crate) started: Instant,
    /// Lines about the progress of the search, in order.
    pub(crate) lines: Vec<String>,
    /// The content of these lines.
    pub(crate) info: Vec<Info>,
    /// The move and its arrival time.
    pub(crate) best: Option<(BestMoveLine, Instant)>,
}

/// A parsed line with the engine's move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BestMoveLine {
    /// The move as the engine writes it.
    pub(crate) text: String,
    /// The move as checks write it, or the reason why it is not legal.
    pub(crate) legal: Result<String, String>,
    /// The expected reply.
    pub(crate) ponder: Option<String>,
}

impl BestMoveLine {
    /// Returns true if the line stands for "no move".
    pub(crate) fn is_none(&self) -> bool {
        matches!(self.text.as_str(), "0000" | "(none)" | "NULL")
    }
}

/// The meaning of a line from an engine.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Output {
    /// The engine's move.
    BestMove(BestMoveLine),
    /// Progress of the search.
    Info(Info),
    Other,
}

/// A protocol as the log needs it: it follows the position and finds moves and progress in the engine's lines.
pub(crate) trait Reader {
    /// Follows a line sent to the engine. Returns true if it starts a search.
    fn sent(&mut self, line: &str) -> bool;

    /// Reads a line from the engine.
    fn received(&mut self, line: &str) -> Output;

    /// The position to search; `None` if it is not known.
    fn position(&self) -> Option<&Position>;

    /// Returns the line that sends a move, given in coordinates, `O-O`, or as `any` for some legal move.
    ///
    /// # Errors
    /// If the protocol has no such line, or there is no legal move.
    fn move_command(&self, text: &str) -> Result<String, String>;
}

/// Log of a session.
pub(crate) struct SessionLog {
    /// Lines outside searches, and lines of a search other than progress and move.
    pub(crate) other: Vec<String>,
    pub(crate) searches: Vec<Search>,
    /// Number of lines with a move, including those outside searches.
    pub(crate) best_moves: usize,
    reader: Box<dyn Reader>,
}

impl SessionLog {
    pub(crate) fn new(reader: Box<dyn Reader>) -> SessionLog {
        SessionLog { other: Vec::new(), searches: Vec::new(), best_moves: 0, reader }
    }

    /// Records a line sent to the engine.
    pub(crate) fn sent(&mut self, line: &str) {
        if self.reader.sent(line) {
            self.searches.push(Search {
                root: self.reader.position().cloned(),
                started: Instant::now(),
                lines: Vec::new(),
                info: Vec::new(),
                best: None,
            });
        }
    }

    /// Records a line from the engine and returns its meaning.
    pub(crate) fn received(&mut self, line: &str, at: Instant) -> Output {
        let output = self.reader.received(line);
        let running = self.searches.last_mut().filter(|search| search.best.is_none());
        match (&output, running) {
            (Output::BestMove(best), running) => {
                self.best_moves += 1;
                if let Some(search) = running {
                    search.best = Some((best.clone(), at));
                }
            }
            (Output::Info(info), Some(search)) => {
                search.lines.push(line.to_owned());
                search.info.push(info.clone());
            }
            _ => self.other.push(line.to_owned()),
        }
        output
    }

    /// Returns the line that sends a move.
    pub(crate) fn move_command(&self, text: &str) -> Result<String, String> {
        self.reader.move_command(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::UciReader;

    #[test]
    fn lines_belong_to_the_running_search() {
        let mut log = SessionLog::new(Box::new(UciReader::default()));
        let received = |log: &mut SessionLog, line: &str| drop(log.received(line, Instant::now()));
        received(&mut log, "id name X");
        log.sent("position startpos moves e2e4");
        log.sent("go depth 1");
        for line in
            ["info depth 1", "readyok", "bestmove e7e5 ponder g1f3", "bestmove e7e5", "info string late"]
        {
            received(&mut log, line);
        }
        assert_eq!(log.other, ["id name X", "readyok", "info string late"]);
        assert_eq!((log.searches.len(), log.best_moves), (1, 2));
        let search = &log.searches[0];
        assert_eq!(search.lines, ["info depth 1"]);
        let (line, _) = search.best.clone().unwrap();
        assert_eq!((line.text.as_str(), line.ponder.as_deref()), ("e7e5", Some("g1f3")));
        let root = search.root.as_ref().unwrap().to_string();
        assert!(root.starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"), "{root}");
    }
}
