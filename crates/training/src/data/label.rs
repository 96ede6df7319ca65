//! `data label`: training records with the mean of several evaluations as their score.
//!
//! Evaluations that learned in different ways make different mistakes, so their mean is closer to the truth than any of them.
//! A network that is trained on it learns what they know together (distillation of an ensemble).
//! Source: Hinton, Vinyals and Dean 2015, <https://arxiv.org/abs/1503.02531>.

use super::output_args::{Force, Shuffling, Threads};
use super::record_reader::RecordReader;
use super::shuffle::Shuffler;
use crate::record::{self, SIZE};
use anyhow::{Context, Result, bail};
use bulletformat::ChessBoard;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::evaluation_argument::read_network;
use tabiya_lab_common::number_argument::fraction;
use tabiya_lab_common::ordered::map_in_order;
use tabiya_lab_common::progress::Progress;

/// Records that a thread takes at a time.
const BATCH: usize = 1024;

/// Largest score of a label, in centipawns. Beyond it, the expected score cannot be told from 0 or 1.
const MAX_SCORE: f64 = 3000.0;

/// Command-line arguments of `data label`.
#[derive(clap::Args)]
#[command(after_help = "\
Expected scores are averaged, not centipawns, so that a large score of one evaluation does not outweigh the others. --keep is the weight
of the record's own score; the evaluations share the rest equally. All must use the same scale of centipawns.")]
pub(super) struct LabelArgs {
    /// Files of training records
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The labelled records
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Evaluation without a file: nnue (the embedded network), handcrafted or classic; may be repeated
    #[arg(long = "evaluation", value_name = "NAME")]
    evaluations: Vec<String>,
    /// File of a neural network; may be repeated
    #[arg(long = "eval-file", value_name = "FILE")]
    networks: Vec<PathBuf>,
    /// Weight of the record's own score, 0 to 1
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, value_parser = fraction)]
    keep: f64,
    /// Centipawns that stand for an expected score of 0.73
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 200, value_parser = clap::value_parser!(u16).range(20..=2000))]
    eval_scale: u16,
    #[command(flatten)]
    shuffling: Shuffling,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    force: Force,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written or is not one of training records or of a network, or if there is no evaluation.
pub(super) fn run(args: &LabelArgs) -> Result<()> {
    let named = args.evaluations.iter().map(|name| Ok(Evaluation::named(name, None)?));
    let networks = args.networks.iter().map(|path| Ok(Evaluation::Nnue(Arc::new(read_network(path)?))));
    let evaluations = named.chain(networks).collect::<Result<Vec<_>>>()?;
    if evaluations.is_empty() {
        bail!("no evaluation is given; use --evaluation or --eval-file");
    }
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    let mut reader = RecordReader::open(&args.files)?;
    let Shuffling { memory, seed } = args.shuffling;
    let mut shuffler =
        Shuffler::create(&args.out, args.force.existing(), &inputs, reader.total(), memory, seed)?;
    let mut progress = Progress::new("records", 0, reader.total(), "");
    let next = || reader.next_batch(BATCH);
    let worker = || {
        let mut evaluators: Vec<Box<dyn Evaluate>> = evaluations.iter().map(Evaluation::evaluator).collect();
        let blend = Blend { keep: args.keep, scale: args.eval_scale.into() };
        Ok(move |(start, batch): (u64, Vec<ChessBoard>)| {
            let labelled = (start..).zip(batch).map(|(number, record)| {
                label(record, &mut evaluators, &blend).with_context(|| format!("record {number}"))
            });
            labelled.collect::<Result<Vec<_>>>()
        })
    };
    map_in_order(args.threads.count(), next, worker, |records: Vec<[u8; SIZE]>| {
        records.iter().try_for_each(|record| shuffler.add(record))?;
        progress.show(shuffler.records(), String::new);
        Ok(())
    })?;
    progress.finish();
    let total = shuffler.records();
    shuffler.finish()?;
    println!("{}: {}", args.out.display(), counted(total, "record"));
    Ok(())
}

/// The mean of the record's score and those of the evaluations.
struct Blend {
    /// Weight of the record's own score.
    keep: f64,
    /// Centipawns that stand for an expected score of 0.73.
    scale: f64,
}

impl Blend {
    /// Returns the score whose expected score is the mean of those given, in centipawns.
    fn score(&self, own: f64, values: &[f64]) -> f64 {
        let expected = |score: f64| 1.0 / (1.0 + (-score / self.scale).exp());
        let mean = values.iter().copied().map(expected).sum::<f64>() / values.len() as f64;
        let mean = self.keep * expected(own) + (1.0 - self.keep) * mean;
        // Infinite where every expected score is rounded to 1.
        (self.scale * (mean / (1.0 - mean)).ln()).clamp(-MAX_SCORE, MAX_SCORE)
    }
}

/// Returns the record with its label.
fn label(record: ChessBoard, evaluators: &mut [Box<dyn Evaluate>], blend: &Blend) -> Result<[u8; SIZE]> {
    // The side to move of a record is White.
    let position = record::position(&record)?;
    let values: Vec<f64> =
        evaluators.iter_mut().map(|evaluator| evaluator.evaluate(&position).into()).collect();
    let score = blend.score(record.score.into(), &values).round() as i16;
    Ok(record::encode(&ChessBoard { score, ..record }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_lab_common::games::test_games::random_games;
    use tabiya_lab_common::test_arguments::parse;

    #[test]
    fn records_get_the_mean_of_the_evaluations() {
        let folder = tempfile::tempdir().unwrap();
        let [games, out] = ["games.bullet", "out.bullet"].map(|name| folder.path().join(name));
        let mut bytes = Vec::new();
        for game in random_games(20, 5) {
            game.visit(|position, _, scored| {
                if !position.in_check() {
                    bytes.extend(record::pack(position.board(), scored.score, game.half_points));
                }
            });
        }
        std::fs::write(&games, &bytes).unwrap();
        let files = [&games, &out].map(|path| path.display().to_string());
        let label = |options: &str| -> Result<Vec<ChessBoard>> {
            let arguments = format!("{} --out {} --force {options}", files[0], files[1]);
            run(&parse(arguments.split_whitespace().map(str::to_owned)).unwrap())?;
            let bytes = std::fs::read(&out).unwrap();
            let mut records: Vec<_> =
                bytes.as_chunks().0.iter().map(|bytes| record::decode(bytes).unwrap()).collect();
            records.sort_by_key(|record| (record.occ, record.pcs, record.score));
            Ok(records)
        };
        let value = |evaluation: Evaluation, record: &ChessBoard| {
            evaluation.evaluator().evaluate(&record::position(record).unwrap())
        };
        let handcrafted = label("--evaluation handcrafted").unwrap();
        assert_eq!(handcrafted.len(), bytes.len() / SIZE);
        for record in &handcrafted {
            let expected = value(Evaluation::Handcrafted, record).clamp(-3000, 3000);
            assert!((i32::from(record.score) - expected).abs() <= 1 + expected.abs() / 200, "{record:?}");
        }
        for record in label("--evaluation handcrafted --evaluation classic -j 2").unwrap() {
            let [low, high] = {
                let [one, two] = [Evaluation::Handcrafted, Evaluation::Classic]
                    .map(|evaluation| value(evaluation, &record).clamp(-3000, 3000));
                [one.min(two), one.max(two)]
            };
            assert!((low - 20..=high + 20).contains(&i32::from(record.score)), "{low} {high} {record:?}");
        }
        let kept = label("--evaluation handcrafted --keep 1").unwrap();
        let own = bytes.as_chunks().0.iter().map(|bytes| record::decode(bytes).unwrap());
        assert_eq!(
            kept.iter().map(|record| i64::from(record.score)).filter(|score| score.abs() < 1000).sum::<i64>(),
            own.map(|record| i64::from(record.score)).filter(|score| score.abs() < 1000).sum::<i64>()
        );
        assert!(label("").unwrap_err().to_string().starts_with("no evaluation is given"));
    }

    #[test]
    fn expected_scores_are_averaged() {
        let blend = Blend { keep: 0.0, scale: 200.0 };
        assert!(blend.score(500.0, &[100.0, -100.0]).abs() < 1e-9);
        // The mean of 1 and 0.5 is 0.75.
        assert!((blend.score(0.0, &[1e6, 0.0]) - 200.0 * 3f64.ln()).abs() < 1e-6);
        assert_eq!(blend.score(0.0, &[1e6, 1e6]), MAX_SCORE);
        let half = Blend { keep: 0.5, ..blend };
        assert!((half.score(1e6, &[0.0]) - 200.0 * 3f64.ln()).abs() < 1e-6);
    }
}
