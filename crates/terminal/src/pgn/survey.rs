//! A first pass over the input: its fingerprint, and the number of games and moves for the progress display.

use super::digest::Digest;
use anyhow::{Context, Result};
use std::io::{self, Read};
use std::path::Path;
use tabiya_core::notation::{Next, PgnError, PgnReader, PgnVisitor, SanToken};
use tabiya_files::input;

/// The games of a file.
pub(super) struct Survey {
    /// Length and hash of the file.
    pub(super) fingerprint: String,
    /// The number of moves of each game's main line.
    pub(super) moves: Vec<u32>,
}

impl Survey {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn read(path: &Path) -> Result<Survey> {
        let cannot_read = || format!("{} cannot be read", path.display());
        let file = input::open(path).with_context(cannot_read)?;
        let mut reader = PgnReader::new(Hashing { input: file, digest: Digest::default(), length: 0 });
        let mut moves = Vec::new();
        while let Some(count) = reader.read_game(&mut MoveCounter(0)).with_context(cannot_read)? {
            moves.push(count);
        }
        let hashing = reader.into_inner();
        let fingerprint = format!("{} bytes, SHA-256 {}", hashing.length, hashing.digest.hex());
        Ok(Survey { fingerprint, moves })
    }

    /// The number of moves of all games.
    pub(super) fn total_moves(&self) -> u64 {
        self.moves.iter().copied().map(u64::from).sum()
    }

    /// The number of moves of a game, counted from 1.
    pub(super) fn moves_of(&self, number: u64) -> u64 {
        let index = usize::try_from(number.saturating_sub(1)).ok();
        index.and_then(|index| self.moves.get(index)).copied().map_or(0, u64::from)
    }
}

/// A reader that hashes what passes through it.
struct Hashing<R> {
    input: R,
    digest: Digest,
    length: u64,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.digest.update(&buffer[..count]);
        self.length += count as u64;
        Ok(count)
    }
}

struct MoveCounter(u32);

impl PgnVisitor for MoveCounter {
    type Output = u32;

    fn san(&mut self, _: SanToken<'_>) -> Next {
        self.0 = self.0.saturating_add(1);
        Next::Read
    }

    fn error(&mut self, _: PgnError) -> Next {
        Next::Read
    }

    fn end_game(&mut self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_moves_of_the_main_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let text = "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *\n\n1. d4 *\n";
        std::fs::write(&path, text).unwrap();
        let survey = Survey::read(&path).unwrap();
        assert_eq!((survey.moves.as_slice(), survey.total_moves()), ([3, 1].as_slice(), 4));
        assert_eq!((survey.moves_of(1), survey.moves_of(3)), (3, 0));
        let expected = format!("{} bytes, SHA-256 {}", text.len(), Digest::of(text.as_bytes()));
        assert_eq!(survey.fingerprint, expected);
        assert!(Survey::read(folder.path()).is_err());
    }
}
