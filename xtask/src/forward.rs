//! Forwarding of commands to the developer programs, `tabiya-matches` and `tabiya-training`.

use anyhow::{Context as _, Result};
use std::ffi::OsString;
use std::process::{Command, ExitCode};
use tabiya_workspace::lab_commands::Lab;
use tabiya_workspace::{build, repository};

/// Returns the program to which a command is forwarded, with its arguments, or `None` if the command is not forwarded.
pub(crate) fn target(mut arguments: Vec<OsString>) -> Option<(Lab, Vec<OsString>)> {
    let is_help = arguments.first().is_some_and(|first| first == "help");
    let lab = Lab::with_command(arguments.get(usize::from(is_help))?.to_str()?)?;
    if is_help {
        arguments.remove(0);
        arguments.insert(1, "--help".into());
    }
    Some((lab, arguments))
}

/// The command that builds a program with its profile and runs it. Cargo shows what it builds and what it waits for.
fn command(lab: Lab, arguments: &[OsString]) -> Command {
    let mut command = build::cargo();
    command
        .args([
            "run", "--profile", lab.profile, "--package", lab.package, "--bin", lab.package,
            "--manifest-path",
        ])
        .arg(repository::root().join("Cargo.toml"))
        .arg("--")
        .args(arguments);
    command
}

/// Replaces this process by the program, which then handles signals, the standard streams and the exit code itself.
///
/// # Errors
/// If cargo cannot be started.
#[cfg(unix)]
pub(crate) fn run(lab: Lab, arguments: &[OsString]) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command(lab, arguments).exec()).context("cannot run cargo")
}

/// Runs the program and returns its exit code. Ctrl-C reaches both processes; only the program handles it.
///
/// # Errors
/// If cargo cannot be started.
#[cfg(not(unix))]
pub(crate) fn run(lab: Lab, arguments: &[OsString]) -> Result<ExitCode> {
    tabiya_signals::handle(|_| {}).context("cannot handle Ctrl-C")?;
    let status = command(lab, arguments).status().context("cannot run cargo")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_workspace::lab_commands::{MATCHES, TRAINING};

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn forwarded(line: &str) -> Option<(Lab, Vec<OsString>)> {
        target(words(line))
    }

    #[test]
    fn forwards_lab_commands_unchanged() {
        assert_eq!(forwarded("selfplay --sprt -- x"), Some((MATCHES, words("selfplay --sprt -- x"))));
        assert_eq!(forwarded("datagen --help"), Some((TRAINING, words("datagen --help"))));
    }

    #[test]
    fn forwards_help_of_lab_commands() {
        assert_eq!(forwarded("help tune"), Some((TRAINING, words("tune --help"))));
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
        let command = command(MATCHES, &words("perft --depth 3"));
        let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
        assert_eq!(arguments[arguments.len() - 4..], ["--", "perft", "--depth", "3"]);
    }
}
