//! The command line: the terminal commands and those about the program itself.

use crate::replay::ReplayArgs;
#[cfg(feature = "tune")]
use crate::spsa::SpsaArgs;
use clap::{Parser, Subcommand};
use tabiya_terminal::shell::{CompletionsArgs, ManArgs};

/// A chess engine for chess GUIs and the terminal.
///
/// Without a command, tabiya speaks the UCI or the xboard protocol on standard input and output. This is how
/// a GUI starts it.
#[derive(Parser, Debug)]
#[command(
    name = "tabiya",
    version,
    after_help = "\
Examples:
  tabiya                                      speak UCI or xboard (type help for a list of commands)
  tabiya analyse                              analyse the start position for 5 seconds
  tabiya analyse 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 --depth 20
  tabiya play --elo 1200                      play against the engine at the level of a casual player
  tabiya web                                  play, analyse and review games in the browser
  tabiya perft 6                              count the leaf nodes at depth 6
  tabiya pgn annotate games.pgn -o out.pgn    analyse games
  tabiya \"go depth 5\" quit                    run protocol commands, each an argument

A FEN may be quoted or given as separate arguments. Set TABIYA_LOG=debug to log the session to
standard error; tabiya replay repeats a logged session."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    #[command(flatten)]
    Terminal(Box<tabiya_terminal::Command>),
    Replay(ReplayArgs),
    #[cfg(feature = "tune")]
    Spsa(SpsaArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn declaration_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples() {
        assert_examples(&Cli::command(), "tabiya");
    }

    /// Asserts that the help of a command and of its subcommands has examples. A command with subcommands needs none itself.
    fn assert_examples(command: &clap::Command, name: &str) {
        let help = command.get_after_help().or(command.get_after_long_help()).map(ToString::to_string);
        let has_examples = help.is_some_and(|help| help.contains("Examples:\n  ") && help.contains(name));
        assert!(has_examples || command.has_subcommands(), "{name}");
        for command in command.get_subcommands() {
            assert_examples(command, &format!("{name} {}", command.get_name()));
        }
    }
}
