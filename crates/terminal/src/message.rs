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

/// The errors of a game whose other moves are used: the first ones, the one that ends the game, and the number of the others. A file that is
/// no PGN has an error in each word.
#[derive(Default)]
pub(crate) struct GameWarnings {
    shown: Vec<String>,
    more: u64,
}

impl GameWarnings {
    /// Maximum number of errors that are shown, besides the one that ends the game.
    const MAX_SHOWN: usize = 10;

    pub(crate) fn push(&mut self, error: &ReplayError) {
        if error.ends_game {
            self.shown.push(format!("{error}; the moves from there on are left out"));
        } else if self.shown.len() < Self::MAX_SHOWN {
            self.shown.push(error.to_string());
        } else {
            self.more += 1;
        }
    }

    /// Returns a line for each error that is shown, and one for the others.
    pub(crate) fn lines(self) -> impl Iterator<Item = String> {
        let more = (self.more > 0).then(|| counted(self.more, "more error"));
        self.shown.into_iter().chain(more)
    }
}

impl<'a> FromIterator<&'a ReplayError> for GameWarnings {
    fn from_iter<T: IntoIterator<Item = &'a ReplayError>>(errors: T) -> GameWarnings {
        let mut warnings = GameWarnings::default();
        errors.into_iter().for_each(|error| warnings.push(error));
        warnings
    }
}

/// Quotes an argument of a command that the user may run, where the shell needs it.
pub(crate) fn shell_argument(text: &str) -> String {
    let plain = if cfg!(windows) { r"-_./=,:+@%\" } else { "-_./=,:+@%" };
    let is_plain = |c: char| c.is_alphanumeric() || plain.contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else if cfg!(windows) {
        // File names have no quotes there.
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
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
    use tabiya_movegen::GameTree;

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
    fn few_errors_of_a_game_are_shown() {
        let lines = |text: &str| {
            let broken = text.parse::<GameTree>().unwrap_err();
            broken.errors().collect::<GameWarnings>().lines().collect::<Vec<_>>()
        };
        let noise = "?x? ".repeat(30);
        assert_eq!(lines("1. e4 ?x? e5 *").len(), 1);
        let shown = lines(&format!("1. e4 {noise}e5 *"));
        assert_eq!((shown.len(), shown[10].as_str()), (11, "20 more errors"));
        let shown = lines(&format!("1. e4 {noise}Ke7 *"));
        assert_eq!(shown.len(), 12);
        assert!(shown[10].ends_with("; the moves from there on are left out"), "{shown:?}");
    }

    #[cfg(unix)]
    #[test]
    fn quotes_arguments_for_the_shell() {
        for (text, quoted) in [
            ("/home/anna/games", "/home/anna/games"),
            ("/home/anna/my games", "'/home/anna/my games'"),
            ("/anna's", r"'/anna'\''s'"),
            ("", "''"),
        ] {
            assert_eq!(shell_argument(text), quoted);
        }
    }

    #[test]
    fn quotes_and_shortens_input() {
        assert_eq!(quote("a\n\"b\"\u{1b}").to_string(), r#""a\n\"b\"\u{1b}""#);
        assert_eq!(quote(&"é".repeat(41)).to_string(), format!("\"{}\"...", "é".repeat(40)));
    }
}
