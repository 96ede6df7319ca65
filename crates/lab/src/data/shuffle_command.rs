//! `data shuffle`: training records in another order.

use super::output_args::{Force, Shuffling};
use super::record::{RESULT, SIZE};
use super::shuffle::Shuffler;
use crate::progress::Progress;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use tabiya_files::input;

/// Command-line arguments of `data shuffle`.
#[derive(clap::Args)]
pub(super) struct Args {
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
pub(super) fn run(args: &Args) -> Result<()> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    let mut files = args.files.iter().map(|path| open(path)).collect::<Result<Vec<_>>>()?;
    let total = files.iter().map(|(_, records)| records).sum();
    let Shuffling { memory, seed } = args.shuffling;
    let mut shuffler = Shuffler::create(&args.out, args.force.existing(), &inputs, total, memory, seed)?;
    let mut progress = Progress::new("records", 0, total, "");
    for ((file, records), path) in files.iter_mut().zip(&args.files) {
        for number in 0..*records {
            let mut record = [0; SIZE];
            let location = || format!("{}, byte {}", path.display(), number * SIZE as u64);
            file.read_exact(&mut record).with_context(location)?;
            check(&record).with_context(location)?;
            shuffler.add(&record)?;
            progress.show(shuffler.records(), String::new);
        }
    }
    progress.finish();
    shuffler.finish()?;
    println!("{}: {total} records", args.out.display());
    Ok(())
}

/// Opens a file and returns its number of records.
fn open(path: &Path) -> Result<(BufReader<File>, u64)> {
    let name = || format!("cannot read {}", path.display());
    let file = input::open(path).with_context(name)?;
    let size = file.metadata().with_context(name)?.len();
    let records = size / SIZE as u64;
    if !size.is_multiple_of(SIZE as u64) {
        bail!(
            "{}, byte {}: incomplete record (expected {SIZE} bytes)",
            path.display(),
            records * SIZE as u64
        );
    }
    if records == 0 {
        bail!("{} contains no record", path.display());
    }
    Ok((BufReader::with_capacity(1 << 18, file), records))
}

/// Checks what distinguishes a record from most other data.
fn check(record: &[u8; SIZE]) -> Result<()> {
    let occupied = record.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let result = record[RESULT];
    if !(2..=32).contains(&occupied.count_ones()) || result > 2 {
        bail!("not a training record: {} pieces, result {result}", occupied.count_ones());
    }
    Ok(())
}
