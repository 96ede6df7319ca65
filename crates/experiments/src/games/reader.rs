//! Reads the games of a file one after the other.

use super::record::{END_MARK, GameRecord, START_SIZE, check_start, identity};
use anyhow::{Context, Result, anyhow, bail};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use tabiya_files::input;

/// Size of the read buffer, in bytes.
const BUFFER: usize = 1 << 18;

/// The largest size of a game, in bytes: far more than the longest possible game takes.
const MAX_GAME: usize = 1 << 16;

/// A game as its bytes: the start position, the moves and the end mark. Its moves have not been checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawGame {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl RawGame {
    /// Unpacks the game.
    ///
    /// # Errors
    /// If it is damaged; the message says at which byte of the file.
    pub fn unpack(&self) -> Result<GameRecord> {
        GameRecord::from_bytes(&self.bytes)
            .map_err(|error| anyhow!("byte {}: {}", self.offset + error.offset as u64, error.message))
    }

    /// Number of positions from which a move was played.
    pub fn positions(&self) -> u64 {
        (self.bytes.len().saturating_sub(START_SIZE) / END_MARK.len()).saturating_sub(1) as u64
    }

    /// A hash of the start position and the moves: the same for all copies of a game, whatever their scores.
    pub fn identity(&self) -> u64 {
        identity(&self.bytes)
    }
}

/// A file of games, open for reading.
pub struct GameFile {
    path: PathBuf,
    input: BufReader<File>,
    /// Size of the file when it was opened, in bytes.
    size: u64,
    /// Offset of the next game, in bytes.
    offset: u64,
    /// Size of the incomplete game at the end, in bytes.
    incomplete_bytes: u64,
}

impl GameFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or is not a regular file.
    pub fn open(path: &Path) -> Result<GameFile> {
        let name = || format!("cannot read {}", path.display());
        let file = input::open(path).with_context(name)?;
        let size = file.metadata().with_context(name)?.len();
        let input = BufReader::with_capacity(BUFFER, file);
        Ok(GameFile { path: path.to_owned(), input, size, offset: 0, incomplete_bytes: 0 })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Size of the file when it was opened, in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Offset after the last complete game that was read, in bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Size of the incomplete game at the end of the file, in bytes; 0 before the end has been reached.
    pub fn incomplete_bytes(&self) -> u64 {
        self.incomplete_bytes
    }

    /// Returns the next complete game, or `None` at the end of the file or before an incomplete game. If only zeros follow a game,
    /// it is incomplete, too: they may have replaced its last moves.
    ///
    /// # Errors
    /// If the file cannot be read or is not a file of games. The message names file and byte.
    #[expect(clippy::should_implement_trait, reason = "the error is outside of the option")]
    pub fn next(&mut self) -> Result<Option<RawGame>> {
        let mut start = [0; START_SIZE];
        let length = self.fill(&mut start)?;
        if length < START_SIZE {
            self.incomplete_bytes = length as u64;
            return Ok(None);
        }
        if let Err(error) = check_start(&start) {
            bail!("{}, byte {}: not a game in viriformat: {error}", self.path.display(), self.offset);
        }
        let mut bytes = start.to_vec();
        loop {
            let mut chunk = [0; END_MARK.len()];
            let length = self.fill(&mut chunk)?;
            if length < chunk.len() {
                self.incomplete_bytes = (bytes.len() + length) as u64;
                return Ok(None);
            }
            bytes.extend(chunk);
            if chunk == END_MARK {
                let end = self.offset + bytes.len() as u64;
                if let Some(zeros) = self.trailing_zeros(end)? {
                    self.incomplete_bytes = bytes.len() as u64 + zeros;
                    return Ok(None);
                }
                let offset = self.offset;
                self.offset += bytes.len() as u64;
                return Ok(Some(RawGame { offset, bytes }));
            }
            let at = self.offset + (bytes.len() - chunk.len()) as u64;
            if chunk[..2] == [0; 2] {
                bail!("{}, byte {at}: neither a move nor the end of a game", self.path.display());
            }
            if bytes.len() > MAX_GAME {
                bail!("{}, byte {}: the game has no end", self.path.display(), self.offset);
            }
        }
    }

    /// Returns the next complete game as [`next`](GameFile::next) does, and tells the user about an incomplete one.
    ///
    /// # Errors
    /// As `next`.
    pub fn next_or_note(&mut self) -> Result<Option<RawGame>> {
        let game = self.next()?;
        if game.is_none() {
            note_incomplete(&self.path, self.offset, self.incomplete_bytes as usize);
        }
        Ok(game)
    }

    /// Returns the number of bytes from `position`, the current one, to the end of the file if there are some and all are zero.
    fn trailing_zeros(&mut self, position: u64) -> Result<Option<u64>> {
        let path = self.path.clone();
        let name = || format!("cannot read {}", path.display());
        // The occupied squares of a start position, or a part of them at the end of the buffer.
        let next = self.input.fill_buf().with_context(name)?;
        if next.is_empty() || next.iter().take(8).any(|&byte| byte != 0) {
            return Ok(None);
        }
        let mut zeros = 0;
        loop {
            let next = self.input.fill_buf().with_context(name)?;
            let length = next.len();
            if length == 0 {
                return Ok(Some(zeros));
            }
            if next.iter().any(|&byte| byte != 0) {
                self.input.seek(SeekFrom::Start(position)).with_context(name)?;
                return Ok(None);
            }
            self.input.consume(length);
            zeros += length as u64;
        }
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        input::read_up_to(&mut self.input, buffer)
            .with_context(|| format!("cannot read {}", self.path.display()))
    }
}

/// Tells the user about an incomplete game at the end of a file, unless it has no bytes.
fn note_incomplete(path: &Path, offset: u64, bytes: usize) {
    if bytes > 0 {
        // Ignore errors: a closed standard error must not end the run.
        let _ = writeln!(
            std::io::stderr(),
            "{}, byte {offset}: leaving out the incomplete game at the end ({bytes} bytes)",
            path.display(),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::test_games::random_games;

    fn read(bytes: &[u8]) -> Result<(Vec<GameRecord>, u64)> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let mut games = Vec::new();
        let mut reader = GameFile::open(file.path())?;
        while let Some(game) = reader.next()? {
            games.push(game.unpack()?);
        }
        Ok((games, reader.incomplete_bytes()))
    }

    fn error(bytes: &[u8]) -> String {
        let text = format!("{:#}", read(bytes).unwrap_err());
        text[text.find("byte").unwrap()..].to_owned()
    }

    #[test]
    fn games_round_trip() {
        let games = random_games(20, 4);
        let bytes: Vec<u8> = games.iter().flat_map(GameRecord::to_bytes).collect();
        assert_eq!(read(&bytes).unwrap(), (games, 0));
        assert_eq!(read(b"").unwrap(), (vec![], 0));
    }

    #[test]
    fn a_truncated_game_is_left_out() {
        let games = random_games(2, 5);
        let bytes: Vec<u8> = games.iter().flat_map(GameRecord::to_bytes).collect();
        let first = games[0].to_bytes().len();
        for length in 0..bytes.len() {
            let complete = usize::from(length >= first);
            let incomplete = length - if complete == 1 { first } else { 0 };
            assert_eq!(read(&bytes[..length]).unwrap(), (games[..complete].to_vec(), incomplete as u64));
        }
    }

    #[test]
    fn a_game_before_zeros_is_left_out() {
        let games = random_games(3, 8);
        let bytes: Vec<u8> = games.iter().flat_map(GameRecord::to_bytes).collect();
        let last = bytes.len() - games[2].to_bytes().len();
        // At the end of a game, and within its moves.
        for end in [bytes.len(), bytes.len() - 22, bytes.len() - 41] {
            for zeros in [30, 32, 1000, 3 * BUFFER] {
                let damaged = [&bytes[..end], &vec![0; zeros]].concat();
                let expected = (games[..2].to_vec(), (damaged.len() - last) as u64);
                assert_eq!(read(&damaged).unwrap(), expected, "{end} {zeros}");
            }
        }
        // Zeros that something follows are damage.
        let damaged = [&bytes[..], &[0; 100], &bytes[..]].concat();
        assert!(error(&damaged).starts_with(&format!("byte {}: not a game", bytes.len())));
    }

    #[test]
    fn damage_is_located() {
        let games = random_games(2, 6);
        let first = games[0].to_bytes();
        let with = |at: usize, value: &[u8]| {
            let mut bytes: Vec<u8> = games.iter().flat_map(GameRecord::to_bytes).collect();
            bytes[first.len() + at..][..value.len()].copy_from_slice(value);
            error(&bytes)
        };
        let at = |offset: usize| format!("byte {}: ", first.len() + offset);
        // A move from h8 to h8.
        let illegal = with(START_SIZE + 8, &[0xff, 0x0f]);
        assert!(illegal.starts_with(&(at(START_SIZE + 8) + "0x0fff is not a legal move in ")), "{illegal}");
        let result = with(30, &[3]);
        assert!(result.starts_with(&at(0)) && result.contains("3 half-points"), "{result}");
        let pieces = with(0, &[0; 8]);
        assert!(pieces.starts_with(&at(0)) && pieces.contains("0 pieces"), "{pieces}");
        let nibble = with(8, &[0xff]);
        assert!(nibble.starts_with(&(at(0) + "not a start position: invalid piece 15")), "{nibble}");
        let end = with(START_SIZE + 4, &[0, 0, 1, 0]);
        assert_eq!(end, at(START_SIZE + 4) + "neither a move nor the end of a game");
    }

    #[test]
    fn files_of_other_formats_are_rejected() {
        for bytes in [&b"4k3/8/8/8/8/8/8/4K2R w K - 0 1; 1-0\n"[..], &[b'x'; 100], &[0; 40]] {
            assert!(error(bytes).starts_with("byte 0: not a game in viriformat"), "{}", error(bytes));
        }
        let endless = [&random_games(1, 7)[0].to_bytes()[..START_SIZE], &[9; MAX_GAME]].concat();
        assert_eq!(error(&endless), "byte 0: the game has no end");
    }

    #[cfg(unix)]
    #[test]
    fn special_files_are_rejected() {
        let text = |path: &str| format!("{:#}", GameFile::open(Path::new(path)).err().unwrap());
        assert_eq!(text("/"), "cannot read /: it is a directory, not a regular file");
        assert_eq!(text("/dev/zero"), "cannot read /dev/zero: it is a device, not a regular file");
    }
}
