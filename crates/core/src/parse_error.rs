//! Helpers for parsers of single values: their error types, and texts of one character.

/// Defines a unit-struct error for a [`FromStr`](core::str::FromStr), with a fixed message that says what was
/// expected.
macro_rules! parse_error {
    ($(#[$attribute:meta])* $name:ident, $message:literal) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name;

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str($message)
            }
        }

        impl core::error::Error for $name {}
    };
}

/// Returns the character of a text that consists of exactly one.
pub(crate) fn single_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

pub(crate) use parse_error;
