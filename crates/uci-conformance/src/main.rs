//! Tests whether chess engines follow their protocol: see the README.

use clap::Parser;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// Exit code after a closed standard output: that which shells report for a process ended by SIGPIPE.
const CLOSED_PIPE: i32 = 128 + 13;

#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct CommandLine {
    #[command(flatten)]
    args: uci_conformance::ConformanceArgs,
}

fn main() -> ExitCode {
    let args = CommandLine::parse().args;
    match uci_conformance::run(&args, print) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // There is no place left to report an error of standard error.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints to standard output. If it is closed, as in `uci-conformance --list | head`, the process ends quietly.
fn print(text: &str) {
    let mut output = io::stdout().lock();
    let Err(error) = output.write_all(text.as_bytes()).and_then(|()| output.flush()) else { return };
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(CLOSED_PIPE);
    }
    let _ = writeln!(io::stderr(), "error: cannot write to standard output: {error}");
    std::process::exit(1);
}
