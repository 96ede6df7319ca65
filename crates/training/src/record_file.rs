//! Files of training records.

use crate::record::{self, SIZE};
use anyhow::{Context as _, Result, ensure};
use bulletformat::ChessBoard;
use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use tabiya_files::input;

/// Size of the read buffer, in records.
pub(crate) const BUFFER: u64 = 1 << 12;

/// A file of records, open for reading.
pub(crate) struct RecordFile {
    path: PathBuf,
    file: BufReader<File>,
    /// Number of the next record.
    next: u64,
    records: u64,
}

impl RecordFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, is empty, or ends with an incomplete record.
    pub(crate) fn open(path: &Path) -> Result<RecordFile> {
        let name = || format!("cannot read {}", path.display());
        let file = input::open(path).with_context(name)?;
        let size = file.metadata().with_context(name)?.len();
        let (records, rest) = (size / SIZE as u64, size % SIZE as u64);
        ensure!(
            rest == 0,
            "{}: {rest} bytes after record {records} (expected records of {SIZE} bytes; is the file truncated?)",
            path.display(),
        );
        ensure!(records > 0, "{} contains no records", path.display());
        let file = BufReader::with_capacity(BUFFER as usize * SIZE, file);
        Ok(RecordFile { path: path.to_owned(), file, next: 0, records })
    }

    /// The number of records.
    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    /// Continues at the record with this number, from 0.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn seek(&mut self, number: u64) -> Result<()> {
        let position = SeekFrom::Start(number * SIZE as u64);
        self.file.seek(position).with_context(|| format!("cannot read {}", self.path.display()))?;
        self.next = number;
        Ok(())
    }

    /// Returns the next record and its bytes, or `None` after the last one.
    ///
    /// # Errors
    /// If it cannot be read, or is broken; the message names file and byte.
    pub(crate) fn next(&mut self) -> Result<Option<(ChessBoard, [u8; SIZE])>> {
        let number = self.next;
        if number >= self.records {
            return Ok(None);
        }
        let (path, byte) = (self.path.display(), number * SIZE as u64);
        let mut bytes = [0; SIZE];
        self.file
            .read_exact(&mut bytes)
            .with_context(|| format!("cannot read {path} from record {number} on"))?;
        let record = record::decode(&bytes)
            .with_context(|| format!("{path}, record {number} (byte {byte}) is broken"))?;
        self.next += 1;
        Ok(Some((record, bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_from_any_place() {
        let record: ChessBoard = "4k3/8/8/3p4/8/8/8/4K2R w - - 0 1 | 0 | 0.5".parse().unwrap();
        let records: Vec<ChessBoard> = (0..9).map(|score| ChessBoard { score, ..record }).collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), records.iter().flat_map(record::encode).collect::<Vec<u8>>()).unwrap();
        let mut reader = RecordFile::open(file.path()).unwrap();
        let mut scores = |first: u64| {
            reader.seek(first).unwrap();
            std::iter::from_fn(|| reader.next().unwrap()).map(|(record, _)| record.score).collect::<Vec<_>>()
        };
        assert_eq!(scores(7), [7, 8]);
        assert_eq!(scores(0).len(), 9);
        assert!(scores(9).is_empty());
        std::fs::write(file.path(), "").unwrap();
        assert!(reader.seek(3).and_then(|()| reader.next()).is_err());
    }
}
