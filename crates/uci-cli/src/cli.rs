//! The command line.

use crate::book::BookArgs;
use crate::epd::EpdArgs;
use crate::options::MAX_MULTIPV;
use crate::perft;
use crate::pgn::PgnArgs;
use crate::shell::{CompletionsArgs, ManArgs};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use tabiya_eval::Evaluation;
use tabiya_play::{MAX_ELO, MIN_ELO};
use tabiya_search::{MAX_HASH_MB, MAX_THREADS, MIN_HASH_MB};

/// A chess engine for your GUI, and a chess tool for the terminal.
///
/// Without a command it speaks the UCI or the xboard protocol on its standard input and output: that is
/// how a GUI starts it.
#[derive(Parser, Debug)]
#[command(
    name = "tabiya",
    version,
    after_help = "\
Examples:
  tabiya                                      speak UCI or xboard (type help there)
  tabiya analyse                              think about the start position for 5 seconds
  tabiya analyse 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 --depth 20
  tabiya play --side black --movetime 2s      play against the engine
  tabiya perft 6                              count the positions 6 plies away
  tabiya pgn annotate games.pgn -o out.pgn    analyse games

A FEN may be given as one word, in quotes, or as several. Set TABIYA_LOG=debug to have what
happens logged to the standard error; tabiya replay holds such a session again."
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
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Analyse a position: draw it, think about it, and show the lines found.
#[derive(Args, Debug)]
#[command(
    visible_alias = "analyze",
    after_help = "\
Examples:
  tabiya analyse
  tabiya analyse r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - --depth 12
  tabiya analyse --movetime 1m '8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47'
  tabiya analyse --multipv 3 --threads 2 --movetime 10s
  tabiya analyse --depth 12 --json | jq .san

Of several limits the first one reached ends the analysis; without any it takes 5 seconds."
)]
pub(crate) struct AnalyseArgs {
    /// The position; the start position if there is none.
    #[arg(value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Show so many lines, each with another first move.
    #[arg(long, value_name = "LINES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_MULTIPV as i64))]
    pub(crate) multipv: u16,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Draw the board with chess symbols in place of letters.
    #[arg(long)]
    pub(crate) symbols: bool,
    /// Print data in place of a table: an object a line, as they are found, the best move last. Scores are
    /// from White's point of view.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Play a game against the engine.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya play
  tabiya play --side black --movetime 500ms
  tabiya play --elo 1500
  tabiya play --fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
  tabiya play --chess960 518

Moves are typed as Nf3 or g1f3; help lists what else can be typed. Without a limit the engine
thinks for a second about each move.")]
pub(crate) struct PlayArgs {
    /// Your side.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) side: Side,
    /// The position to start from.
    #[arg(long, value_name = "FEN", num_args = 1.., conflicts_with = "chess960")]
    pub(crate) fen: Vec<String>,
    /// Play Chess960, from the start position of this number.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(0..960))]
    pub(crate) chess960: Option<u16>,
    /// How strong the engine plays; without it, as well as it can.
    #[arg(long, value_parser = clap::value_parser!(u16).range(i64::from(MIN_ELO)..=i64::from(MAX_ELO)))]
    pub(crate) elo: Option<u16>,
    /// The engine's opening book: a Polyglot file (.bin) or text. Without it, main lines of its own.
    #[arg(long, value_name = "FILE", conflicts_with = "no_book")]
    pub(crate) book: Option<PathBuf>,
    /// Play without a book.
    #[arg(long)]
    pub(crate) no_book: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Draw the board with chess symbols in place of letters.
    #[arg(long)]
    pub(crate) symbols: bool,
}

/// Evaluate a position without any search, and show every term.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya eval
  tabiya eval --evaluation classic 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
  tabiya eval --json | jq .value")]
pub(crate) struct EvalArgs {
    /// The position; the start position if there is none.
    #[arg(value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    /// The evaluation: handcrafted or classic.
    #[arg(long, default_value_t)]
    pub(crate) evaluation: Evaluation,
    /// Print data in place of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Count the positions that can be reached in a number of plies.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya perft 6
  tabiya perft 4 --divide r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -")]
pub(crate) struct PerftArgs {
    /// How many plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(perft::MAX_DEPTH)))]
    pub(crate) depth: u32,
    /// The position; the start position if there is none.
    #[arg(value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    /// Show the count below each move.
    #[arg(long)]
    pub(crate) divide: bool,
}

/// Measure the speed of the search on a set of positions.
///
/// The last line is `N nodes M nps`. N is the same on every machine, and changes only when the
/// engine does.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya bench
  tabiya bench 5")]
pub(crate) struct BenchArgs {
    /// How deep to search each position.
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
}

/// Hold a logged session again, and compare the best moves.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  TABIYA_LOG=debug tabiya 2>session.log       a session that is logged
  tabiya replay session.log
  tabiya replay --timing session.log

The option Debug Log File makes such a log, too.")]
pub(crate) struct ReplayArgs {
    /// The log of the session.
    pub(crate) log: PathBuf,
    /// Let each line come when it came, in place of as soon as possible.
    #[arg(long)]
    pub(crate) timing: bool,
}

/// When to stop thinking.
#[derive(Args, Debug, Clone, Default)]
#[group(skip)]
pub(crate) struct LimitArgs {
    /// Search so many plies deep.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Search so many nodes.
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Think for so long: milliseconds, or a number with ms, s or m, as in 500ms or 2.5s.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) movetime: Option<Duration>,
}

/// How the engine is set up.
#[derive(Args, Debug, Clone)]
#[group(skip)]
pub(crate) struct EngineArgs {
    /// Memory for the transposition table, in MiB.
    #[arg(long, value_name = "MiB", default_value_t = 64, value_parser = parse_hash)]
    pub(crate) hash: usize,
    /// Search threads.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub(crate) threads: u16,
    /// The evaluation: handcrafted or classic.
    #[arg(long, default_value_t)]
    pub(crate) evaluation: Evaluation,
}

/// The side a person plays.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Side {
    #[default]
    White,
    Black,
}

pub(crate) fn parse_hash(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(mb) if (MIN_HASH_MB..=MAX_HASH_MB).contains(&mb) => Ok(mb),
        _ => Err(format!("expected a whole number from {MIN_HASH_MB} to {MAX_HASH_MB}")),
    }
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "ms"),
    };
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        _ => return Err(format!("{unit:?} is not a unit: expected ms, s or m")),
    };
    number
        .parse::<f64>()
        .ok()
        .and_then(|number| Duration::try_from_secs_f64(number * seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a positive number, as in 500ms or 2.5s".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn times() {
        for (text, ms) in [("500", 500), ("500ms", 500), ("2.5s", 2500), ("1m", 60_000)] {
            assert_eq!(parse_time(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for bad in ["", "s", "-1", "0", "1h", "NaN", "inf", "1e999", "1s1"] {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_fen_in_words_or_in_one() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let words: Vec<&str> = fen.split(' ').collect();
        for fen_args in [words, vec![fen]] {
            let args = [&["tabiya", "analyse"], &fen_args[..], &["--depth", "3"]].concat();
            let cli = Cli::try_parse_from(args).unwrap();
            let Some(Command::Analyse(analyse)) = cli.command else { panic!("{cli:?}") };
            assert_eq!(analyse.fen.join(" "), fen);
            assert_eq!(analyse.limits.depth, Some(3));
        }
    }
}
