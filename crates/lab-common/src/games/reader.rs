//! Reads the games of a file one after the other.

use super::record::{END_MARK, GameError, GameRecord, START_SIZE, check_start, identity};
use super::replay::Replay;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use tabiya_files::input;

/// Bytes read at a time.
const BLOCK: usize = 1 << 18;

/// The largest size of a game, in bytes: far more than the longest possible game takes.
const MAX_GAME: usize = 1 << 16;

/// Bytes after which a complete game has ended.
const COMPLETE: usize = MAX_GAME + START_SIZE;

/// Games of a batch.
const BATCH: usize = 64;

/// A game as its bytes: the start position, the moves and the end mark. Its moves have not been checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawGame {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl RawGame {
    /// Reads the start position and the result, to replay the game.
    ///
    /// # Errors
    /// If they are damaged; the message says at which byte of the file.
    pub fn replay(&self) -> Result<Replay<'_>, GameError> {
        Replay::new(&self.bytes, self.offset)
    }

    /// Unpacks the game.
    ///
    /// # Errors
    /// If it is damaged; the message says at which byte of the file.
    pub fn unpack(&self) -> Result<GameRecord, GameError> {
        self.replay()?.record()
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

/// The treatment of damaged games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damage {
    /// The moves of the games are not checked, only where games end: for those who play them.
    Unchecked,
    /// Every game is checked. A damaged one is an error.
    Refused,
    /// Every game is checked. The user is told of a damaged one, and reading goes on with the next game that is not damaged.
    Skipped,
}

/// A file of games, open for reading.
pub struct GameFile {
    path: PathBuf,
    file: File,
    /// Size of the file when it was opened, in bytes.
    size: u64,
    /// Bytes that have been read, of which those before `start` belong to earlier games.
    buffer: Vec<u8>,
    start: usize,
    /// Offset of the next game, in bytes.
    offset: u64,
    /// Size of the incomplete game at the end, in bytes.
    incomplete_bytes: u64,
    damage: Damage,
}

impl GameFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or is not a regular file.
    pub fn open(path: &Path, damage: Damage) -> Result<GameFile> {
        let name = || format!("cannot read {}", path.display());
        let file = input::open(path).with_context(name)?;
        let size = file.metadata().with_context(name)?.len();
        let path = path.to_owned();
        Ok(GameFile {
            path,
            file,
            size,
            buffer: Vec::new(),
            start: 0,
            offset: 0,
            incomplete_bytes: 0,
            damage,
        })
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
    /// If the file cannot be read or is not a file of games, or a game is damaged. The message names file and byte.
    #[expect(clippy::should_implement_trait, reason = "the error is outside of the option")]
    pub fn next(&mut self) -> Result<Option<RawGame>> {
        loop {
            let error = match self.complete_game()? {
                Ok(Some(game)) if self.damage == Damage::Unchecked => return Ok(Some(self.take(game))),
                Ok(Some(game)) => match game.unpack() {
                    Ok(_) => return Ok(Some(self.take(game))),
                    Err(error) => error,
                },
                Ok(None) => return Ok(None),
                Err(error) => error,
            };
            if self.damage != Damage::Skipped {
                bail!("{}, {error}", self.path.display());
            }
            let skipped = self.skip_damage()?;
            note(&format!("{}, {error}; skipping {skipped} bytes", self.path.display()));
        }
    }

    /// The next complete game as [`next`](GameFile::next) returns it, before its moves are checked. The inner error is damage.
    fn complete_game(&mut self) -> Result<Result<Option<RawGame>, GameError>> {
        let mut length = 0;
        let bytes = loop {
            match self.find_end(length) {
                Ok(Some(end)) => break self.buffer[self.start..][..end].to_vec(),
                Ok(None) => {}
                Err(error) => return Ok(Err(error)),
            }
            length = self.buffer.len() - self.start;
            if self.read_block()? == 0 {
                return Ok(Ok(self.end_with(length as u64)));
            }
        };
        if let Some(zeros) = self.zeros_to_the_end(bytes.len())? {
            return Ok(Ok(self.end_with(bytes.len() as u64 + zeros)));
        }
        Ok(Ok(Some(RawGame { offset: self.offset, bytes })))
    }

    /// Goes on after this game, which is the next one.
    fn take(&mut self, game: RawGame) -> RawGame {
        self.advance(game.bytes.len());
        game
    }

    fn advance(&mut self, bytes: usize) {
        self.offset += bytes as u64;
        self.start += bytes;
    }

    /// Goes on with the next undamaged game after the damaged one, or at the end of the file, and returns the number of bytes before it.
    fn skip_damage(&mut self) -> Result<u64> {
        let before = self.offset;
        let (mut zeros, mut is_all) = (0, false);
        loop {
            while !is_all && self.buffer.len() < self.start + COMPLETE {
                is_all = self.read_block()? == 0;
            }
            // A game follows the end mark of another one. Its first bytes may be zero, too.
            if zeros >= END_MARK.len() && self.has_undamaged_game() {
                break;
            }
            let Some(&byte) = self.buffer.get(self.start) else { break };
            zeros = if byte == 0 { zeros + 1 } else { 0 };
            self.advance(1);
        }
        Ok(self.offset - before)
    }

    /// Returns true if an undamaged game with moves is next in the buffer.
    fn has_undamaged_game(&self) -> bool {
        let length = self.find_end(0).unwrap_or_default();
        let bytes = length.and_then(|length| self.buffer.get(self.start..self.start + length));
        bytes.is_some_and(|bytes| GameRecord::from_bytes(bytes).is_ok_and(|game| !game.moves.is_empty()))
    }

    /// Leaves out an incomplete game of this size at the end of the file.
    fn end_with(&mut self, incomplete_bytes: u64) -> Option<RawGame> {
        self.incomplete_bytes = incomplete_bytes;
        self.buffer.clear();
        self.start = 0;
        None
    }

    /// Returns the length of the next game in bytes, or `None` if its end has not been read. Of what has been read, the first `searched`
    /// bytes are known not to contain the end.
    fn find_end(&self, searched: usize) -> Result<Option<usize>, GameError> {
        let damage = |at: usize, message: &str| GameError {
            offset: self.offset + at as u64,
            message: message.to_owned(),
        };
        let game = &self.buffer[self.start..];
        let Some((start, moves)) = game.split_first_chunk() else { return Ok(None) };
        check_start(start).map_err(|error| damage(0, &format!("not a game in viriformat: {error}")))?;
        let first = searched.saturating_sub(START_SIZE) / END_MARK.len();
        let moves = moves.as_chunks().0;
        // No move is from a1 to a1.
        let Some(index) = (first..moves.len()).find(|&index| moves[index][..2] == END_MARK[..2]) else {
            return if game.len() > MAX_GAME { Err(damage(0, "the game has no end")) } else { Ok(None) };
        };
        let at = START_SIZE + index * END_MARK.len();
        if at > MAX_GAME {
            return Err(damage(0, "the game has no end"));
        }
        if moves[index] != END_MARK {
            return Err(damage(at, "neither a move nor the end of a game"));
        }
        Ok(Some(at + END_MARK.len()))
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

    /// Returns the next games as [`next_or_note`](GameFile::next_or_note) does, enough of them for a thread to work on; `None` if
    /// there are no more.
    ///
    /// # Errors
    /// As `next`.
    pub fn next_batch(&mut self) -> Result<Option<Vec<RawGame>>> {
        let mut games = Vec::new();
        while games.len() < BATCH
            && let Some(game) = self.next_or_note()?
        {
            games.push(game);
        }
        Ok((!games.is_empty()).then_some(games))
    }

    /// Returns the number of bytes after the next game, which has this length, if there are some and all are zero.
    fn zeros_to_the_end(&mut self, length: usize) -> Result<Option<u64>> {
        let (mut zeros, mut kept) = (0, 0);
        loop {
            let end = self.start + length;
            let rest = &self.buffer[end..];
            // The occupied squares of a start position are the first bytes that are not zero.
            if rest.iter().any(|&byte| byte != 0) {
                return Ok(None);
            }
            zeros += (rest.len() - kept) as u64;
            // Enough for the error if something follows after all.
            kept = rest.len().min(START_SIZE);
            self.buffer.truncate(end + kept);
            if self.read_block()? == 0 {
                return Ok((zeros > 0).then_some(zeros));
            }
        }
    }

    /// Reads the next block of the file and returns its size in bytes, 0 at the end.
    fn read_block(&mut self) -> Result<usize> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let block = (&self.file).take(BLOCK as u64).read_to_end(&mut self.buffer);
        block.with_context(|| format!("cannot read {}", self.path.display()))
    }
}

/// Tells the user about an incomplete game at the end of a file, unless it has no bytes.
pub fn note_incomplete(path: &Path, offset: u64, bytes: usize) {
    if bytes > 0 {
        let path = path.display();
        note(&format!("{path}, byte {offset}: leaving out the incomplete game at the end ({bytes} bytes)"));
    }
}

fn note(message: &str) {
    // Ignore errors: a closed standard error must not end the run.
    let _ = writeln!(std::io::stderr(), "{message}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::test_games::random_games;

    fn read(bytes: &[u8]) -> Result<(Vec<GameRecord>, u64)> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let mut games = Vec::new();
        let mut reader = GameFile::open(file.path(), Damage::Unchecked)?;
        while let Some(game) = reader.next()? {
            games.push(game.unpack()?);
        }
        Ok((games, reader.incomplete_bytes()))
    }

    /// The undamaged games.
    fn salvaged(bytes: &[u8]) -> Vec<GameRecord> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let mut reader = GameFile::open(file.path(), Damage::Skipped).unwrap();
        std::iter::from_fn(|| reader.next().unwrap()).map(|game| game.unpack().unwrap()).collect()
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
            for zeros in [30, 32, 1000, 3 * BLOCK] {
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
    fn damaged_games_are_skipped() {
        let games = random_games(5, 12);
        let parts: Vec<Vec<u8>> = games.iter().map(GameRecord::to_bytes).collect();
        let before = parts[0].len() + parts[1].len();
        let others: Vec<GameRecord> = [&games[..2], &games[3..]].concat();
        let whole = parts.concat();
        assert_eq!(salvaged(&whole), games);
        let with = |at: usize, value: &[u8]| {
            let mut bytes = whole.clone();
            bytes[before + at..][..value.len()].copy_from_slice(value);
            bytes
        };
        // The pieces, the result, an illegal move, an early end mark with a score, and no end.
        let end = parts[2].len() - END_MARK.len();
        for (at, value) in [
            (0, &[0; 8][..]),
            (8, &[0xff]),
            (30, &[9]),
            (START_SIZE + 8, &[0xff, 0x0f]),
            (START_SIZE + 4, &[0, 0, 1, 0]),
            (end, &[9; 4]),
        ] {
            let damaged = with(at, value);
            let salvaged = salvaged(&damaged);
            // Without its end, the damaged game takes the next one with it.
            let expected = if at == end { [&games[..2], &games[4..]].concat() } else { others.clone() };
            assert!(salvaged == expected, "{at}: {} games", salvaged.len());
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &damaged).unwrap();
            let mut reader = GameFile::open(file.path(), Damage::Refused).unwrap();
            assert!((0..3).any(|_| reader.next().is_err()), "{at}");
        }
        // Lost bytes, also of a number that is not a multiple of a move's size.
        for lost in [3, 32, 41] {
            assert!(salvaged(&[&whole[..before], &whole[before + lost..]].concat()) == others, "{lost}");
        }
        assert_eq!(salvaged(&vec![b'x'; 3 * BLOCK]), []);
        // The whole file ends with a damaged game.
        let last =
            [&parts[..4].concat()[..], &with(START_SIZE + 8, &[0xff, 0x0f])[before..before + parts[2].len()]]
                .concat();
        assert_eq!(salvaged(&last), games[..4]);
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
        let text =
            |path: &str| format!("{:#}", GameFile::open(Path::new(path), Damage::Refused).err().unwrap());
        assert_eq!(text("/"), "cannot read /: it is a directory, not a regular file");
        assert_eq!(text("/dev/zero"), "cannot read /dev/zero: it is a device, not a regular file");
    }
}
