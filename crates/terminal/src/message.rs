//! Text of messages to the user: errors on one line, counts, and quoted input.

use anyhow::Error;
use indicatif::HumanCount;
use std::fmt;
use tabiya_movegen::ReplayError;

/// An error and its causes on one line. A cause whose text the error already contains is left out.
pub fn error_text(error: &Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Returns a count with its noun, whose plural ends in `s`: `1 game`, `1,200 games`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", HumanCount(count), if count == 1 { "" } else { "s" })
}

/// An error of a game whose other moves are used, and what it costs if that is the rest of the game.
pub(crate) fn game_warning(error: &ReplayError) -> String {
    let cost = if error.ends_game { "; the moves from there on are left out" } else { "" };
    format!("{error}{cost}")
}

/// Displays input on one line: in quotes, control characters escaped, cut after 40 characters.
pub fn quote(text: &str) -> Quoted<'_> {
    Quoted(text)
}

/// See [`quote`].
pub struct Quoted<'a>(&'a str);

impl Quoted<'_> {
    const MAX_CHARS: usize = 40;
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0;
        let end = text.char_indices().nth(Self::MAX_CHARS).map_or(text.len(), |(at, _)| at);
        write!(f, "{:?}{}", &text[..end], if end < text.len() { "..." } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::Board;

    #[test]
    fn does_not_repeat_a_cause() {
        let cause = "8/8/8/8/8/8/8/8 w - - 0 1".parse::<Board>().unwrap_err();
        let error = Error::from(cause).context("cannot set up the position");
        assert_eq!(error_text(&error), format!("cannot set up the position: {cause}"));
    }

    #[test]
    fn counts_have_singular_and_plural() {
        assert_eq!([0, 1, 1200].map(|count| counted(count, "game")), ["0 games", "1 game", "1,200 games"]);
    }

    #[test]
    fn quotes_and_shortens_input() {
        assert_eq!(quote("a\n\"b\"\u{1b}").to_string(), r#""a\n\"b\"\u{1b}""#);
        assert_eq!(quote(&"é".repeat(41)).to_string(), format!("\"{}\"...", "é".repeat(40)));
    }
}
