//! `cargo xtask conformance`: tests engines for protocol conformance.

use crate::engine_argument;
use anyhow::Result;

/// Test whether chess engines follow their protocol. If no engine is named, Tabiya is built from the working tree.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    args: uci_conformance::Args,
}

/// Runs the command.
///
/// # Errors
/// If the checks cannot be read, an engine cannot be started, or an engine fails a check of at least the
/// given severity.
pub fn run(mut command: Args) -> Result<()> {
    let args = &mut command.args;
    if args.engines.is_empty() && !args.list {
        args.engines.push(engine_argument::tabiya()?);
    }
    uci_conformance::run(args, |text| print!("{text}"))
}
