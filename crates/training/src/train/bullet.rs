//! `train import-bullet`: a network trained by the program bullet as a network file.
//!
//! bullet writes its quantised parameters in the order that its configuration gives, without a header; `docs/training.md` has
//! the configuration. Its king buckets are outermost, as in our file, and so are its output buckets once transposed.

use super::run::write_network;
use super::settings::parse_king_buckets;
use anyhow::{Context as _, Result, ensure};
use std::path::PathBuf;
use tabiya_eval::nnue::{Architecture, KingBuckets, MAX_FILE_BYTES, Network, Parameters};
use tabiya_files::input;
use tabiya_files::output::Existing;
use tabiya_lab_common::evaluation_argument::read_network;

/// bullet pads its files to a multiple of this.
const PADDING: usize = 64;

/// Command-line arguments of `train import-bullet`.
#[derive(clap::Args)]
pub(super) struct ImportArgs {
    /// bullet's quantised.bin
    #[arg(value_name = "QUANTISED")]
    file: PathBuf,
    /// Network file to write
    #[arg(value_name = "NETWORK")]
    network: PathBuf,
    /// Size of the hidden layer for each side
    #[arg(long, value_name = "N", value_parser = super::hidden)]
    hidden: usize,
    /// King buckets, as for `train run`
    #[arg(long, value_name = "LAYOUT", default_value = "1", value_parser = parse_king_buckets)]
    king_buckets: KingBuckets,
    /// Output buckets
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16))]
    output_buckets: u8,
    /// Centipawns for an output of 1: bullet's eval_scale
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 400)]
    scale: i32,
    /// Description of the training, stored in the file
    #[arg(long, value_name = "TEXT", default_value = "trained by bullet")]
    description: String,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read, has another size than the architecture, or the network cannot be written.
pub(super) fn run(args: &ImportArgs) -> Result<()> {
    let outputs = usize::from(args.output_buckets);
    let architecture = Architecture::new(args.hidden, args.king_buckets.clone(), outputs, args.scale)?;
    let name = || format!("cannot read {}", args.file.display());
    let bytes = input::read(&args.file, MAX_FILE_BYTES).with_context(name)?;
    let network = import(&bytes, architecture, &args.description).with_context(name)?;
    write_network(&args.network, &network, Existing::from_force(args.force))?;
    let network = read_network(&args.network)?;
    println!("{}: {}", args.network.display(), network.architecture());
    Ok(())
}

fn import(bytes: &[u8], architecture: Architecture, description: &str) -> Result<Network> {
    let mut parameters = Parameters::zero(&architecture);
    let arrays = [
        parameters.feature_weights.as_mut_slice(),
        &mut parameters.feature_bias,
        &mut parameters.output_weights,
    ];
    let count: usize = arrays.iter().map(|array| array.len()).sum::<usize>() + architecture.output_buckets();
    let expected = (2 * count).next_multiple_of(PADDING);
    ensure!(
        bytes.len() == expected,
        "{} bytes (expected {expected} for {architecture}); is it quantised.bin of this architecture?",
        bytes.len()
    );
    let mut numbers = bytes.as_chunks().0.iter().copied().map(i16::from_le_bytes);
    for array in arrays {
        array.iter_mut().zip(numbers.by_ref()).for_each(|(target, number)| *target = number);
    }
    for (target, number) in parameters.output_bias.iter_mut().zip(numbers) {
        *target = i32::from(number);
    }
    Network::new(architecture, description, &parameters).context("the network cannot be used")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn architecture() -> Architecture {
        let map = std::array::from_fn(|square| (square / 16) as u8);
        Architecture::new(32, KingBuckets::new(map).unwrap(), 2, 400).unwrap()
    }

    /// bullet's file for some parameters: the arrays one after the other, padded.
    fn bullet_file(parameters: &Parameters) -> Vec<u8> {
        let Parameters { feature_weights, feature_bias, output_weights, output_bias } = parameters;
        let biases: Vec<i16> = output_bias.iter().map(|&bias| bias as i16).collect();
        let arrays = [feature_weights, feature_bias, output_weights, &biases];
        let mut bytes: Vec<u8> =
            arrays.into_iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        bytes.resize(bytes.len().next_multiple_of(PADDING), b'b');
        bytes
    }

    fn parameters() -> Parameters {
        let mut parameters = Parameters::zero(&architecture());
        let number = |index: usize, range: usize| (index * 7 % range) as i16 - (range / 2) as i16;
        for (index, weight) in parameters.feature_weights.iter_mut().enumerate() {
            *weight = number(index, 300);
        }
        for (index, weight) in parameters.output_weights.iter_mut().enumerate() {
            *weight = number(index, 120);
        }
        parameters.feature_bias[3] = 11;
        parameters.output_bias = vec![-5, 12_000];
        parameters
    }

    #[test]
    fn parameters_are_imported() {
        let network = import(&bullet_file(&parameters()), architecture(), "imported").unwrap();
        assert_eq!(network.parameters(), parameters());
        assert_eq!(network.description(), "imported");
    }

    #[test]
    fn files_of_another_architecture_are_refused() {
        let mut bytes = bullet_file(&parameters());
        bytes.pop();
        let text = import(&bytes, architecture(), "").unwrap_err().to_string();
        assert!(text.contains("98687 bytes (expected 98688 for (768x2hm -> 32)x2 -> 1x2)"), "{text}");
        let mut large = parameters();
        large.output_weights[4] = 128;
        let text = import(&bullet_file(&large), architecture(), "").unwrap_err().to_string();
        assert_eq!(text, "the network cannot be used");
    }
}
