//! `train calibrate`: the outputs of a network on one scale in all phases of the game.
//!
//! A network that learned from scores alone keeps their scale. With few pieces its values promise more than strong play wins: an
//! advantage of two pawns is more often a draw. For each output bucket the scale is fitted by which the scores of games predict their
//! results, and the bucket's weights are multiplied so that all buckets have the lowest of these scales.

use super::run::write_network;
use crate::golden_section;
use crate::wdl::games::Observations;
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use tabiya_eval::nnue::{Architecture, Network};
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::evaluation_argument::read_network;

/// Minimum number of positions in an output bucket; with fewer it keeps its weights. Positions of one game have one result, so that
/// fewer of them could give a bucket a low scale by chance, and all buckets would follow.
const MIN_POSITIONS: u64 = 10_000;

/// The range of scales, in centipawns.
const SCALES: [f64; 2] = [20.0, 1000.0];

/// Command-line arguments of `train calibrate`.
#[derive(clap::Args)]
#[command(after_help = "\
The games are those that `cargo xtask selfplay` writes, of the network or one like it. A comment after each move gives the score
of the side that moved. Use thousands of games with as many nodes a move as possible: in weak play more advantages win.")]
pub(super) struct CalibrateArgs {
    /// Network whose outputs to scale
    network: PathBuf,
    /// PGN files of games of the network
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Network file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or there are too few positions.
pub(super) fn run(args: &CalibrateArgs) -> Result<()> {
    let existing = Existing::from_force(args.force);
    let inputs: Vec<&Path> = args.games.iter().chain([&args.network]).map(PathBuf::as_path).collect();
    output::check(&args.out, existing, &inputs)?;
    let network = read_network(&args.network)?;
    let observations = Observations::read(&args.games, |board| board.occupied().count())?;
    let scales = scales(&observations, network.architecture());
    let Some(lowest) = scales.iter().flatten().copied().reduce(f64::min) else {
        bail!("no output bucket has {MIN_POSITIONS} positions");
    };
    println!("{}", observations.size());
    let factors: Vec<f64> = scales.iter().map(|scale| scale.map_or(1.0, |scale| lowest / scale)).collect();
    for (bucket, (scale, factor)) in scales.iter().zip(&factors).enumerate() {
        let scale =
            scale.map_or("too few positions".to_owned(), |scale| format!("scale {scale:.0} centipawns"));
        println!("output bucket {bucket}: {scale}, factor {factor:.3}");
    }
    write_network(&args.out, &scaled(&network, &factors)?, existing, &inputs)
}

/// The scale of each output bucket, in centipawns: that by which the logistic function of the scores predicts the results best.
fn scales(observations: &Observations, architecture: &Architecture) -> Vec<Option<f64>> {
    let bucket_of = |pieces: u32| architecture.output_bucket(pieces as usize);
    (0..architecture.output_buckets())
        .map(|bucket| {
            let of_bucket: Vec<_> =
                observations.counts.iter().filter(|((_, pieces), _)| bucket_of(*pieces) == bucket).collect();
            let positions: u64 = of_bucket.iter().map(|(_, counts)| counts.iter().sum::<u64>()).sum();
            let loss = |scale: f64| -> f64 {
                let terms = of_bucket.iter().map(|((value, _), counts)| {
                    let expected = 1.0 / (1.0 + (-f64::from(*value) / scale).exp());
                    let [win, draw, defeat] = counts.map(|count| count as f64);
                    -(win + draw / 2.0) * expected.ln() - (defeat + draw / 2.0) * (1.0 - expected).ln()
                });
                terms.sum()
            };
            (positions >= MIN_POSITIONS).then(|| golden_section::minimum(SCALES, 0.1, loss))
        })
        .collect()
}

/// Multiplies the output weights and biases of each bucket.
fn scaled(network: &Network, factors: &[f64]) -> Result<Network> {
    let architecture = network.architecture();
    let mut parameters = network.parameters();
    let weights = parameters.output_weights.chunks_mut(2 * architecture.hidden());
    for ((weights, bias), factor) in weights.zip(&mut parameters.output_bias).zip(factors) {
        weights.iter_mut().for_each(|weight| *weight = (f64::from(*weight) * factor).round() as i16);
        *bias = (f64::from(*bias) * factor).round() as i32;
    }
    let description = format!("{}; outputs calibrated by results of games", network.description());
    Network::new(architecture.clone(), &description, &parameters)
        .context("the calibrated network cannot be used")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_eval::nnue::{KingBuckets, Parameters};

    #[test]
    fn inputs_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let [network, games] = ["a.nnue", "a.pgn"].map(|name| folder.path().join(name));
        for out in [&network, &games] {
            std::fs::write(out, "kept").unwrap();
            let (network, out) = (network.clone(), out.clone());
            let args = CalibrateArgs { network, games: vec![games.clone()], out, force: true };
            let error = format!("{:#}", run(&args).unwrap_err());
            assert!(error.contains("is the same file as the input"), "{error}");
        }
    }

    #[test]
    fn scales_are_those_of_the_results() {
        let mut observations = Observations::default();
        for (pieces, scale) in [(4, 300.0), (30, 120.0)] {
            for value in (-400..=400).step_by(10) {
                let win = 10_000.0 / (1.0 + (-f64::from(value) / scale).exp());
                observations.counts.insert((value, pieces), [win as u64, 0, 10_000 - win as u64]);
            }
        }
        let architecture = Architecture::new(32, KingBuckets::single(), 8, 400).unwrap();
        let found = scales(&observations, &architecture);
        let expected = [Some(300.0), None, None, None, None, None, None, Some(120.0)];
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found.is_some(), expected.is_some());
            assert!((found.unwrap_or_default() - expected.unwrap_or_default()).abs() < 1.0, "{found:?}");
        }
    }

    #[test]
    fn outputs_are_scaled_by_bucket() {
        let plain = Architecture::new(32, KingBuckets::single(), 2, 400).unwrap();
        let architecture = plain.with_threats(32).unwrap();
        let network = Network::new(architecture.clone(), "x", &Parameters::random(&architecture, 1)).unwrap();
        let [before, after] = [network.parameters(), scaled(&network, &[0.5, 1.0]).unwrap().parameters()];
        assert_eq!(after.feature_weights, before.feature_weights);
        assert_eq!(after.threat_weights, before.threat_weights);
        for (index, (&after, &before)) in after.output_weights.iter().zip(&before.output_weights).enumerate()
        {
            let expected = f64::from(before) * if index < 64 { 0.5 } else { 1.0 };
            assert!((f64::from(after) - expected).abs() <= 0.5, "{index}");
        }
    }
}
