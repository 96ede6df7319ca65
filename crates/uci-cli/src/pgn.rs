//! `tabiya pgn`: processing PGN files.

mod accuracy;
mod annotate;
mod pipeline;

use crate::args::{EvaluationArgs, ForceArgs, LimitArgs, parse_hash};
use crate::version;
use annotate::Annotator;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{File, Metadata};
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;
use tabiya_core::notation::PgnWriter;
use tabiya_files::output::{OutputFile, check_stdout};
use tabiya_search::{Engine, Limits, Options};

/// Nodes per position if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Process PGN files.
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

/// Analyse games and annotate them.
///
/// Every move gets an evaluation ([%eval]). Inaccuracies, mistakes and blunders are marked ?!, ? and ??, with
/// the better line as a variation. The tags WhiteAccuracy and BlackAccuracy give the accuracy of each side in
/// per cent.
///
/// The order of the games is kept. Invalid games are reported and left out.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tabiya pgn annotate games.pgn -o annotated.pgn
  tabiya pgn annotate games.pgn --nodes 500000 -j 4 > annotated.pgn
  tabiya pgn annotate --movetime 1s --no-lines - < game.pgn

The limits apply to each position; the default is 100,000 nodes. With --nodes or --depth the result is
reproducible.

The output file appears when all games are done. Until then a hidden file in the same folder, named
.OUTPUT.*.partial, holds the finished games.")]
struct AnnotateArgs {
    /// PGN file; - for standard input.
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    /// File to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Number of games to analyse in parallel [default: number of processors].
    #[arg(short, long, value_name = "NUMBER")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Size of each transposition table in MiB, one per parallel game.
    #[arg(long, value_name = "MiB", default_value_t = 16, value_parser = parse_hash)]
    hash: usize,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Mark bad moves without adding variations.
    #[arg(long)]
    no_lines: bool,
}

/// Runs `tabiya pgn`.
///
/// # Errors
/// If a file cannot be read or written, an engine cannot be set up, or a game is invalid.
pub(crate) fn run(args: &PgnArgs, out: &mut impl Write) -> Result<()> {
    let PgnCommand::Annotate(args) = &args.command;
    let inputs = [args.games.as_path()];
    let skipped = match &args.output {
        None => {
            check_stdout(&inputs)?;
            annotate(args, out)?
        }
        Some(path) => {
            let mut file = OutputFile::create(path, args.force.existing(), &inputs)?;
            let skipped = annotate(args, &mut file)?;
            file.commit()?;
            skipped
        }
    };
    if skipped > 0 {
        bail!("skipped {skipped} invalid {}", if skipped == 1 { "game" } else { "games" });
    }
    Ok(())
}

/// Annotates the games and returns the number of invalid ones, which are skipped.
fn annotate(args: &AnnotateArgs, out: &mut impl Write) -> Result<u64> {
    let (input, length): (Box<dyn Read + Send>, Option<u64>) = if args.games.as_os_str() == "-" {
        (Box::new(io::stdin()), None)
    } else {
        let path = args.games.display();
        let file = File::open(&args.games).with_context(|| format!("{path} cannot be read"))?;
        let metadata = file.metadata().ok();
        if metadata.as_ref().is_some_and(Metadata::is_dir) {
            bail!("{path} is a directory");
        }
        let length = metadata.map(|metadata| metadata.len());
        (Box::new(BufReader::new(file)), length)
    };
    let jobs = args
        .jobs
        .map_or_else(|| thread::available_parallelism().map_or(1, NonZeroUsize::get), NonZeroUsize::get);
    let evaluation = args.evaluation.load()?;
    let annotators = (0..jobs)
        .map(|_| {
            let evaluation = evaluation.clone();
            let options = Options { hash_mb: args.hash, evaluation, ..Options::default() };
            Ok(Annotator::new(
                Engine::new(options)?,
                args.limits.limits_or(Limits::nodes(DEFAULT_NODES)),
                !args.no_lines,
                version::NAME,
            ))
        })
        .collect::<Result<Vec<Annotator>>>()?;
    let progress = Progress::new(length);
    let mut skipped = 0;
    let mut pgn = PgnWriter::new(out);
    pipeline::run(input, annotators, |done| {
        progress.done(done.end);
        match done.game {
            Ok(tree) => Ok(tree.pgn().write_to(&mut pgn)?),
            Err(error) => {
                skipped += 1;
                progress.message(&format!("skipped game {}: {error}", done.number));
                Ok(())
            }
        }
    })?;
    pgn.flush()?;
    progress.finish();
    Ok(skipped)
}

/// A progress bar on standard error if it is a terminal; messages in any case.
struct Progress(Option<ProgressBar>);

impl Progress {
    fn new(length: Option<u64>) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = length.map_or_else(ProgressBar::no_length, ProgressBar::new);
            // Fails only for an invalid template; the default style is acceptable then.
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress(bar)
    }

    /// Reports that the input up to this byte is done.
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
        // A closed standard error must not stop the command.
        let _ = writeln!(io::stderr(), "{message}");
    }

    fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
