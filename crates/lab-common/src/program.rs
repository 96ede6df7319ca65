//! The programs whose commands `cargo xtask` forwards.

use std::process::ExitCode;
use tabiya_workspace::lab_commands::Lab;

/// Returns the command line with the descriptions of the program's commands.
pub fn with_descriptions(command_line: clap::Command, lab: &Lab) -> clap::Command {
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
