//! Files of training records, read one after the other.

use crate::record::{self, SIZE};
use anyhow::{Context, Result, bail};
use bulletformat::ChessBoard;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use tabiya_files::input;

/// Size of the read buffer, in bytes.
const BUFFER: usize = 1 << 18;

/// Reads the records of some files.
pub(super) struct RecordReader {
    files: std::vec::IntoIter<RecordFile>,
    current: Option<RecordFile>,
    total: u64,
}

struct RecordFile {
    path: PathBuf,
    file: BufReader<File>,
    /// Number of records read.
    read: u64,
    records: u64,
}

impl RecordReader {
    /// Opens the files.
    ///
    /// # Errors
    /// If one cannot be read, is empty, or ends with an incomplete record.
    pub(super) fn open(paths: &[PathBuf]) -> Result<RecordReader> {
        let files = paths.iter().map(|path| RecordFile::open(path)).collect::<Result<Vec<_>>>()?;
        let total = files.iter().map(|file| file.records).sum();
        Ok(RecordReader { files: files.into_iter(), current: None, total })
    }

    /// The number of records of all files.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Returns the next record, or `None` at the end.
    ///
    /// # Errors
    /// If it cannot be read or is broken; the message names file and byte.
    pub(super) fn next(&mut self) -> Result<Option<ChessBoard>> {
        while self.current.as_ref().is_none_or(|file| file.read == file.records) {
            self.current = self.files.next();
            if self.current.is_none() {
                return Ok(None);
            }
        }
        self.current.as_mut().map(RecordFile::next).transpose()
    }
}

impl RecordFile {
    fn open(path: &Path) -> Result<RecordFile> {
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
        let file = BufReader::with_capacity(BUFFER, file);
        Ok(RecordFile { path: path.to_owned(), file, read: 0, records })
    }

    fn next(&mut self) -> Result<ChessBoard> {
        let location = || format!("{}, byte {}", self.path.display(), self.read * SIZE as u64);
        let mut bytes = [0; SIZE];
        self.file.read_exact(&mut bytes).with_context(location)?;
        let record = record::decode(&bytes).with_context(location)?;
        self.read += 1;
        Ok(record)
    }
}
