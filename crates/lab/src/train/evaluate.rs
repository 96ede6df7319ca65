//! Losses of evaluations on held-out records: `train evaluate`, and the comparison in a report.

use super::data::{self, DataFile};
use super::fit::{self, Fitted, Losses};
use super::loss::Blend;
use super::record;
use crate::number_argument::{fraction, positive};
use crate::parallel::map_chunks;
use anyhow::{Context as _, Result};
use bulletformat::ChessBoard;
use std::path::{Path, PathBuf};
use tabiya_eval::{
    Evaluation,
    nnue::{MAX_FILE_BYTES, Network},
};
use tabiya_files::input;
use tabiya_movegen::Position;
use tabiya_workspace::repository;

/// Command-line arguments of `train evaluate`.
#[derive(clap::Args)]
#[command(after_help = "\
Prints for the handcrafted evaluation, for each network and for the search scores themselves:

  blend   loss against lambda * sigmoid(score / eval scale) + (1 - lambda) * result
  fitted  the same with the sigmoid's scale that suits the evaluation best
  result  mean squared error against the results, with its best scale
  score   mean squared error against the scores' sigmoid, with its best scale

Only losses on records that a network was not trained on say how good it is.")]
pub(super) struct EvaluateArgs {
    /// File of training records
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// Network files
    #[arg(value_name = "NETWORK")]
    networks: Vec<PathBuf>,
    /// Weight of the search score in the target; the rest is the game result
    #[arg(long, value_name = "FRACTION", default_value_t = super::DEFAULT_LAMBDA, value_parser = fraction)]
    lambda: f64,
    /// Centipawns at which the sigmoid's argument is 1
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = super::DEFAULT_EVAL_SCALE, value_parser = positive)]
    eval_scale: f64,
    /// Exponent of the error
    #[arg(long, value_name = "X", default_value_t = 2.0, value_parser = super::exponent)]
    exponent: f64,
    /// Threads [default: one per processor]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or is damaged.
pub(super) fn run(args: &EvaluateArgs) -> Result<()> {
    let networks: Vec<(String, Network)> = args
        .networks
        .iter()
        .map(|path| Ok((path.display().to_string(), read_network(path)?)))
        .collect::<Result<_>>()?;
    let threads = args.threads.map_or_else(repository::processors, |count| count as usize);
    let records = data::read_all(&DataFile::survey(&args.data)?)?;
    let blend = Blend { lambda: args.lambda as f32, eval_scale: args.eval_scale as f32 };
    let boards = Boards::new(&records, &args.data, threads)?;
    let mut losses = baselines(&records, &boards, blend, args.exponent, threads);
    for (name, network) in &networks {
        let values = boards.values(threads, |position| network.evaluate(position.board()) as f32);
        losses.push(Losses::new(name, &values, &records, blend, args.exponent));
    }
    println!("{} records of {}", records.len(), args.data.display());
    print!("{}", table(&losses));
    Ok(())
}

/// Reads a network file.
///
/// # Errors
/// If it cannot be read, or is not a valid network.
pub(super) fn read_network(path: &Path) -> Result<Network> {
    let name = || format!("cannot read the network {}", path.display());
    let bytes = input::read(path, MAX_FILE_BYTES).with_context(name)?;
    Network::read(&bytes).with_context(name)
}

/// The positions of some records, with White to move.
pub(super) struct Boards(Vec<Position>);

impl Boards {
    /// Sets up the positions.
    ///
    /// # Errors
    /// If one is impossible.
    pub(super) fn new(records: &[ChessBoard], file: &Path, threads: usize) -> Result<Boards> {
        let position =
            |record: &ChessBoard| -> Result<Position> { Ok(Position::new(record::board(record)?)?) };
        let chunks = map_chunks(records, threads, |records| records.iter().map(position).collect::<Vec<_>>());
        let positions = chunks.into_iter().flatten().enumerate().map(|(number, position)| {
            position.with_context(|| format!("{}, record {number}: impossible position", file.display()))
        });
        Ok(Boards(positions.collect::<Result<_>>()?))
    }

    /// Evaluates all positions.
    pub(super) fn values(&self, threads: usize, evaluate: impl Fn(&Position) -> f32 + Sync) -> Vec<f32> {
        map_chunks(&self.0, threads, |positions| positions.iter().map(&evaluate).collect::<Vec<_>>()).concat()
    }
}

/// The losses of the handcrafted evaluation and of the search scores.
pub(super) fn baselines(
    records: &[ChessBoard],
    boards: &Boards,
    blend: Blend,
    exponent: f64,
    threads: usize,
) -> Vec<Losses> {
    let chunks = map_chunks(&boards.0, threads, |positions| {
        let mut evaluator = Evaluation::Handcrafted.evaluator();
        positions.iter().map(|position| evaluator.evaluate(position) as f32).collect::<Vec<_>>()
    });
    let scores: Vec<f32> = records.iter().map(|record| f32::from(record.score)).collect();
    vec![
        Losses::new("search score", &scores, records, blend, exponent),
        Losses::new("handcrafted", &chunks.concat(), records, blend, exponent),
    ]
}

/// A Markdown table of losses.
pub(super) fn table(losses: &[Losses]) -> String {
    let fitted = |fitted: Fitted| format!("{:.6} ({:.0})", fitted.loss, fitted.scale);
    let mut text = "| evaluation | blend | fitted (scale) | result (scale) | score (scale) |\n\
                    |---|---|---|---|---|\n"
        .to_owned();
    for Losses { name, blend, blend_fitted, result, score } in losses {
        let [blend_fitted, result, score] = [*blend_fitted, *result, *score].map(fitted);
        text += &format!("| {name} | {blend:.6} | {blend_fitted} | {result} | {score} |\n");
    }
    text
}

/// A line about the scale that suits scores and results.
pub(super) fn scale_line(records: &[ChessBoard]) -> String {
    let Fitted { scale, loss } = fit::score_scale(records);
    format!(
        "The scores predict the results best with an eval scale of {scale:.0} (mean squared error {loss:.6})."
    )
}
