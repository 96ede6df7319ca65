//! The file format of `datagen` before whole games were kept, so that its positions can still be exported. May be
//! removed when no such files are in use.
//!
//! After a header of 64 bytes come the games, each as its position records (see
//! [`old_position`](super::old_position)) followed by an end record of 32 bytes:
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | game number |
//! | 8-11 | number of positions |
//! | 12-15 | length of the game in plies, opening included |
//! | 16-23 | FNV-1a hash of the position records and of bytes 0 to 15 of this record |
//! | 24-29 | zeros |
//! | 30 | result: White's half-points, 0 to 2 |
//! | 31 | 1; distinguishes the record from a position record |

use super::old_position::{OldPosition, SIZE};
use anyhow::{Context, Result, anyhow, bail};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use tabiya_core::SplitMix64;
use tabiya_experiments::games::note_incomplete;
use tabiya_files::input;
use tabiya_workspace::fingerprint::fingerprint;

/// Magic bytes at the start of every file.
const MAGIC: [u8; 8] = *b"TABIYADG";
const HEADER_SIZE: usize = 64;
/// Last byte of an end record.
const GAME_END: u8 = 1;
/// Largest size of the positions of a game, in bytes.
const MAX_GAME: usize = 1 << 20;

/// The quiet positions of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OldGame {
    /// Offset in the file, in bytes.
    offset: u64,
    records: Vec<u8>,
}

impl OldGame {
    /// Unpacks the positions.
    ///
    /// # Errors
    /// If one is damaged; the message says at which byte.
    pub(super) fn unpack(&self) -> Result<Vec<OldPosition>> {
        let unpack = |(index, record): (usize, &[u8; SIZE])| {
            let offset = self.offset + (index * SIZE) as u64;
            OldPosition::from_bytes(record).map_err(|error| anyhow!("byte {offset}: {error}"))
        };
        self.records.as_chunks().0.iter().enumerate().map(unpack).collect()
    }

    /// A hash of the positions, which stands for the game.
    pub(super) fn identity(&self) -> u64 {
        SplitMix64::new(fingerprint(&self.records)).next_u64()
    }
}

/// A file, open for reading.
pub(super) struct OldFile {
    path: PathBuf,
    input: BufReader<File>,
    /// Offset of the next game, in bytes.
    offset: u64,
}

/// Returns true if a file has the old format.
///
/// # Errors
/// If it cannot be read.
pub(super) fn has_old_format(path: &Path) -> Result<bool> {
    let name = || format!("cannot read {}", path.display());
    let mut start = Vec::new();
    input::open(path)
        .with_context(name)?
        .take(MAGIC.len() as u64)
        .read_to_end(&mut start)
        .with_context(name)?;
    Ok(start == MAGIC)
}

impl OldFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or has another format.
    pub(super) fn open(path: &Path) -> Result<OldFile> {
        let name = || format!("cannot read {}", path.display());
        let mut input = BufReader::with_capacity(1 << 18, input::open(path).with_context(name)?);
        let mut header = [0; HEADER_SIZE];
        input.read_exact(&mut header).with_context(name)?;
        let expected = [&MAGIC[..], &1_u32.to_le_bytes(), &(SIZE as u32).to_le_bytes()].concat();
        if !header.starts_with(&expected) {
            bail!("{}, byte 0: not a file of positions, version 1", path.display());
        }
        Ok(OldFile { path: path.to_owned(), input, offset: HEADER_SIZE as u64 })
    }

    /// Returns the next complete game, or `None` at the end of the file or before an incomplete game, of which the user is told.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub(super) fn next(&mut self) -> Result<Option<OldGame>> {
        let mut records = Vec::new();
        loop {
            let mut record = [0; SIZE];
            let length = input::read_up_to(&mut self.input, &mut record)
                .with_context(|| format!("cannot read {}", self.path.display()))?;
            if length < SIZE {
                note_incomplete(&self.path, self.offset, records.len() + length);
                return Ok(None);
            }
            let error = |message| anyhow!("{}, byte {}: {message}", self.path.display(), self.offset);
            match record[SIZE - 1] {
                0 if records.len() < MAX_GAME => records.extend(record),
                GAME_END => {
                    let hash = fingerprint(&[&records[..], &record[..16]].concat());
                    if record[16..24] != hash.to_le_bytes() {
                        return Err(error("the game is damaged (wrong checksum)"));
                    }
                    let offset = self.offset;
                    self.offset += (records.len() + SIZE) as u64;
                    return Ok(Some(OldGame { offset, records }));
                }
                _ => return Err(error("the game is damaged (unknown record)")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::old_position::tests::pack;
    use tabiya_movegen::Position;

    fn file() -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &1_u32.to_le_bytes(), &32_u32.to_le_bytes(), &[0; 48]].concat();
        for number in 0..2_u64 {
            let mut game = pack(&Position::startpos(), 35, 2).repeat(3);
            game.extend([&number.to_le_bytes()[..], &3_u32.to_le_bytes(), &90_u32.to_le_bytes()].concat());
            game.extend(fingerprint(&game).to_le_bytes());
            game.extend([0, 0, 0, 0, 0, 0, 2, GAME_END]);
            bytes.extend(game);
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Vec<OldPosition>> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        assert_eq!(has_old_format(file.path()).unwrap(), bytes.starts_with(&MAGIC));
        let mut positions = Vec::new();
        let mut reader = OldFile::open(file.path())?;
        while let Some(game) = reader.next()? {
            positions.extend(game.unpack()?);
        }
        Ok(positions)
    }

    #[test]
    fn positions_are_read() {
        let bytes = file();
        let expected = OldPosition { position: Position::startpos(), score: 35, half_points: 2 };
        assert_eq!(read(&bytes).unwrap(), vec![expected.clone(); 6]);
        // An incomplete game is left out.
        assert_eq!(read(&bytes[..bytes.len() - 1]).unwrap(), vec![expected; 3]);
    }

    #[test]
    fn damage_is_located() {
        let error_with = |at: usize, value| {
            let mut bytes = file();
            bytes[at] = value;
            let error = format!("{:#}", read(&bytes).unwrap_err());
            error[error.find("byte").unwrap()..].to_owned()
        };
        assert_eq!(error_with(64 + 128 + 40, 7), "byte 192: the game is damaged (wrong checksum)");
        assert_eq!(error_with(64 + 31, 9), "byte 64: the game is damaged (unknown record)");
        assert_eq!(error_with(8, 2), "byte 0: not a file of positions, version 1");
    }
}
