//! Printing to standard output and standard error that may be closed.
//!
//! The macros of the standard library panic if the reader of a pipe has gone, as in `cargo xtask conformance --list |
//! head`. Those here end the process quietly if standard output is closed, and ignore a closed standard
//! error.

use std::fmt;
use std::io::{self, Write as _};

/// Exit code after a closed standard output: that which shells report for a process ended by SIGPIPE.
const CLOSED_PIPE: i32 = 128 + 13;

/// Prints to standard output; [`println!`](crate::println) calls it.
pub fn print(text: fmt::Arguments<'_>) {
    let Err(error) = io::stdout().lock().write_fmt(text) else { return };
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(CLOSED_PIPE);
    }
    print_error(format_args!("error: cannot write to standard output: {error}\n"));
    std::process::exit(1);
}

/// Prints to standard error; [`eprintln!`](crate::eprintln) calls it.
pub fn print_error(text: fmt::Arguments<'_>) {
    // There is no place left to report an error.
    let _ = io::stderr().lock().write_fmt(text);
}

/// [`std::print!`], but a closed standard output ends the process quietly.
#[macro_export]
macro_rules! print {
    ($($text:tt)*) => { $crate::terminal::print(::core::format_args!($($text)*)) };
}

/// [`std::println!`], but a closed standard output ends the process quietly.
#[macro_export]
macro_rules! println {
    () => { $crate::terminal::print(::core::format_args!("\n")) };
    ($($text:tt)*) => { $crate::terminal::print(::core::format_args!("{}\n", ::core::format_args!($($text)*))) };
}

/// [`std::eprintln!`], but a closed standard error is ignored.
#[macro_export]
macro_rules! eprintln {
    () => { $crate::terminal::print_error(::core::format_args!("\n")) };
    ($($text:tt)*) => {
        $crate::terminal::print_error(::core::format_args!("{}\n", ::core::format_args!($($text)*)))
    };
}
