//! Terminal colours.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal};

/// Returns true if standard output is a terminal with colours, unless `NO_COLOR` (<https://no-color.org>) is
/// set.
pub(crate) fn use_colors() -> bool {
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !no_color && !is_dumb_terminal()
}

/// Returns true if the terminal understands no control sequences.
pub(crate) fn is_dumb_terminal() -> bool {
    env::var_os("TERM").is_some_and(|term| ["dumb", "emacs", "cons25"].into_iter().any(|dumb| term == dumb))
}

fn styled(text: impl Display, code: &str) -> String {
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

pub(crate) fn bold(text: impl Display) -> String {
    styled(text, "1")
}

pub(crate) fn bold_yellow(text: impl Display) -> String {
    styled(text, "1;33")
}

pub(crate) fn bold_cyan(text: impl Display) -> String {
    styled(text, "1;36")
}

pub(crate) fn green(text: impl Display) -> String {
    styled(text, "32")
}

pub(crate) fn red(text: impl Display) -> String {
    styled(text, "31")
}

pub(crate) fn reversed(text: impl Display) -> String {
    styled(text, "7")
}

pub(crate) fn reversed_yellow(text: impl Display) -> String {
    styled(text, "1;7;33")
}

pub(crate) fn reversed_cyan(text: impl Display) -> String {
    styled(text, "1;7;36")
}

/// Replaces control characters, which could change the terminal's state, by spaces.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
