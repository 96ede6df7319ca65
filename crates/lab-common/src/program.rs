//! The programs whose commands `cargo xtask` forwards.

use std::process::ExitCode;
use tabiya_workspace::lab_commands::Lab;
use tabiya_workspace::repository;

/// The words that a user types before a command of the program.
pub fn invocation(lab: &Lab) -> &'static str {
    if repository::is_installed() { lab.package } else { "cargo xtask" }
}

/// Returns the command line with the program's name and the descriptions of its commands.
pub fn with_descriptions(command_line: clap::Command, lab: &Lab) -> clap::Command {
    let command_line = command_line.bin_name(invocation(lab));
    lab.commands.iter().fold(command_line, |command_line, &(name, about)| {
        command_line.mut_subcommand(name, |command| command.about(about).long_about(None))
    })
}

/// Prints the error of a command, if any, and returns the exit code of the program.
pub fn exit_code(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
