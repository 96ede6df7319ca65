//! The lines of an xboard engine during a search.

use std::time::Duration;
use tabiya_uci_engine::{Info, InfoScore};

/// The score of a mate in 0 moves.
const MATE: i64 = 100_000;

/// Returns the move of a line: `move MOVE` or, as GNU Chess writes it, `NUMBER ... MOVE`.
pub(crate) fn move_text(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    match words.next()? {
        "move" => Some(words.next().unwrap_or_default()),
        number if number.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit()) => {
            (words.next()? == "...").then(|| words.next().unwrap_or_default())
        }
        _ => None,
    }
}

/// Reads a line of thinking output, `PLY SCORE TIME NODES PV`; `None` if a field is not a number.
///
/// A character behind the ply, as GNU Chess writes it, means that the time is in seconds.
pub(crate) fn thinking(line: &str) -> Option<Info> {
    let mut words = line.split_whitespace();
    let ply = words.next()?;
    let digits = ply.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = if digits == ply { 10 } else { 1000 };
    let depth = digits.parse().ok()?;
    let score: i64 = words.next()?.parse().ok()?;
    let time: u64 = words.next()?.parse().ok()?;
    let nodes = words.next()?.parse().ok()?;
    let score = match score.saturating_abs() - MATE {
        moves @ 0.. => InfoScore::Mate(i32::try_from(moves * score.signum()).ok()?),
        _ => InfoScore::Centipawns(i32::try_from(score).ok()?),
    };
    let time = Some(Duration::from_millis(time.saturating_mul(unit)));
    Some(Info { depth: Some(depth), score: Some(score), nodes: Some(nodes), time, ..Info::default() })
}

/// Checks that a line which starts with a number is thinking output.
///
/// # Errors
/// If it is not.
pub(crate) fn check_line(line: &str) -> Result<(), String> {
    let word = line.split_whitespace().next().unwrap_or_default();
    let is_result = matches!(word, "1-0" | "0-1" | "1/2-1/2");
    if !word.starts_with(|c: char| c.is_ascii_digit()) || is_result || move_text(line).is_some() {
        return Ok(());
    }
    thinking(line)
        .map(drop)
        .ok_or_else(|| "not thinking output (expected PLY SCORE TIME NODES PV)".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_moves() {
        for (line, expected) in [
            ("move e2e4", Some("e2e4")),
            ("  move O-O ", Some("O-O")),
            ("1. ... e7e5", Some("e7e5")),
            ("12 ... Nf3", Some("Nf3")),
            ("move", Some("")),
            ("moves e2e4", None),
            ("1. e2e4", None),
            ("Hint: e2e4", None),
            ("", None),
        ] {
            assert_eq!(move_text(line), expected, "{line:?}");
        }
    }

    #[test]
    fn reads_thinking_output() {
        let info = thinking("  9 156 1084 48000 Nf3 Nc6").unwrap();
        assert_eq!((info.depth, info.nodes), (Some(9), Some(48_000)));
        assert_eq!(info.score, Some(InfoScore::Centipawns(156)));
        assert_eq!(info.time, Some(Duration::from_millis(10_840)));
        assert_eq!(thinking("3& 5 2 77 d1d2").unwrap().time, Some(Duration::from_secs(2)));
        assert_eq!(thinking("7 100003 1 2\tQh7#").unwrap().score, Some(InfoScore::Mate(3)));
        assert_eq!(thinking("7 -100004 1 2").unwrap().score, Some(InfoScore::Mate(-4)));
        for line in ["", "move e2e4", "9 1.5 1 2 e4", "9 1 2", "x 1 2 3", "9 99999999999999999999 1 2"] {
            assert_eq!(thinking(line), None, "{line}");
        }
    }

    #[test]
    fn lines_that_start_with_a_number_are_thinking_output() {
        for line in ["5 10 20 30 e4", "move e2e4", "0-1 {Black mates}", "1. ... e7e5", "# 5 apples", ""] {
            assert_eq!(check_line(line), Ok(()), "{line}");
        }
        assert!(check_line("5 +0.31 20 30 e4").is_err() && check_line("3 plies").is_err());
    }
}
