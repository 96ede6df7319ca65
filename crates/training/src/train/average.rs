//! `train average`: the average of networks.
//!
//! Networks that were trained from the same checkpoint lie in one basin of the loss, so that their average is better than each of
//! them on positions that none has seen. With the common checkpoint's own network among them it generalises further. Source:
//! Wortsman et al., *Model soups* and *Robust fine-tuning of zero-shot models*, 2022.

use super::run::write_network;
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use tabiya_eval::nnue::{Network, Parameters};
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::evaluation_argument::read_network;

/// Command-line arguments of `train average`.
#[derive(clap::Args)]
pub(super) struct AverageArgs {
    /// Networks of one architecture, trained from the same checkpoint; one that is given twice counts twice
    #[arg(value_name = "NETWORK", required = true, num_args = 2..)]
    networks: Vec<PathBuf>,
    /// Network file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Description of the training, stored in the file [default: that of the first network]
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// If a network cannot be read or has another architecture than the first, or the average cannot be written.
pub(super) fn run(args: &AverageArgs) -> Result<()> {
    let existing = Existing::from_force(args.force);
    let inputs: Vec<&Path> = args.networks.iter().map(PathBuf::as_path).collect();
    output::check(&args.out, existing, &inputs)?;
    let networks: Vec<Network> =
        args.networks.iter().map(|path| read_network(path)).collect::<Result<_>>()?;
    for (path, network) in args.networks.iter().zip(&networks) {
        if network.architecture() != networks[0].architecture() {
            bail!(
                "{}: {} (expected {}, as the first network)",
                path.display(),
                network.architecture(),
                networks[0].architecture()
            );
        }
    }
    let description = args.description.as_deref().unwrap_or(networks[0].description());
    let average = average(&networks, description)?;
    write_network(&args.out, &average, existing, &inputs)?;
    println!("{}: {}", args.out.display(), average.architecture());
    Ok(())
}

/// Averages each parameter of networks of one architecture.
fn average(networks: &[Network], description: &str) -> Result<Network> {
    let all: Vec<Parameters> = networks.iter().map(Network::parameters).collect();
    let architecture = networks[0].architecture();
    let mut result = Parameters::zero(architecture);
    mean(&mut result.feature_weights, all.iter().map(|each| each.feature_weights.as_slice()));
    mean(&mut result.threat_weights, all.iter().map(|each| each.threat_weights.as_slice()));
    mean(&mut result.feature_bias, all.iter().map(|each| each.feature_bias.as_slice()));
    mean(&mut result.output_weights, all.iter().map(|each| each.output_weights.as_slice()));
    mean(&mut result.output_bias, all.iter().map(|each| each.output_bias.as_slice()));
    Network::new(architecture.clone(), description, &result).context("the average cannot be used")
}

/// Sets each number to the mean of those at its place, rounded to the nearest.
fn mean<'a, T>(result: &mut [T], lists: impl Iterator<Item = &'a [T]> + Clone)
where
    T: Copy + Into<i64> + TryFrom<i64> + 'a,
{
    let count = lists.clone().count() as f64;
    for (index, target) in result.iter_mut().enumerate() {
        let sum: i64 = lists.clone().map(|list| list[index].into()).sum();
        let mean = (sum as f64 / count).round() as i64;
        // A mean lies between the numbers, so it fits.
        *target = T::try_from(mean).unwrap_or(*target);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_eval::nnue::{Architecture, KingBuckets};

    #[test]
    fn each_parameter_is_averaged() {
        let plain = Architecture::new(64, KingBuckets::single(), 2, 400).unwrap();
        let architecture = plain.with_threats(32).unwrap();
        let networks = [1, 2, 3].map(|seed| {
            Network::new(architecture.clone(), "x", &Parameters::random(&architecture, seed)).unwrap()
        });
        let parameters = networks.each_ref().map(Network::parameters);
        let result = average(&networks, "mean").unwrap();
        assert_eq!(result.description(), "mean");
        for weights in [
            |each: &Parameters| each.feature_weights.clone(),
            |each: &Parameters| each.threat_weights.clone(),
        ] {
            for (index, weight) in weights(&result.parameters()).iter().enumerate().step_by(997) {
                let sum: i32 = parameters.iter().map(|each| i32::from(weights(each)[index])).sum();
                assert!((3 * i32::from(*weight) - sum).abs() <= 1, "{index}");
            }
        }
        let same = average(&[networks[0].clone(), networks[0].clone()], "same").unwrap();
        assert_eq!(same.parameters(), parameters[0]);
    }
}
