//! Helpers for parsers of single values: their error types, and conversions from and to letters.

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

/// Implements the conversions between a type and `char` with its `to_char` and `from_char`.
macro_rules! letter_conversions {
    ($type:ident, $error:ident) => {
        /// Calls `to_char`.
        impl From<$type> for char {
            #[inline]
            fn from(value: $type) -> char {
                value.to_char()
            }
        }

        /// Calls `from_char`.
        impl TryFrom<char> for $type {
            type Error = $error;

            #[inline]
            fn try_from(letter: char) -> Result<$type, $error> {
                $type::from_char(letter).ok_or($error)
            }
        }
    };
}

/// Returns the character of a text that consists of exactly one.
pub(crate) fn single_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

pub(crate) use {letter_conversions, parse_error};
