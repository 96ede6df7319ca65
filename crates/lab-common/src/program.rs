//! The programs whose commands `cargo xtask` forwards.

use std::ffi::OsString;
use std::process::ExitCode;
use tabiya_workspace::lab_commands::Lab;
use tabiya_workspace::repository;

/// The words that a user types before a command of the program.
pub fn invocation(lab: &Lab) -> &'static str {
    if repository::is_installed() { lab.package } else { "cargo xtask" }
}

/// Returns a command of the program with these arguments, as text for a POSIX shell. Bytes that are not UTF-8 are replaced.
pub fn command_text(lab: &Lab, arguments: impl Iterator<Item = OsString>) -> String {
    arguments
        .fold(invocation(lab).to_owned(), |text, argument| text + " " + &quoted(&argument.to_string_lossy()))
}

/// Quotes an argument for a POSIX shell, where necessary.
pub fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

/// Returns the command line with the program's name and version and the descriptions of its commands.
pub fn with_descriptions(command_line: clap::Command, lab: &Lab) -> clap::Command {
    let command_line = command_line.bin_name(invocation(lab)).display_name(lab.package);
    let command_line = command_line.version(env!("CARGO_PKG_VERSION"));
    let command_line = lab.commands.iter().fold(command_line, |command_line, &(name, about)| {
        command_line.mut_subcommand(name, |command| command.about(about).long_about(None))
    });
    if repository::is_installed() { with_installed_names(command_line) } else { command_line }
}

/// Names the installed programs in the help of a command and its subcommands.
fn with_installed_names(mut command: clap::Command) -> clap::Command {
    if let Some(text) = command.get_after_help().map(installed_names) {
        command = command.after_help(text);
    }
    let command = command.mut_args(|mut argument| {
        if let Some(text) = argument.get_help().map(installed_names) {
            argument = argument.help(text);
        }
        if let Some(text) = argument.get_long_help().map(installed_names) {
            argument = argument.long_help(text);
        }
        argument
    });
    command.mut_subcommands(with_installed_names)
}

/// Replaces `cargo xtask COMMAND` by the program that has the command.
fn installed_names(text: &impl ToString) -> String {
    let text = text.to_string();
    let mut parts = text.split("cargo xtask ");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let command = part.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let program = Lab::with_command(command).map_or("cargo xtask", |lab| lab.package);
        result += &format!("{program} {part}");
    }
    result
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

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_workspace::lab_commands::TRAINING;

    #[test]
    fn commands_are_quoted_for_a_shell() {
        let text = |arguments: &[&str]| {
            let text = command_text(&TRAINING, arguments.iter().map(OsString::from));
            text.split_once(" train ").unwrap().1.to_owned()
        };
        assert_eq!(
            text(&["train", "run", "a-1.bullet", "--king-buckets", "0,1"]),
            "run a-1.bullet --king-buckets 0,1"
        );
        assert_eq!(text(&["train", "--name", "it's 1 $HOME", ""]), r"--name 'it'\''s 1 $HOME' ''");
    }

    #[cfg(unix)]
    #[test]
    fn commands_with_other_bytes_are_shown() {
        use std::os::unix::ffi::OsStringExt as _;
        let argument = OsString::from_vec(b"b\xff.bullet".to_vec());
        let text = command_text(&TRAINING, std::iter::once(argument));
        assert!(text.ends_with(" 'b\u{fffd}.bullet'"), "{text}");
    }

    #[test]
    fn help_names_the_installed_programs() {
        let command = clap::Command::new("x").subcommand(
            clap::Command::new("y")
                .arg(clap::Arg::new("z").help("packed by `cargo xtask book`"))
                .after_help("xz -dc FILE | cargo xtask tune -; cargo xtask ci"),
        );
        let mut command = with_installed_names(command);
        let help = command.find_subcommand_mut("y").unwrap().render_help().to_string();
        for part in ["`tabiya-matches book`", "| tabiya-training tune -; cargo xtask ci"] {
            assert!(help.contains(part), "{help}");
        }
    }
}
