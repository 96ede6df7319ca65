//! Shuffles training records in bounded memory.
//!
//! First each record goes to a random one of several temporary files. Then each of these is read, shuffled in memory
//! and appended to the output. All orders are equally likely, and the order depends only on the records and the seed.

use crate::record::SIZE;
use anyhow::{Context, Result, bail};
use rand::RngExt;
use rand::seq::SliceRandom;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use tabiya_files::output::{Existing, OutputFile};
use tabiya_lab_common::random::{Random, seeded};

/// Size of the write buffer of a temporary file, in bytes.
const BUFFER: usize = 1 << 16;

/// Most temporary files that are open at the same time; systems allow 256 at least.
const MAX_BUCKETS: u64 = 200;

/// Minimum of `--memory`, in MiB.
pub(super) const MIN_MEMORY_MIB: u32 = 16;

/// Records on their way to a shuffled file.
pub(super) struct Shuffler {
    output: OutputFile,
    path: PathBuf,
    buckets: Vec<Bucket>,
    random: Random,
    records: u64,
}

struct Bucket {
    file: BufWriter<File>,
    records: u64,
}

impl Shuffler {
    /// Starts a shuffled file of at most about `max_records` records, with this much memory. The temporary files are in
    /// the folder of the output and vanish with the process.
    ///
    /// # Errors
    /// If the output or a temporary file cannot be created, or the memory is too small for so many records.
    pub(super) fn create(
        path: &Path,
        existing: Existing,
        inputs: &[&Path],
        max_records: u64,
        memory_mib: u32,
        seed: u64,
    ) -> Result<Shuffler> {
        let memory = u64::from(memory_mib.max(MIN_MEMORY_MIB)) << 20;
        // Half for the records of one bucket, whose number varies by chance, and the rest for buffers and file cache.
        let count = (max_records.saturating_mul(SIZE as u64) / (memory / 2) + 1).max(1);
        if count > MAX_BUCKETS {
            bail!(
                "cannot shuffle {max_records} records with {memory_mib} MiB; use --memory {}",
                memory_mib.saturating_mul(u32::try_from(count.div_ceil(MAX_BUCKETS)).unwrap_or(u32::MAX))
            );
        }
        let output = OutputFile::create(path, existing, inputs)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let bucket = || {
            let file = tempfile::tempfile_in(folder)
                .with_context(|| format!("cannot create a temporary file in {}", folder.display()))?;
            Ok(Bucket { file: BufWriter::with_capacity(BUFFER, file), records: 0 })
        };
        let buckets = (0..count).map(|_| bucket()).collect::<Result<_>>()?;
        Ok(Shuffler { output, path: path.to_owned(), buckets, random: seeded(seed), records: 0 })
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If it cannot be written, as on a full disk.
    pub(super) fn add(&mut self, record: &[u8; SIZE]) -> Result<()> {
        let index = self.random.random_range(..self.buckets.len() as u64);
        // The index is in range.
        if let Some(bucket) = self.buckets.get_mut(index as usize) {
            bucket.records += 1;
            bucket.file.write_all(record).with_context(|| temporary_file_error(&self.path))?;
        }
        self.records += 1;
        Ok(())
    }

    /// Number of records.
    pub(super) fn records(&self) -> u64 {
        self.records
    }

    /// Shuffles the records into the output and completes it.
    ///
    /// # Errors
    /// If that fails, as on a full disk. The output does not exist then.
    pub(super) fn finish(self) -> Result<()> {
        let Shuffler { mut output, path, buckets, mut random, .. } = self;
        let mut records: Vec<[u8; SIZE]> = Vec::new();
        for bucket in buckets {
            let error = || temporary_file_error(&path);
            let mut file =
                bucket.file.into_inner().map_err(|error| error.into_error()).with_context(error)?;
            file.rewind().with_context(error)?;
            let count = usize::try_from(bucket.records).context("too many records for one bucket")?;
            records.clear();
            records.try_reserve_exact(count).context("not enough memory; use a smaller --memory")?;
            records.resize(count, [0; SIZE]);
            file.read_exact(records.as_flattened_mut()).with_context(error)?;
            drop(file);
            records.shuffle(&mut random);
            output.write_all(records.as_flattened())?;
        }
        output.commit()?;
        Ok(())
    }
}

fn temporary_file_error(output: &Path) -> String {
    format!("cannot use a temporary file in the folder of {}", output.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(count: u64, max_records: u64, seed: u64) -> Vec<u64> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bullet");
        let mut shuffler = Shuffler::create(&path, Existing::Refuse, &[], max_records, 0, seed).unwrap();
        for number in 0..count {
            let mut record = [0; SIZE];
            record[..8].copy_from_slice(&number.to_le_bytes());
            shuffler.add(&record).unwrap();
        }
        assert_eq!(shuffler.records(), count);
        shuffler.finish().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
        let bytes = std::fs::read(&path).unwrap();
        bytes
            .as_chunks::<SIZE>()
            .0
            .iter()
            .map(|record| u64::from_le_bytes(*record.first_chunk().unwrap()))
            .collect()
    }

    #[test]
    fn order_depends_on_the_seed_alone() {
        // The second number of records asks for several buckets.
        for max_records in [100, 2_000_000] {
            let first = shuffled(3000, max_records, 1);
            assert_eq!(first, shuffled(3000, max_records, 1));
            assert_ne!(first, shuffled(3000, max_records, 2));
            let mut sorted = first.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(0..3000));
            // Neighbours are far apart: about 1000 on average.
            let distance: u64 = first.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum::<u64>() / 2999;
            assert!((900..1100).contains(&distance), "{distance}");
        }
        assert!(shuffled(0, 0, 1).is_empty());
    }

    #[test]
    fn too_little_memory_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bullet");
        let error =
            Shuffler::create(&path, Existing::Refuse, &[], 1 << 40, 100, 1).err().unwrap().to_string();
        assert!(error.contains("with 100 MiB; use --memory "), "{error}");
        assert!(!path.exists());
    }
}
