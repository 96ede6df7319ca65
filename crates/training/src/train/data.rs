//! Data files: a survey of their contents, and a reader thread that makes mini-batches of them.
//!
//! A file is read in pieces, in an order that the seed and the epoch determine. The pieces of all files are mixed in a
//! buffer, which is shuffled; so memory does not grow with the data.

use crate::record;
use crate::record_file::{self, RecordFile};
use crate::sha256::hexadecimal;
use anyhow::{Context as _, Result, bail};
use bulletformat::ChessBoard;
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use tabiya_lab_common::random::{self, Random};

/// Records that are read at once. A buffer has many pieces, so that the shares of the files in it hardly vary.
const PIECE: u64 = record_file::BUFFER;

/// Mini-batches that the reader prepares ahead.
const QUEUE: usize = 4;

/// The contents of a data file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct DataFile {
    #[serde(serialize_with = "lossy")]
    pub(super) path: PathBuf,
    pub(super) records: u64,
    /// Positions of games that the side to move lost, drew and won.
    pub(super) results: [u64; 3],
    /// SHA-256 of the file, in hexadecimal digits.
    pub(super) sha256: String,
}

/// Serialises a path, in which bytes that are not UTF-8 are replaced. Serde refuses such a path.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

impl DataFile {
    /// Reads a file once, checks every record and counts the results.
    ///
    /// # Errors
    /// If the file cannot be read, is empty, or contains a broken record.
    pub(super) fn survey(path: &Path) -> Result<DataFile> {
        let mut file = RecordFile::open(path)?;
        let mut hasher = Sha256::new();
        let mut results = [0; 3];
        while let Some((record, bytes)) = file.next()? {
            hasher.update(bytes);
            results[usize::from(record.result)] += u64::from(!record::is_score_only(&record));
        }
        let sha256 = hexadecimal(&hasher.finalize());
        Ok(DataFile { path: path.to_owned(), records: file.records(), results, sha256 })
    }
}

/// Checks that the results of some files can be learned from: they differ, or no record has one.
///
/// # Errors
/// If all games ended alike.
pub(super) fn check_results(files: &[DataFile]) -> Result<()> {
    let total = |result: usize| files.iter().map(|file| file.results[result]).sum::<u64>();
    if (0..3).all(|result| total(result) == 0) {
        return Ok(());
    }
    for (result, name) in ["lost", "drawn", "won"].into_iter().enumerate() {
        if [0, 1, 2].into_iter().all(|other| other == result || total(other) == 0) {
            bail!(
                "all {} records are {name} for the side to move; only the scores can be learned (--lambda 1)",
                total(result)
            );
        }
    }
    Ok(())
}

/// Reads all records of a surveyed file.
///
/// # Errors
/// If it cannot be read, or has changed.
pub(super) fn read_all(file: &DataFile) -> Result<Vec<ChessBoard>> {
    let mut records = Vec::new();
    for piece in Piece::of(std::slice::from_ref(file)) {
        piece.read(&file.path, &mut records)?;
    }
    Ok(records)
}

/// Mini-batches of the records of some files, in an order that depends on the seed only.
#[derive(Clone, Debug)]
pub(super) struct DataLoader {
    pub(super) files: Vec<DataFile>,
    /// Records of a mini-batch.
    batch: usize,
    /// Records that are shuffled together.
    buffer: u64,
    seed: u64,
}

impl DataLoader {
    /// A mini-batch has `batch` records, or all if there are fewer.
    pub(super) fn new(files: Vec<DataFile>, batch: usize, buffer: u64, seed: u64) -> DataLoader {
        let records: u64 = files.iter().map(|file| file.records).sum();
        DataLoader { files, batch: batch.min(records as usize).max(1), buffer, seed }
    }

    /// Records of all files.
    pub(super) fn records(&self) -> u64 {
        self.files.iter().map(|file| file.records).sum()
    }

    /// Records of a mini-batch.
    pub(super) fn batch(&self) -> usize {
        self.batch
    }

    /// Mini-batches of an epoch. The records that are left over are different ones in each epoch.
    pub(super) fn per_epoch(&self) -> u64 {
        self.records() / self.batch as u64
    }

    /// Starts a thread that reads mini-batches from number `first` on. It ends with the receiver.
    ///
    /// # Errors
    /// If the thread cannot be started. Errors of reading are sent instead of a mini-batch.
    pub(super) fn read_from(&self, first: u64) -> Result<Receiver<Result<Vec<ChessBoard>>>> {
        let (sender, receiver) = mpsc::sync_channel(QUEUE);
        let batches = self.clone();
        let read = move || {
            let mut skip = first % batches.per_epoch();
            for epoch in first / batches.per_epoch().. {
                let send = |batch| sender.send(batch).is_ok();
                match batches.read_epoch(epoch, skip, |batch| send(Ok(batch))) {
                    Ok(true) => skip = 0,
                    Ok(false) => return,
                    Err(error) => {
                        send(Err(error));
                        return;
                    }
                }
            }
        };
        std::thread::Builder::new().name("reader".to_owned()).spawn(read)?;
        Ok(receiver)
    }

    /// Reads the mini-batches of an epoch but the first `skip`, until `send` returns false. Returns its last result.
    fn read_epoch(
        &self,
        epoch: u64,
        skip: u64,
        mut send: impl FnMut(Vec<ChessBoard>) -> bool,
    ) -> Result<bool> {
        let mut random = random::substream(self.seed, epoch);
        let mut pieces = Piece::of(&self.files);
        pieces.shuffle(&mut random);
        let seed = random.next_u64();
        let mut skip = skip * self.batch as u64;
        let mut left = self.per_epoch() - skip / self.batch as u64;
        let mut records: Vec<ChessBoard> = Vec::new();
        let buffers = pieces.chunks((self.buffer / PIECE).max(1) as usize);
        for (number, buffer) in (0..).zip(buffers) {
            let length: u64 = buffer.iter().map(|piece| piece.records).sum();
            if skip >= length {
                skip -= length;
                continue;
            }
            // The end of the buffer before stays in front, as it is.
            let start = records.len();
            for piece in buffer {
                piece.read(&self.files[piece.file].path, &mut records)?;
            }
            shuffle(&mut records[start..], random::substream(seed, number));
            records.drain(..std::mem::take(&mut skip) as usize);
            let whole = (records.len() / self.batch).min(left as usize) * self.batch;
            for batch in records[..whole].chunks_exact(self.batch) {
                left -= 1;
                if !send(batch.to_vec()) {
                    return Ok(false);
                }
            }
            records.drain(..whole);
        }
        Ok(true)
    }
}

fn shuffle(records: &mut [ChessBoard], mut random: Random) {
    records.shuffle(&mut random);
}

/// Adjacent records of a file.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Index of the file.
    file: usize,
    start: u64,
    records: u64,
}

impl Piece {
    /// Divides files into pieces.
    fn of(files: &[DataFile]) -> Vec<Piece> {
        let pieces = |(file, data): (usize, &DataFile)| {
            let end = data.records;
            let starts = (0..end).step_by(PIECE as usize);
            starts.map(move |start| Piece { file, start, records: PIECE.min(end - start) })
        };
        files.iter().enumerate().flat_map(pieces).collect()
    }

    /// Appends the records to `records`.
    fn read(self, path: &Path, records: &mut Vec<ChessBoard>) -> Result<()> {
        let mut file = RecordFile::open(path)?;
        file.seek(self.start)?;
        for _ in 0..self.records {
            let (record, _) =
                file.next()?.with_context(|| format!("{} has been truncated", path.display()))?;
            records.push(record);
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::record::encode;

    /// Writes records to a file and surveys it.
    pub(in crate::train) fn data_file(path: &Path, records: &[ChessBoard]) -> DataFile {
        let bytes: Vec<u8> = records.iter().flat_map(encode).collect();
        std::fs::write(path, bytes).unwrap();
        DataFile::survey(path).unwrap()
    }

    /// Records that differ in their scores.
    fn records(scores: std::ops::Range<i16>) -> Vec<ChessBoard> {
        let text = "4k3/8/8/3p4/8/8/8/4K2R w - - 0 1 | 0 | 0.5";
        let record: ChessBoard = text.parse().unwrap();
        scores.map(|score| ChessBoard { score, ..record }).collect()
    }

    fn scores(batches: &DataLoader, first: u64, count: u64) -> Vec<Vec<i16>> {
        let receiver = batches.read_from(first).unwrap();
        let batch = || receiver.recv().unwrap().unwrap().iter().map(|record| record.score).collect();
        (0..count).map(|_| batch()).collect()
    }

    #[test]
    fn epochs_contain_the_records_of_all_files_once() {
        let folder = tempfile::tempdir().unwrap();
        let files = vec![
            data_file(&folder.path().join("a"), &records(0..700)),
            data_file(&folder.path().join("b"), &records(700..1000)),
        ];
        let batches = DataLoader::new(files, 100, 1 << 20, 3);
        assert_eq!((batches.records(), batches.per_epoch()), (1000, 10));
        let read = scores(&batches, 0, 20);
        for epoch in [0, 10] {
            let mut all = read[epoch..epoch + 10].concat();
            all.sort_unstable();
            assert_eq!(all, (0..1000).collect::<Vec<_>>());
        }
        assert_ne!(read[0], read[10]);
        assert!(read[0].iter().any(|&score| score < 700) && read[0].iter().any(|&score| score >= 700));
        assert_ne!(scores(&DataLoader { seed: 4, ..batches.clone() }, 0, 1)[0], read[0]);
        for first in [1, 7, 10, 13] {
            assert_eq!(scores(&batches, first, 3), read[first as usize..][..3], "{first}");
        }
    }

    #[test]
    fn buffers_and_batches_need_not_divide_the_data() {
        let folder = tempfile::tempdir().unwrap();
        let record = records(0..1)[0];
        let path = folder.path().join("a");
        let count = 3 * PIECE as usize + 500;
        let many: Vec<ChessBoard> =
            (0..count).map(|index| ChessBoard { score: (index % 30_000) as i16, ..record }).collect();
        let batches = DataLoader::new(vec![data_file(&path, &many)], 617, PIECE, 3);
        let read = scores(&batches, 0, batches.per_epoch());
        assert_eq!(batches.per_epoch(), (3 * PIECE + 500) / 617);
        assert!(read.iter().all(|batch| batch.len() == 617));
        for first in [5, 6, 7, 19] {
            assert_eq!(scores(&batches, first, 1)[0], read[first as usize], "{first}");
        }
        let small = DataLoader::new(vec![data_file(&path, &records(0..5))], 100, PIECE, 3);
        assert_eq!((small.batch(), small.per_epoch()), (5, 1));
    }

    #[test]
    fn broken_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let error = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let text = format!("{:#}", DataFile::survey(&path).unwrap_err());
            text.replace(&path.display().to_string(), "FILE")
        };
        assert_eq!(error(&[]), "FILE contains no records");
        let good: Vec<u8> = records(0..3).iter().flat_map(encode).collect();
        let text = error(&good[..70]);
        assert!(text.starts_with("FILE: 6 bytes after record 2 (expected records of 32 bytes"), "{text}");
        let mut broken = good.clone();
        broken[32 + 26] = 9;
        assert_eq!(
            error(&broken),
            "FILE, record 1 (byte 32) is broken: result 9 (expected 0 to 2 half-points)"
        );
        let text = format!("{:#}", DataFile::survey(folder.path()).unwrap_err());
        assert!(text.contains("it is a directory, not a regular file"), "{text}");
        let survey = data_file(&path, &records(0..3));
        assert_eq!((survey.records, survey.results), (3, [0, 3, 0]));
        // The file shrinks after the survey.
        std::fs::write(&path, &good[..32]).unwrap();
        let text = format!("{:#}", read_all(&survey).unwrap_err());
        assert!(text.contains("has been truncated"), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_text_are_serialised() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"b\xff.bullet")).to_owned();
        let file = DataFile { path, records: 1, results: [0, 0, 1], sha256: String::new() };
        assert_eq!(serde_json::to_value(file).unwrap()["path"], "b\u{fffd}.bullet");
    }

    #[test]
    fn hash_is_sha256() {
        let folder = tempfile::tempdir().unwrap();
        let survey = data_file(&folder.path().join("a"), &records(0..1));
        // As `sha256sum` computes it of this record.
        assert_eq!(survey.sha256, "e7bd71b77a81358d6756ca76c1171ff99786fcddc29e8ca1b9bcf47b2812c289");
    }

    #[test]
    fn results_that_are_all_alike_are_refused() {
        let file =
            |results| DataFile { path: PathBuf::from("a"), records: 0, results, sha256: String::new() };
        assert!(check_results(&[file([1, 0, 0]), file([0, 1, 0])]).is_ok());
        let text = check_results(&[file([0, 0, 5]), file([0, 0, 2])]).unwrap_err().to_string();
        assert!(text.starts_with("all 7 records are won for the side to move"), "{text}");
    }
}
