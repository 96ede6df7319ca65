//! `data shuffle`: training records in another order.

use super::output_args::{Force, Shuffling};
use super::record_reader::RecordReader;
use super::shuffle::Shuffler;
use crate::record;
use anyhow::Result;
use std::path::{Path, PathBuf};
use tabiya_lab_common::counted::counted;
use tabiya_lab_common::progress::Progress;

/// Command-line arguments of `data shuffle`.
#[derive(clap::Args)]
pub(super) struct ShuffleArgs {
    /// Files of training records
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The shuffled file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    shuffling: Shuffling,
    #[command(flatten)]
    force: Force,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written or is not one of training records.
pub(super) fn run(args: &ShuffleArgs) -> Result<()> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    let mut reader = RecordReader::open(&args.files)?;
    let total = reader.total();
    let Shuffling { memory, seed } = args.shuffling;
    let mut shuffler = Shuffler::create(&args.out, args.force.existing(), &inputs, total, memory, seed)?;
    let mut progress = Progress::new("records", 0, total, "");
    while let Some(record) = reader.next()? {
        shuffler.add(&record::encode(&record))?;
        progress.show(shuffler.records(), String::new);
    }
    progress.finish();
    shuffler.finish()?;
    println!("{}: {}", args.out.display(), counted(total, "record"));
    Ok(())
}
