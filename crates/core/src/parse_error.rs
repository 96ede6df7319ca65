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

pub(crate) use parse_error;
