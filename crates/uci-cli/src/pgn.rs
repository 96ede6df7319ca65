//! `tabiya pgn`: work on files of games.

mod annotate;
mod judge;
mod pipeline;

use crate::cli::{LimitArgs, parse_hash};
use crate::output;
use annotate::Annotator;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{File, Metadata};
use std::io::{self, BufReader, BufWriter, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use tabiya_core::notation::PgnWriter;
use tabiya_eval::Evaluation;
use tabiya_search::{Engine, Limits, Options};

/// How many nodes a position gets if nothing else is said.
const DEFAULT_NODES: u64 = 100_000;

/// Work on files of games.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya pgn annotate games.pgn -o annotated.pgn
  tabiya pgn annotate games.pgn --nodes 500000 -j 4 > annotated.pgn")]
pub(crate) struct PgnArgs {
    #[command(subcommand)]
    command: PgnCommand,
}

#[derive(Subcommand, Debug)]
enum PgnCommand {
    Annotate(AnnotateArgs),
}

/// Analyse games, and write them with what was found.
///
/// Every move gets the engine's verdict ([%eval]); moves that cost chances get ?!, ? or ?? and the better
/// line as a variation; and the tags tell how accurately each side has played, in per cent.
///
/// Games come out in the order they went in. One with a mistake in it is reported and left out.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya pgn annotate games.pgn -o annotated.pgn
  tabiya pgn annotate games.pgn --nodes 500000 -j 4 > annotated.pgn
  tabiya pgn annotate --movetime 1s --no-lines - < game.pgn

Of several limits the first one reached counts, for each position; without any it is 100,000 nodes. With
nodes or depth the outcome is the same every time.")]
struct AnnotateArgs {
    /// The games; - for the standard input.
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    /// Where to write; the standard output if it is not given.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How many games to analyse at the same time; as many as the machine has processors if it is not given.
    #[arg(short, long, value_name = "NUMBER")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Memory for each game's transposition table, in MiB.
    #[arg(long, value_name = "MiB", default_value_t = 16, value_parser = parse_hash)]
    hash: usize,
    /// The evaluation: handcrafted or classic.
    #[arg(long, default_value_t)]
    evaluation: Evaluation,
    /// Mark the bad moves, but add no variations.
    #[arg(long)]
    no_lines: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// If a file cannot be read or written, an engine cannot be set up, or there was a game with a mistake.
pub(crate) fn run(args: &PgnArgs, out: &mut impl Write) -> Result<()> {
    let PgnCommand::Annotate(args) = &args.command;
    match &args.output {
        None => annotate(args, out),
        Some(path) => {
            if same_file(path, &args.games) {
                bail!("{} would overwrite the games it is made from", path.display());
            }
            let file = File::create(path).with_context(|| format!("{} cannot be written", path.display()))?;
            let mut file = BufWriter::new(file);
            annotate(args, &mut file)?;
            Ok(file.flush()?)
        }
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn annotate(args: &AnnotateArgs, out: &mut impl Write) -> Result<()> {
    let (input, length): (Box<dyn Read + Send>, Option<u64>) = if args.games.as_os_str() == "-" {
        (Box::new(io::stdin()), None)
    } else {
        let path = args.games.display();
        let file = File::open(&args.games).with_context(|| format!("{path} cannot be read"))?;
        let data = file.metadata().ok();
        if data.as_ref().is_some_and(Metadata::is_dir) {
            bail!("{path} is a directory");
        }
        let length = data.map(|data| data.len());
        (Box::new(BufReader::new(file)), length)
    };
    let jobs = args
        .jobs
        .map_or_else(|| thread::available_parallelism().map_or(1, NonZeroUsize::get), NonZeroUsize::get);
    let annotators = (0..jobs)
        .map(|_| {
            let options = Options { hash_mb: args.hash, evaluation: args.evaluation, ..Options::default() };
            Ok(Annotator::new(Engine::new(options)?, limits(&args.limits), !args.no_lines, output::NAME))
        })
        .collect::<Result<Vec<Annotator>>>()?;
    let progress = Progress::new(length);
    let mut bad = 0;
    let mut pgn = PgnWriter::new(out);
    pipeline::run(input, annotators, |done| {
        progress.done(done.end);
        match done.game {
            Ok(tree) => Ok(tree.pgn().write_to(&mut pgn)?),
            Err(error) => {
                bad += 1;
                progress.message(&format!("game {} is left out: {error}", done.number));
                Ok(())
            }
        }
    })?;
    pgn.flush()?;
    progress.finish();
    if bad > 0 {
        bail!("{bad} {} left out", if bad == 1 { "game was" } else { "games were" });
    }
    Ok(())
}

/// The limits for each position.
fn limits(args: &LimitArgs) -> Limits {
    let limits = args.limits(Duration::MAX);
    match limits.movetime {
        Some(Duration::MAX) => Limits::nodes(DEFAULT_NODES),
        _ => limits,
    }
}

/// A bar on the standard error, where that is a terminal; messages in any case.
struct Progress(Option<ProgressBar>);

impl Progress {
    fn new(length: Option<u64>) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = length.map_or_else(ProgressBar::no_length, ProgressBar::new);
            // Only a template of our own can be wrong, and then the default serves as well.
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress(bar)
    }

    /// All up to this byte is done.
    fn done(&self, end: u64) {
        if let Some(bar) = &self.0 {
            bar.set_position(end);
        }
    }

    fn message(&self, message: &str) {
        match &self.0 {
            Some(bar) => bar.suspend(|| Progress::write(message)),
            None => Progress::write(message),
        }
    }

    fn write(message: &str) {
        // A closed standard error is no reason to stop.
        let _ = writeln!(io::stderr(), "{message}");
    }

    fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
