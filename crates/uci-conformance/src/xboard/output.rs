//! The lines of an xboard engine during a search.

use tabiya_uci_engine::xboard::thinking;

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

/// Checks that a line which starts with a number is thinking output, unless it is a rank of a board diagram (`8 | R | N |`).
///
/// # Errors
/// If it is not.
pub(crate) fn check_line(line: &str) -> Result<(), String> {
    let mut words = line.split_whitespace();
    let word = words.next().unwrap_or_default();
    let is_result = matches!(word, "1-0" | "0-1" | "1/2-1/2");
    let is_diagram = words.next() == Some("|");
    if !word.starts_with(|c: char| c.is_ascii_digit()) || is_result || is_diagram || move_text(line).is_some()
    {
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
    fn lines_that_start_with_a_number_are_thinking_output() {
        for line in ["5 10 20 30 e4", "move e2e4", "0-1 {Black mates}", "1. ... e7e5", "# 5 apples", ""] {
            assert_eq!(check_line(line), Ok(()), "{line}");
        }
        assert_eq!(check_line("8 | *R | *N | *B |"), Ok(()));
        assert!(check_line("5 +0.31 20 30 e4").is_err() && check_line("3 plies").is_err());
    }
}
