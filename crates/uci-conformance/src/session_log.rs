//! Log of a UCI session: assigns each line to its search, and each search to its position.

use std::time::Instant;
use tabiya_movegen::Position;

/// A `go` command and its output.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// Searched position; `None` if the last `position` command could not be parsed.
    pub(crate) root: Option<Position>,
    /// Time at which `go` was sent.
    pub(crate) started: Instant,
    /// `info` lines, in order.
    pub(crate) info: Vec<String>,
    /// The `bestmove` line and its arrival time.
    pub(crate) best: Option<(BestMoveLine, Instant)>,
}

/// A parsed `bestmove` line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct BestMoveLine {
    pub(crate) best: String,
    pub(crate) ponder: Option<String>,
}

impl BestMoveLine {
    /// Parses a line that starts with `bestmove`.
    pub(crate) fn parse(line: &str) -> Option<BestMoveLine> {
        let mut words = line.split_whitespace();
        if words.next() != Some("bestmove") {
            return None;
        }
        let best = words.next().unwrap_or_default().to_owned();
        let ponder = words.skip_while(|&word| word != "ponder").nth(1).map(str::to_owned);
        Some(BestMoveLine { best, ponder })
    }

    /// Returns true if the line stands for "no move".
    pub(crate) fn is_none(&self) -> bool {
        matches!(self.best.as_str(), "0000" | "(none)" | "NULL")
    }
}

/// Log of a session.
#[derive(Debug)]
pub(crate) struct SessionLog {
    /// Lines outside searches, and lines of a search other than `info` and `bestmove`.
    pub(crate) other: Vec<String>,
    pub(crate) searches: Vec<Search>,
    /// Number of `bestmove` lines, including those outside searches.
    pub(crate) best_moves: usize,
    root: Option<Position>,
}

impl SessionLog {
    pub(crate) fn new() -> SessionLog {
        SessionLog {
            other: Vec::new(),
            searches: Vec::new(),
            best_moves: 0,
            root: Some(Position::startpos()),
        }
    }

    /// Records a line sent to the engine.
    pub(crate) fn sent(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("position") => self.root = read_position(line),
            Some("ucinewgame") => self.root = Some(Position::startpos()),
            // `go perft` is not a search.
            Some("go") if words.next() != Some("perft") => self.searches.push(Search {
                root: self.root.clone(),
                started: Instant::now(),
                info: Vec::new(),
                best: None,
            }),
            _ => {}
        }
    }

    /// Records a line from the engine.
    pub(crate) fn received(&mut self, line: &str, at: Instant) {
        let running = self.searches.last_mut().filter(|search| search.best.is_none());
        if let Some(best) = BestMoveLine::parse(line) {
            self.best_moves += 1;
            if let Some(search) = running {
                search.best = Some((best, at));
            }
        } else if let (Some(search), true) = (running, line.split_whitespace().next() == Some("info")) {
            search.info.push(line.to_owned());
        } else {
            self.other.push(line.to_owned());
        }
    }
}

/// Parses a `position` command; `None` if it is invalid.
fn read_position(line: &str) -> Option<Position> {
    let words: Vec<_> = line.split_whitespace().collect();
    let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut position = match words[1..moves].split_first()? {
        (&"startpos", []) => Position::startpos(),
        (&"fen", fields) => fields.join(" ").parse().ok()?,
        _ => return None,
    };
    for text in words.get(moves + 1..).unwrap_or_default() {
        let mv = position.parse_uci(text).ok()?;
        position.play_unchecked(mv);
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_belong_to_the_running_search() {
        let mut log = SessionLog::new();
        log.received("id name X", Instant::now());
        log.sent("position startpos moves e2e4");
        log.sent("go depth 1");
        log.received("info depth 1", Instant::now());
        log.received("readyok", Instant::now());
        log.received("bestmove e7e5 ponder g1f3", Instant::now());
        log.received("bestmove e7e5", Instant::now());
        log.received("info string late", Instant::now());
        assert_eq!(log.other, ["id name X", "readyok", "info string late"]);
        assert_eq!((log.searches.len(), log.best_moves), (1, 2));
        let search = &log.searches[0];
        assert_eq!(search.info, ["info depth 1"]);
        let (line, _) = search.best.clone().unwrap();
        assert_eq!((line.best.as_str(), line.ponder.as_deref()), ("e7e5", Some("g1f3")));
        let root = search.root.as_ref().unwrap().to_string();
        assert!(root.starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"), "{root}");
    }

    #[test]
    fn invalid_positions_are_unknown() {
        for line in ["position", "position moves e2e4", "position fen 8/8", "position startpos moves e2e5"] {
            assert!(read_position(line).is_none(), "{line}");
        }
        assert!(read_position("position fen 4k3/8/8/8/8/8/8/4K2R w K - moves e1g1").is_some());
    }
}
