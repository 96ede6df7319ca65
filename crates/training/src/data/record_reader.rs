//! Files of training records, read one after the other.

use crate::record_file::RecordFile;
use anyhow::Result;
use bulletformat::ChessBoard;
use std::path::PathBuf;

/// Reads the records of some files.
pub(super) struct RecordReader {
    /// The files that have not been read to their end.
    files: std::collections::VecDeque<RecordFile>,
    total: u64,
    /// The number of records that have been read.
    read: u64,
}

impl RecordReader {
    /// Opens the files.
    ///
    /// # Errors
    /// If one cannot be read, is empty, or ends with an incomplete record.
    pub(super) fn open(paths: &[PathBuf]) -> Result<RecordReader> {
        let files = paths.iter().map(|path| RecordFile::open(path)).collect::<Result<Vec<_>>>()?;
        let total = files.iter().map(RecordFile::records).sum();
        Ok(RecordReader { files: files.into(), total, read: 0 })
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
        while let Some(file) = self.files.front_mut() {
            if let Some((record, _)) = file.next()? {
                self.read += 1;
                return Ok(Some(record));
            }
            self.files.pop_front();
        }
        Ok(None)
    }

    /// Returns the next records, at most so many, and the number of the first, or `None` at the end.
    ///
    /// # Errors
    /// If a record cannot be read or is broken; the message names file and byte.
    pub(super) fn next_batch(&mut self, size: usize) -> Result<Option<(u64, Vec<ChessBoard>)>> {
        let first = self.read;
        let mut batch = Vec::with_capacity(size);
        while batch.len() < size
            && let Some(record) = self.next()?
        {
            batch.push(record);
        }
        Ok((!batch.is_empty()).then_some((first, batch)))
    }
}
