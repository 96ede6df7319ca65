//! `train export`: a network as raw integers, for other engines.
//!
//! `docs/network-file.md` describes the bytes, and `readers/` has programs in Rust and in C that read them.

use anyhow::{Context as _, Result};
use std::path::PathBuf;
use tabiya_core::Square;
use tabiya_eval::nnue::{FEATURES_PER_BUCKET, Network, QA, QB, THREAT_FEATURES};
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::evaluation_argument::read_network;

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"RAWNNUE2";

/// The bits of a square's index that mirror its file.
const MIRROR: usize = 7;

/// Command-line arguments of `train export`.
#[derive(clap::Args)]
pub(super) struct ExportArgs {
    /// Network file
    #[arg(value_name = "NETWORK")]
    network: PathBuf,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// For engines that do not mirror the board: twice the king buckets and threat weights, of which those for a king on files e to h
    /// are mirrored. The values stay the same
    #[arg(long)]
    without_mirroring: bool,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// If the network cannot be read, or the file cannot be written.
pub(super) fn run(args: &ExportArgs) -> Result<()> {
    let network = read_network(&args.network)?;
    let bytes = bytes(&network, !args.without_mirroring);
    let existing = Existing::from_force(args.force);
    output::write(&args.out, &bytes, existing, &[&args.network])
        .with_context(|| format!("cannot export {}", args.network.display()))?;
    println!("{}: {}, {} bytes", args.out.display(), network.architecture(), bytes.len());
    Ok(())
}

/// Returns the contents of the file.
fn bytes(network: &Network, may_mirror: bool) -> Vec<u8> {
    let architecture = network.architecture();
    let mirrors = architecture.king_buckets().mirrors();
    // Copies of the weights take the place of mirroring.
    let is_doubled = mirrors && !may_mirror;
    let parameters = network.parameters();
    let (hidden, buckets) = (architecture.hidden(), architecture.king_buckets().count());
    let threat_neurons = architecture.threat_neurons();
    let copies = if is_doubled { 2 } else { 1 };
    let mut bytes = MAGIC.to_vec();
    let sizes = [
        hidden,
        threat_neurons,
        copies * buckets,
        copies,
        architecture.output_buckets(),
        usize::from(mirrors && may_mirror),
    ];
    let units = [QA, QB, architecture.scale()];
    bytes.extend(sizes.iter().flat_map(|&size| (size as u32).to_le_bytes()));
    bytes.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    bytes.extend(Square::ALL.map(|king| {
        let copy = if is_doubled && king.file().index() >= 4 { buckets } else { 0 };
        (architecture.king_buckets().bucket(king) + copy) as u8
    }));
    let mut numbers: Vec<i16> = Vec::new();
    for (weights, features, length) in [
        (&parameters.feature_weights, FEATURES_PER_BUCKET * buckets, hidden),
        (&parameters.threat_weights, THREAT_FEATURES, threat_neurons),
    ] {
        numbers.extend(weights);
        if is_doubled {
            for feature in 0..features {
                numbers.extend(&weights[(feature ^ MIRROR) * length..][..length]);
            }
        }
    }
    numbers.extend(&parameters.feature_bias);
    numbers.extend(&parameters.output_weights);
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(parameters.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
    bytes
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "a program of its own")]
#[path = "../../readers/raw_network.rs"]
mod reader;

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::Board;
    use tabiya_eval::nnue::{Architecture, KingBuckets, Parameters};
    use tabiya_lab_common::games::test_games::random_games;

    fn networks() -> Vec<Network> {
        // The second bucket is that of the ranks beyond the second.
        let by_rank = KingBuckets::new(std::array::from_fn(|square| u8::from(square >= 8))).unwrap();
        let squares = KingBuckets::new(std::array::from_fn(|square| square as u8)).unwrap();
        let plain = KingBuckets::single().without_mirroring();
        [
            (32, KingBuckets::single(), 1, 0),
            (64, by_rank.clone(), 8, 0),
            (64, by_rank, 2, 32),
            (32, squares, 3, 32),
            (32, plain.clone(), 1, 0),
            (96, plain, 1, 64),
        ]
        .map(|(hidden, king_buckets, outputs, threats)| {
            let plain = Architecture::new(hidden, king_buckets, outputs, 173).unwrap();
            let architecture = plain.with_threats(threats).unwrap();
            Network::new(architecture.clone(), "", &Parameters::random(&architecture, 5)).unwrap()
        })
        .into()
    }

    /// Positions of random games from all start positions, and one with kings far from home.
    fn fens() -> Vec<String> {
        let mut fens = vec!["8/3K4/8/8/1n6/8/6k1/4R3 b - - 0 1".to_owned()];
        for game in random_games(12, 4) {
            game.visit(|position, ply, _| {
                if ply % 7 == 0 {
                    fens.push(position.to_string());
                }
            });
        }
        fens
    }

    fn values(network: &Network, fens: &[String]) -> Vec<i64> {
        fens.iter().map(|fen| network.evaluate(&Board::from_fen(fen).unwrap()).into()).collect()
    }

    #[test]
    fn the_reader_in_rust_computes_our_values() {
        let fens = fens();
        for network in networks() {
            for may_mirror in [true, false] {
                let file = bytes(&network, may_mirror);
                let read = reader::load(&file).unwrap();
                let found: Vec<i64> = fens.iter().map(|fen| reader::evaluate(&read, fen).unwrap()).collect();
                assert_eq!(found, values(&network, &fens), "{} {may_mirror}", network.architecture());
                assert!(reader::load(&file[..file.len() - 1]).is_none());
            }
        }
    }

    #[cfg(all(unix, target_endian = "little"))]
    #[test]
    fn the_reader_in_c_computes_our_values() {
        use std::process::Command;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("reader");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/readers/raw_network.c");
        let compiled = Command::new("cc").args(["-O1", source, "-o"]).arg(&program).status().unwrap();
        assert!(compiled.success());
        let fens = fens();
        let path = |name: &str| folder.path().join(name).display().to_string();
        for network in networks() {
            let mut file = Vec::new();
            network.write(&mut file).unwrap();
            std::fs::write(path("net.nnue"), file).unwrap();
            for option in [&[][..], &["--without-mirroring"]] {
                let arguments = [path("net.nnue"), "--out".to_owned(), path("net.raw"), "--force".to_owned()];
                let options = option.iter().map(|&option: &&str| option.to_owned());
                run(&tabiya_lab_common::test_arguments::parse(arguments.into_iter().chain(options)).unwrap())
                    .unwrap();
                let output = Command::new(&program).arg(path("net.raw")).args(&fens).output().unwrap();
                let text = String::from_utf8(output.stdout).unwrap();
                let found: Vec<i64> = text.lines().map(|line| line.parse().unwrap()).collect();
                assert_eq!(found, values(&network, &fens), "{} {option:?}", network.architecture());
            }
        }
    }
}
