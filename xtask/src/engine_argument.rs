//! Engines and their options as arguments of commands.

use crate::build;
use crate::uci_engine::EngineCommand;
use anyhow::{Context, Result};

/// Reads `NAME=VALUE`, for clap.
///
/// # Errors
/// When there is no name, or no `=`.
pub(crate) fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// The engine that `text` starts: a program and its arguments, divided by white space.
///
/// # Errors
/// When there is no word at all.
pub(crate) fn engine_command(text: &str) -> Result<EngineCommand> {
    let mut words = text.split_whitespace();
    let program = words.next().context("an engine's command is empty")?;
    Ok(EngineCommand { arguments: words.map(str::to_owned).collect(), ..EngineCommand::new(program) })
}

/// Tabiya itself, built from the working tree.
///
/// # Errors
/// When it does not build.
pub(crate) fn tabiya() -> Result<EngineCommand> {
    build::worktree().map(EngineCommand::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_a_name_and_a_value() {
        assert_eq!(name_and_value("Hash=16"), Ok(("Hash".to_owned(), "16".to_owned())));
        assert_eq!(name_and_value("Path=a=b"), Ok(("Path".to_owned(), "a=b".to_owned())));
        assert_eq!(name_and_value("Path="), Ok(("Path".to_owned(), String::new())));
        assert!(name_and_value("Hash").is_err() && name_and_value("=1").is_err());
    }

    #[test]
    fn engines_are_a_program_and_arguments() {
        let command = engine_command("bin/engine --uci x").unwrap();
        assert_eq!((command.name.as_str(), command.arguments.len()), ("engine", 2));
        assert!(engine_command(" ").is_err());
    }
}
