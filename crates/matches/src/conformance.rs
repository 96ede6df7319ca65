//! `cargo xtask conformance`: tests engines for protocol conformance.

use anyhow::{Context as _, Result};
use tabiya_uci_engine::EngineCommand;
use tabiya_workspace::{build, repository};
pub use uci_conformance::ConformanceArgs;

/// Runs the command. If no engine is named, Tabiya is built from the working tree.
///
/// # Errors
/// If the checks cannot be read, an engine cannot be started, or an engine fails a check of at least the
/// given severity.
pub fn run(mut args: ConformanceArgs) -> Result<()> {
    if args.engines.is_empty() && !args.list {
        repository::sources().context("without the command of an engine, Tabiya is built")?;
        args.engines.push(EngineCommand::new(build::worktree()?));
    }
    uci_conformance::run(&args, |text| print!("{text}"))
}
