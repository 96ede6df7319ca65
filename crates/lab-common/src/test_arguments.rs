//! Command lines for the tests of commands.

use clap::{Args, Error, Parser};

#[derive(Parser)]
struct CommandLine<A: Args> {
    #[command(flatten)]
    args: A,
}

/// Parses the arguments of a command, without its name.
pub fn parse<A: Args>(arguments: impl IntoIterator<Item: AsRef<str>>) -> Result<A, Error> {
    let arguments: Vec<String> = arguments.into_iter().map(|argument| argument.as_ref().to_owned()).collect();
    let command_line = std::iter::once("command".to_owned()).chain(arguments);
    CommandLine::try_parse_from(command_line).map(|CommandLine { args }| args)
}
