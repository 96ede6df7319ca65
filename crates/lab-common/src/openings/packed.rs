//! Packed books: of moves if all openings have some and begin at the start position of chess, otherwise of the positions after the
//! moves.
//!
//! A file begins with [`MAGIC`] and the byte of a format. A zlib stream of all openings follows.

mod lines;
mod positions;

use super::Opening;
use anyhow::{Result, ensure};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::fmt;
use tabiya_movegen::Game;

/// The first bytes of a packed book, which no text file begins with.
const MAGIC: &[u8; 7] = b"\x7fTABOOK";

/// Number of bytes before the zlib stream.
const HEADER: usize = MAGIC.len() + 1;

/// Effort of the compression, of at most 10.
const COMPRESSION_LEVEL: u8 = 10;

/// The size limit of the uncompressed openings: 256 MiB.
const MAX_CONTENTS: usize = 1 << 28;

/// Damage to a packed book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PackedError {
    /// Offset of the damage in bytes: in the file, or in the decompressed openings.
    offset: usize,
    message: String,
}

impl fmt::Display for PackedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for PackedError {}

/// Returns the openings as the contents of a file.
///
/// # Errors
/// If they are too large.
pub(super) fn pack(openings: &[Opening]) -> Result<Vec<u8>> {
    let (format, contents) = if openings.iter().all(lines::is_packable) {
        (lines::FORMAT, lines::pack(openings))
    } else {
        (positions::FORMAT, positions::pack(openings)?)
    };
    ensure!(
        contents.len() <= MAX_CONTENTS,
        "{} openings take {} MiB (expected at most {}): write them as text, to a file named .epd",
        openings.len(),
        contents.len() >> 20,
        MAX_CONTENTS >> 20
    );
    Ok([MAGIC, &[format][..], &compress_to_vec_zlib(&contents, COMPRESSION_LEVEL)].concat())
}

/// Returns the openings of a packed book, or `None` if it is not one.
///
/// # Errors
/// If the file has another format, or its bytes are not whole openings.
pub(super) fn unpack(file: &[u8]) -> Result<Option<Vec<Game>>, PackedError> {
    let Some((&format, stream)) = file.strip_prefix(MAGIC).and_then(<[u8]>::split_first) else {
        return Ok(None);
    };
    let read = match format {
        lines::FORMAT => lines::unpack,
        positions::FORMAT => positions::unpack,
        other => {
            let message = format!("format {:?} is not known: make the book again", char::from(other));
            return Err(PackedError { offset: MAGIC.len(), message });
        }
    };
    let contents = decompress_to_vec_zlib_with_limit(stream, MAX_CONTENTS)
        .map_err(|error| PackedError { offset: HEADER, message: error.to_string() })?;
    read(&contents).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::test_games::random_games;

    /// Openings from the start position of chess.
    fn openings() -> Vec<Opening> {
        let games = random_games(120, 8)
            .into_iter()
            .filter(|game| *game.start.board() == *Game::new().position().board());
        let openings: Vec<Opening> = games
            .filter_map(|record| {
                let mut game = Game::new();
                record.moves.iter().take(40).for_each(|scored| game.play(scored.mv).unwrap());
                Opening::new(game).ok()
            })
            .collect();
        assert!(openings.len() > 2);
        openings
    }

    fn opened(openings: Vec<Game>) -> Vec<Opening> {
        openings.into_iter().map(|game| Opening::new(game).unwrap()).collect()
    }

    #[test]
    fn openings_with_moves_keep_them() {
        let openings = openings();
        let file = pack(&openings).unwrap();
        assert_eq!(file[MAGIC.len()], lines::FORMAT);
        assert_eq!(opened(unpack(&file).unwrap().unwrap()), openings);
    }

    #[test]
    fn other_openings_become_positions() {
        let openings = [openings(), vec![Opening::new(Game::new()).unwrap()]].concat();
        let file = pack(&openings).unwrap();
        assert_eq!(file[MAGIC.len()], positions::FORMAT);
        let positions = |openings: &[Opening]| -> Vec<String> {
            openings.iter().map(|opening| opening.game().unwrap().position().epd().to_string()).collect()
        };
        assert_eq!(positions(&opened(unpack(&file).unwrap().unwrap())), positions(&openings));
    }

    #[test]
    fn damage_and_other_formats_are_errors() {
        let file = pack(&openings()).unwrap();
        assert!(unpack(&file[..file.len() / 2]).is_err());
        let expected = unpack(&file).unwrap().map(opened);
        for byte in 0..file.len() {
            let mut file = file.clone();
            file[byte] ^= 0x40;
            let Ok(Some(games)) = unpack(&file) else { continue };
            // The checksum of the stream notices every change but that of unused bits at its end.
            assert!(Some(opened(games)) == expected, "byte {byte}");
        }
        let error = unpack(b"\x7fTABOOK1...").unwrap_err().to_string();
        assert_eq!(error, "byte 7: format '1' is not known: make the book again");
        assert_eq!(unpack(b"4k3/8/8/8/8/8/8/4K2R w K -\n"), Ok(None));
    }
}
