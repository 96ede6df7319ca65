//! Forwarding of commands to `tabiya-lab`.

use anyhow::{Context as _, Result};
use std::ffi::OsString;
use std::process::{Command, ExitCode};
use tabiya_workspace::lab_commands::LAB_COMMANDS;
use tabiya_workspace::repository;

/// Returns the arguments for `tabiya-lab`, or `None` if the command is not forwarded.
pub(crate) fn arguments(mut arguments: Vec<OsString>) -> Option<Vec<OsString>> {
    let is_forwarded = |name: &OsString| LAB_COMMANDS.iter().any(|&(command, _)| name == command);
    let is_help = arguments.first().is_some_and(|first| first == "help");
    let name = arguments.get(usize::from(is_help))?;
    if !is_forwarded(name) {
        return None;
    }
    if is_help {
        arguments.remove(0);
        arguments.insert(1, "--help".into());
    }
    Some(arguments)
}

/// The command that builds `tabiya-lab` in release mode and runs it.
fn command(arguments: &[OsString]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["run", "--quiet", "--release", "--package", "tabiya-lab", "--manifest-path"])
        .arg(repository::root().join("Cargo.toml"))
        .arg("--")
        .args(arguments);
    command
}

/// Replaces this process by `tabiya-lab`, which then handles signals, the standard streams and the exit code itself.
///
/// # Errors
/// If cargo cannot be started.
#[cfg(unix)]
pub(crate) fn run(arguments: &[OsString]) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command(arguments).exec()).context("cannot run cargo")
}

/// Runs `tabiya-lab` and returns its exit code. Ctrl-C reaches both processes; only `tabiya-lab` handles it.
///
/// # Errors
/// If cargo cannot be started.
#[cfg(not(unix))]
pub(crate) fn run(arguments: &[OsString]) -> Result<ExitCode> {
    ctrlc::set_handler(|| {}).context("cannot handle Ctrl-C")?;
    let status = command(arguments).status().context("cannot run cargo")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forwarded(line: &str) -> Option<Vec<OsString>> {
        arguments(line.split_whitespace().map(OsString::from).collect())
    }

    fn words(line: &str) -> Option<Vec<OsString>> {
        Some(line.split_whitespace().map(OsString::from).collect())
    }

    #[test]
    fn forwards_lab_commands_unchanged() {
        assert_eq!(forwarded("selfplay --sprt -- x"), words("selfplay --sprt -- x"));
        assert_eq!(forwarded("epd --help"), words("epd --help"));
    }

    #[test]
    fn forwards_help_of_lab_commands() {
        assert_eq!(forwarded("help tune"), words("tune --help"));
    }

    #[test]
    fn own_commands_are_not_forwarded() {
        for line in
            ["", "--help", "help", "help tidy", "tidy", "bench --check", "no-such-command", "--flag perft"]
        {
            assert_eq!(forwarded(line), None, "{line}");
        }
    }

    #[test]
    fn arguments_follow_the_separator() {
        let command = command(&words("perft --depth 3").unwrap());
        let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
        assert_eq!(arguments[arguments.len() - 4..], ["--", "perft", "--depth", "3"]);
    }
}
