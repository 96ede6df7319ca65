//! UCI: the position and the moves of a session.

pub(crate) mod output;

use crate::session_log::{BestMoveLine, Output, Reader};
use tabiya_movegen::Position;
use tabiya_uci_engine::{BestMove, Info};

/// Follows the `position` commands of a session.
pub(crate) struct UciReader {
    /// The position of the next search.
    root: Option<Position>,
    /// The position of the last search, which a later `position` does not change.
    searched: Option<Position>,
}

impl Default for UciReader {
    fn default() -> UciReader {
        UciReader { root: Some(Position::startpos()), searched: None }
    }
}

impl Reader for UciReader {
    fn sent(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("position") => self.root = read_position(line),
            Some("ucinewgame") => self.root = Some(Position::startpos()),
            // `go perft` is not a search.
            Some("go") if words.next() != Some("perft") => {
                self.searched.clone_from(&self.root);
                return true;
            }
            _ => {}
        }
        false
    }

    fn received(&mut self, line: &str) -> Output {
        match BestMove::parse(line) {
            Some(BestMove { best, ponder, .. }) => {
                Output::BestMove(BestMoveLine { legal: self.check(&best), text: best, ponder })
            }
            None => Info::parse(line).map_or(Output::Other, Output::Info),
        }
    }

    fn position(&self) -> Option<&Position> {
        self.root.as_ref()
    }

    fn move_command(&self, _text: &str) -> Result<String, String> {
        Err("UCI has no command for one move".to_owned())
    }
}

impl UciReader {
    fn check(&self, text: &str) -> Result<String, String> {
        let root = self.searched.as_ref().ok_or("the position of the script is invalid")?;
        match root.parse_uci(text) {
            Ok(_) => Ok(text.to_owned()),
            Err(error) => Err(format!("bestmove {text:?} in {root}: {error}")),
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
    fn invalid_positions_are_unknown() {
        for line in ["position", "position moves e2e4", "position fen 8/8", "position startpos moves e2e5"] {
            assert!(read_position(line).is_none(), "{line}");
        }
        assert!(read_position("position fen 4k3/8/8/8/8/8/8/4K2R w K - moves e1g1").is_some());
    }

    #[test]
    fn moves_are_checked_in_the_position() {
        let mut reader = UciReader::default();
        assert!(!reader.sent("position startpos moves e2e4") && reader.sent("go"));
        let best = |line: &str, reader: &mut UciReader| match reader.received(line) {
            Output::BestMove(best) => best.legal,
            other => panic!("{other:?}"),
        };
        assert_eq!(best("bestmove e7e5", &mut reader), Ok("e7e5".to_owned()));
        assert!(best("bestmove e2e4", &mut reader).is_err());
        // A position sent during the search is that of the next one.
        reader.sent("position startpos");
        assert_eq!(best("bestmove e7e5", &mut reader), Ok("e7e5".to_owned()));
        assert!(reader.sent("go depth 1"));
        assert_eq!(best("bestmove e2e4", &mut reader), Ok("e2e4".to_owned()));
        reader.sent("position fen 8/8");
        assert!(reader.sent("go"));
        assert!(best("bestmove e2e4", &mut reader).is_err());
    }
}
