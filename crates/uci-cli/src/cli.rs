//! The command line. Each command's arguments are declared beside the command.

use crate::analyse::AnalyseArgs;
use crate::bench::BenchArgs;
use crate::book::BookArgs;
use crate::epd::EpdArgs;
use crate::eval::EvalArgs;
use crate::perft::PerftArgs;
use crate::pgn::PgnArgs;
use crate::play::PlayArgs;
use crate::replay::ReplayArgs;
use crate::shell::{CompletionsArgs, ManArgs};
#[cfg(feature = "tune")]
use crate::spsa::SpsaArgs;
use clap::{Parser, Subcommand};

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
  tabiya play --side black --movetime 2s      play against the engine
  tabiya perft 6                              count the leaf nodes at depth 6
  tabiya pgn annotate games.pgn -o out.pgn    analyse games

A FEN may be quoted or given as separate arguments. Set TABIYA_LOG=debug to log the session to
standard error; tabiya replay repeats a logged session."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Analyse(AnalyseArgs),
    Play(PlayArgs),
    Eval(EvalArgs),
    Perft(PerftArgs),
    Bench(BenchArgs),
    Replay(ReplayArgs),
    Pgn(PgnArgs),
    Epd(EpdArgs),
    Book(BookArgs),
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
    fn accepts_a_fen_quoted_or_in_fields() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let fields: Vec<&str> = fen.split(' ').collect();
        for fen_args in [fields, vec![fen]] {
            let args = [&["tabiya", "eval"], &fen_args[..], &["--json"]].concat();
            let cli = Cli::try_parse_from(args).unwrap();
            let Some(Command::Eval(eval)) = cli.command else { panic!("{cli:?}") };
            assert_eq!(eval.fen.join(" "), fen);
        }
    }
}
