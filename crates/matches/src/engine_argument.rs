//! Command-line arguments that name an engine.

use anyhow::{Context, Result};
use tabiya_uci_engine::EngineCommand;
use tabiya_workspace::build;

/// Parses an engine command: a program and its arguments, separated by white space.
///
/// # Errors
/// If the text is blank.
pub(crate) fn engine_command(text: &str) -> Result<EngineCommand> {
    let mut parts = text.split_whitespace();
    let program = parts.next().context("the engine command is empty")?;
    Ok(EngineCommand { arguments: parts.map(str::to_owned).collect(), ..EngineCommand::new(program) })
}

/// Builds Tabiya from the working tree and returns the command that starts it.
///
/// # Errors
/// If the build fails.
pub(crate) fn tabiya() -> Result<EngineCommand> {
    build::worktree().map(EngineCommand::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_engine_commands() {
        let command = engine_command("bin/engine --uci x").unwrap();
        assert_eq!((command.name.as_str(), command.arguments.len()), ("engine", 2));
        assert!(engine_command(" ").is_err());
    }
}
