//! Losses of evaluations on held-out records: `train evaluate`, and the comparison in a report.

use super::data::{self, DataFile};
use super::fit::{self, Fitted, Losses};
use super::loss::Blend;
use crate::parallel::map_chunks;
use crate::record::position;
use anyhow::{Context as _, Result};
use bulletformat::ChessBoard;
use std::path::{Path, PathBuf};
use tabiya_core::Value;
use tabiya_eval::{Evaluation, nnue::Network};
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::evaluation_argument::read_network;
use tabiya_lab_common::number_argument::{fraction, positive};
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
    check_positions(&records, &args.data, threads)?;
    let mut losses = baselines(&records, blend, args.exponent, threads)?;
    for (name, network) in &networks {
        let values = network_values(&records, network, threads)?;
        losses.push(Losses::new(name, &values, &records, blend, args.exponent));
    }
    println!("{} of {}", counted(records.len(), "record"), args.data.display());
    println!("{}\n", scale_line(&records));
    print!("{}", table(&losses));
    Ok(())
}

/// Checks that the positions of all records are possible, so that evaluations can be called.
///
/// # Errors
/// If one is not; the message names it.
pub(super) fn check_positions(records: &[ChessBoard], file: &Path, threads: usize) -> Result<()> {
    let chunks = map_chunks(records, threads, |records| {
        records.iter().position(|record| position(record).is_err()).ok_or(records.len())
    });
    let mut start = 0;
    for chunk in chunks {
        match chunk {
            Ok(index) => {
                let number = start + index;
                return position(&records[number])
                    .map(drop)
                    .with_context(|| format!("{}, record {number}: impossible position", file.display()));
            }
            Err(length) => start += length,
        }
    }
    Ok(())
}

/// Evaluates the positions of some records, in centipawns for the side to move. Each thread has its own evaluator.
///
/// # Errors
/// If a position is impossible.
pub(super) fn values<E: FnMut(&Position) -> Value>(
    records: &[ChessBoard],
    threads: usize,
    evaluator: impl Fn() -> E + Sync,
) -> Result<Vec<f32>> {
    let chunks = map_chunks(records, threads, |records| {
        let mut evaluate = evaluator();
        records.iter().map(|record| Ok(evaluate(&position(record)?) as f32)).collect::<Result<Vec<_>>>()
    });
    Ok(chunks.into_iter().collect::<Result<Vec<_>>>()?.concat())
}

/// Evaluates the positions of some records with a network, from scratch.
///
/// # Errors
/// If a position is impossible.
pub(super) fn network_values(records: &[ChessBoard], network: &Network, threads: usize) -> Result<Vec<f32>> {
    values(records, threads, || |position: &Position| network.evaluate(position.board()))
}

/// The losses of the handcrafted evaluation and of the search scores.
///
/// # Errors
/// If a position is impossible.
pub(super) fn baselines(
    records: &[ChessBoard],
    blend: Blend,
    exponent: f64,
    threads: usize,
) -> Result<Vec<Losses>> {
    let handcrafted = values(records, threads, || {
        let mut evaluator = Evaluation::Handcrafted.evaluator();
        move |position: &Position| evaluator.evaluate(position)
    })?;
    let scores: Vec<f32> = records.iter().map(|record| f32::from(record.score)).collect();
    Ok(vec![
        Losses::new("search score", &scores, records, blend, exponent),
        Losses::new("handcrafted", &handcrafted, records, blend, exponent),
    ])
}

/// A Markdown table of losses.
pub(super) fn table(losses: &[Losses]) -> String {
    let fitted = |fitted: Fitted| format!("{:.6} ({:.0})", fitted.loss, fitted.scale);
    let mut text = "| evaluation | blend | fitted (scale) | result (scale) | score (scale) |\n\
                    |---|---|---|---|---|\n"
        .to_owned();
    for Losses { name, blend, blend_fitted, result, score } in losses {
        let [blend_fitted, score] = [*blend_fitted, *score].map(fitted);
        let result = result.map_or_else(|| "–".to_owned(), fitted);
        text += &format!("| {name} | {blend:.6} | {blend_fitted} | {result} | {score} |\n");
    }
    text
}

/// A line about the scale that suits scores and results.
pub(super) fn scale_line(records: &[ChessBoard]) -> String {
    let Some(Fitted { scale, loss }) = fit::score_scale(records) else {
        return "No record has the result of its game.".to_owned();
    };
    format!(
        "The scores predict the results best with an eval scale of {scale:.0} (mean squared error {loss:.6})."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_positions_are_named() {
        let good: ChessBoard = "4k3/8/8/8/8/8/8/4K2R w - - 0 1 | 400 | 1.0".parse().unwrap();
        // The side that has moved is in check.
        let bad: ChessBoard = "4k3/8/8/8/8/8/8/K3R3 w - - 0 1 | 400 | 1.0".parse().unwrap();
        let mut records = vec![good; 20];
        assert!(check_positions(&records, Path::new("file"), 3).is_ok());
        records[13] = bad;
        for threads in [1, 3, 20] {
            let text = format!("{:#}", check_positions(&records, Path::new("file"), threads).unwrap_err());
            assert!(text.starts_with("file, record 13: impossible position: "), "{text}");
        }
        assert!(values(&records, 2, || |_: &Position| 0).is_err());
    }

    #[test]
    fn handcrafted_values_are_those_of_the_evaluation() {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w - - 2 3";
        let record: ChessBoard = format!("{fen} | 20 | 0.5").parse().unwrap();
        let expected = Evaluation::Handcrafted.evaluate(&Position::from_fen(fen).unwrap());
        let found =
            values(&[record; 3], 2, || |position: &Position| Evaluation::Handcrafted.evaluate(position));
        assert_eq!(found.unwrap(), [expected as f32; 3]);
    }
}
