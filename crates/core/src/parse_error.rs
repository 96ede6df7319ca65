/// Defines the error of a [`FromStr`](core::str::FromStr) that can only say what it expects.
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

/// Conversions between a type with a letter of its own and that letter.
macro_rules! letter_conversions {
    ($type:ident, $error:ident) => {
        /// As `to_char` does.
        impl From<$type> for char {
            #[inline]
            fn from(value: $type) -> char {
                value.to_char()
            }
        }

        /// As `from_char` does.
        impl TryFrom<char> for $type {
            type Error = $error;

            #[inline]
            fn try_from(letter: char) -> Result<$type, $error> {
                $type::from_char(letter).ok_or($error)
            }
        }
    };
}

pub(crate) use {letter_conversions, parse_error};
