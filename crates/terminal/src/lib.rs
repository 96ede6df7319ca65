//! The terminal commands of the program `tabiya`: [`Command`] has the arguments of each and runs it.
//!
//! Standard output carries only what a command is asked for; notes and progress go to standard error. The modules that are public
//! show positions, counts and errors in the same form to the users of the program's protocols.

pub mod bench;
pub mod diagram;
pub mod eval;
pub mod message;
pub mod perft;
mod position;
pub mod shell;

mod analyse;
mod args;
mod book;
mod epd;
mod game_file;
mod interrupt;
mod pgn;
mod play;
mod style;
mod variation;
mod web;

pub use args::{describe_tablebases, open_book, open_tablebases, parse_ordinal, read_network};

use analyse::AnalyseArgs;
use anyhow::Result;
use bench::BenchArgs;
use book::BookArgs;
use clap::Subcommand;
use epd::EpdArgs;
use eval::EvalArgs;
use perft::PerftArgs;
use pgn::PgnArgs;
use play::PlayArgs;
use std::io::Write;
use web::WebArgs;

/// The program's name and version, by which it identifies itself to users and in the files that it writes.
pub const NAME: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"));

/// A terminal command with its arguments.
#[derive(Subcommand, Debug)]
#[expect(missing_docs, reason = "each command is described at its arguments, where clap takes the text from")]
pub enum Command {
    Analyse(AnalyseArgs),
    Play(PlayArgs),
    Web(WebArgs),
    Eval(EvalArgs),
    Perft(PerftArgs),
    Bench(BenchArgs),
    Pgn(PgnArgs),
    Epd(EpdArgs),
    Book(BookArgs),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// If an argument is invalid, a file cannot be read or written, an engine cannot be set up, or output fails.
    pub fn run(&self, out: &mut impl Write) -> Result<()> {
        match self {
            Command::Analyse(args) => analyse::run(args, out),
            Command::Play(args) => play::run(args, out),
            Command::Web(args) => web::run(args),
            Command::Eval(args) => eval::run(args, out),
            Command::Perft(args) => perft::run(args, out),
            Command::Bench(args) => bench::run(args, out),
            Command::Pgn(args) => pgn::run(args, out),
            Command::Epd(args) => epd::run(args, out),
            Command::Book(args) => book::run(args, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser, Debug)]
    struct Cli {
        #[command(subcommand)]
        command: Command,
    }

    #[test]
    fn accepts_a_fen_quoted_or_in_fields() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let fields: Vec<&str> = fen.split(' ').collect();
        for fen_args in [fields, vec![fen]] {
            let args = [&["tabiya", "eval"], &fen_args[..], &["--json"]].concat();
            let cli = Cli::try_parse_from(args).unwrap();
            let Command::Eval(eval) = cli.command else { panic!("{cli:?}") };
            assert_eq!(eval.fen.join(" "), fen);
        }
    }
}

/// Tests the README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
