//! Command-line arguments that name an engine or a UCI option.

use anyhow::{Context, Result};
use tabiya_uci_engine::EngineCommand;
use tabiya_workspace::build;

/// Parses `NAME=VALUE`; a value parser for clap.
///
/// # Errors
/// If the name or the `=` is missing.
pub(crate) fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

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
    fn parses_options() {
        assert_eq!(name_and_value("Hash=16"), Ok(("Hash".to_owned(), "16".to_owned())));
        assert_eq!(name_and_value("Path=a=b"), Ok(("Path".to_owned(), "a=b".to_owned())));
        assert_eq!(name_and_value("Path="), Ok(("Path".to_owned(), String::new())));
        assert!(name_and_value("Hash").is_err() && name_and_value("=1").is_err());
    }

    #[test]
    fn parses_engine_commands() {
        let command = engine_command("bin/engine --uci x").unwrap();
        assert_eq!((command.name.as_str(), command.arguments.len()), ("engine", 2));
        assert!(engine_command(" ").is_err());
    }
}
