//! Patterns of lines.

use super::owned;
use crate::session_log::Output;
use std::fmt;

/// Pattern of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pattern {
    /// The engine's move, with a condition on it.
    BestMove(BestMove),
    /// A line about the progress of a search.
    Thinking,
    /// A line that starts with these words, or with one of several such lists.
    Words(Vec<Vec<String>>),
}

/// Condition on the best move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BestMove {
    /// Any text.
    Any,
    /// A legal move.
    Legal,
    /// `0000`, `(none)` or `NULL`.
    None,
    /// One of these moves.
    OneOf(Vec<String>),
}

impl Pattern {
    /// Parses a pattern: `bestmove` (UCI) and `move` (xboard) have conditions, `|` separates alternatives.
    pub(super) fn parse(text: &str) -> Result<Pattern, String> {
        let words: Vec<_> = text.split_whitespace().collect();
        match words.as_slice() {
            ["bestmove" | "move"] => Ok(Pattern::BestMove(BestMove::Any)),
            ["bestmove" | "move", "legal"] => Ok(Pattern::BestMove(BestMove::Legal)),
            ["bestmove", "none"] => Ok(Pattern::BestMove(BestMove::None)),
            ["bestmove" | "move", moves @ ..] => Ok(Pattern::BestMove(BestMove::OneOf(owned(moves)))),
            ["thinking"] => Ok(Pattern::Thinking),
            words => {
                let alternatives: Vec<_> = words.split(|&word| word == "|").map(owned).collect();
                if alternatives.iter().any(Vec::is_empty) {
                    return Err("expected the first words of a line".to_owned());
                }
                Ok(Pattern::Words(alternatives))
            }
        }
    }

    /// Returns true if the pattern fits the line, regardless of the condition on a move.
    pub(crate) fn matches(&self, line: &str, output: &Output) -> bool {
        match self {
            Pattern::BestMove(_) => matches!(output, Output::BestMove(_)),
            Pattern::Thinking => matches!(output, Output::Info(_)),
            Pattern::Words(alternatives) => alternatives.iter().any(|words| {
                let mut found = line.split_whitespace();
                words.iter().all(|word| found.next() == Some(word))
            }),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::BestMove(_) => f.write_str("move of the engine"),
            Pattern::Thinking => f.write_str("line about the search"),
            Pattern::Words(alternatives) => {
                let alternatives: Vec<_> =
                    alternatives.iter().map(|words| format!("{:?}", words.join(" "))).collect();
                f.write_str(&alternatives.join(" or "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_match_the_start_of_a_line() {
        let pattern = Pattern::parse("Illegal | Error (x):").unwrap();
        for line in ["Illegal move: e2e5", " Error  (x): y", "Illegal"] {
            assert!(pattern.matches(line, &Output::Other), "{line}");
        }
        for line in ["illegal move", "Error", "Illegally", ""] {
            assert!(!pattern.matches(line, &Output::Other), "{line}");
        }
        assert_eq!(pattern.to_string(), "\"Illegal\" or \"Error (x):\"");
    }

    #[test]
    fn patterns_are_not_empty() {
        for text in ["", "|", "a |", "| a", "a | | b"] {
            assert!(Pattern::parse(text).is_err(), "{text}");
        }
    }
}
