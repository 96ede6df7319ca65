//! Packed files of games: the games of a file in a third of the bytes.
//!
//! A file starts with `MAGIC` and a version. Then come blocks of games, each with a header of five numbers of 32 bits,
//! little-endian: games, bytes of the games, packed bytes, the CRC-32 of the games, and the CRC-32 of the other four numbers and the
//! packed bytes. A block without games is the end; its packed bytes are the number of all games, in 64 bits. The packed bytes are those of a range coder
//! whose probabilities a model learns from the games of the block, so that blocks can be packed and unpacked in parallel.

mod mixing;
mod model;
mod range_coder;

use super::RawGame;
use anyhow::{Context, Result, bail, ensure};
use model::Model;
use range_coder::{Decoder, Encoder};
use std::io::{self, Read};
use std::path::Path;
use tabiya_files::input;

/// The first bytes of a packed file.
const MAGIC: [u8; 8] = *b"VFPACKED";
const VERSION: u32 = 1;

/// Size of a block's header, in bytes.
const HEADER: usize = 20;

/// Most bytes of a block, packed or not: far more than [`BLOCK_GAMES`] games take.
const MAX_BLOCK: u32 = 1 << 30;

/// Games of a block. A model learns from more of them, but several blocks are in memory at a time.
pub const BLOCK_GAMES: usize = 8192;

/// Returns true if a file starts as a packed one does.
///
/// # Errors
/// If it cannot be read.
pub fn is_packed(path: &Path) -> io::Result<bool> {
    let mut start = [0; MAGIC.len()];
    let length = input::read_up_to(&mut input::open(path)?, &mut start)?;
    Ok(start[..length] == MAGIC)
}

/// Returns the bytes before the first block.
pub fn file_header() -> Vec<u8> {
    [&MAGIC[..], &VERSION.to_le_bytes()].concat()
}

/// Returns the block after the last one of a file with so many games.
pub fn file_end(games: u64) -> Vec<u8> {
    block(0, &[], &games.to_le_bytes())
}

/// Packs games into a block.
///
/// # Errors
/// If they are too many.
pub fn pack(games: &[RawGame]) -> Result<Vec<u8>> {
    let mut model = Model::new();
    let mut encoder = Encoder::new();
    let mut bytes = Vec::new();
    for game in games {
        model.game(&mut encoder, &game.bytes)?;
        bytes.extend_from_slice(&game.bytes);
    }
    ensure!(bytes.len() < MAX_BLOCK as usize, "{} games take {} bytes", games.len(), bytes.len());
    Ok(block(games.len() as u32, &bytes, &encoder.finish()))
}

fn block(games: u32, bytes: &[u8], packed: &[u8]) -> Vec<u8> {
    let numbers = [games, bytes.len() as u32, packed.len() as u32, crc32fast::hash(bytes)];
    let mut block: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let checksum = checksum(&block, packed);
    block.extend(checksum.to_le_bytes());
    block.extend(packed);
    block
}

/// The CRC-32 of a block's header and its packed bytes.
fn checksum(header: &[u8], packed: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(packed);
    hasher.finalize()
}

/// A block whose packed bytes are intact.
pub struct Block {
    games: u32,
    size: u32,
    checksum: u32,
    packed: Vec<u8>,
}

impl Block {
    /// Number of games.
    pub fn games(&self) -> u64 {
        self.games.into()
    }

    /// Returns the games one by one, each with its end mark.
    ///
    /// # Errors
    /// If they are not those that were packed.
    pub fn unpack(&self) -> Result<Vec<Vec<u8>>> {
        let mut model = Model::new();
        let mut decoder = Decoder::new(&self.packed);
        let mut checksum = crc32fast::Hasher::new();
        let (mut games, mut size) = (Vec::new(), 0);
        for _ in 0..self.games {
            let game = model.game(&mut decoder, &[])?;
            checksum.update(&game);
            size += game.len();
            games.push(game);
            ensure!(size <= self.size as usize, "more bytes than were packed");
        }
        ensure!(
            size == self.size as usize && checksum.finalize() == self.checksum,
            "the games are not those that were packed"
        );
        Ok(games)
    }
}

/// Reads the blocks of a packed file.
pub struct PackedFile<R> {
    input: R,
    /// Offset of the next block, in bytes.
    offset: u64,
    games: u64,
}

impl<R: Read> PackedFile<R> {
    /// Reads the start of a file.
    ///
    /// # Errors
    /// If it cannot be read or is not a packed file.
    pub fn new(mut input: R) -> Result<PackedFile<R>> {
        let mut start = [0; MAGIC.len() + 4];
        let length = input::read_up_to(&mut input, &mut start)?;
        if length < start.len() || start[..MAGIC.len()] != MAGIC {
            bail!("byte 0: not a packed file of games (expected the letters VFPACKED)");
        }
        let version = start.last_chunk().map_or(0, |version| u32::from_le_bytes(*version));
        if version != VERSION {
            bail!("byte {}: version {version} (this program reads version {VERSION})", MAGIC.len());
        }
        Ok(PackedFile { input, offset: start.len() as u64, games: 0 })
    }

    /// Offset of the next block, in bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the next block, or `None` after the last one.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or has been cut off; the message says at which byte.
    #[expect(clippy::should_implement_trait, reason = "the error is outside of the option")]
    pub fn next(&mut self) -> Result<Option<Block>> {
        let at = self.offset;
        let block = self.read_block().with_context(|| format!("byte {at}"))?;
        self.games += block.games();
        if block.games > 0 {
            return Ok(Some(block));
        }
        let total = block.packed.first_chunk().map_or(0, |games| u64::from_le_bytes(*games));
        ensure!(total == self.games, "byte {at}: the file had {total} games, and {} are left", self.games);
        ensure!(
            input::read_up_to(&mut self.input, &mut [0])? == 0,
            "byte {}: bytes after the end",
            self.offset
        );
        Ok(None)
    }

    fn read_block(&mut self) -> Result<Block> {
        let mut header = [0; HEADER];
        self.read(&mut header)?;
        let numbers = header.as_chunks().0;
        let [games, size, packed_size, games_checksum, block_checksum] =
            std::array::from_fn(|index| u32::from_le_bytes(numbers[index]));
        ensure!(size.max(packed_size) < MAX_BLOCK, "the header of a block is damaged");
        // Not allocated at once: a damaged header may ask for more than the file has.
        let mut packed = Vec::new();
        let length = (&mut self.input).take(packed_size.into()).read_to_end(&mut packed)?;
        self.offset += length as u64;
        ensure!(length == packed_size as usize, "the file has been cut off");
        ensure!(
            checksum(&header[..HEADER - 4], &packed) == block_checksum,
            "the block is damaged (wrong checksum)"
        );
        Ok(Block { games, size, checksum: games_checksum, packed })
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<()> {
        let length = input::read_up_to(&mut self.input, buffer)?;
        self.offset += length as u64;
        ensure!(length == buffer.len(), "the file has been cut off");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameRecord;
    use crate::games::test_games::random_games;

    fn packed(games: &[Vec<u8>], block_games: usize) -> Vec<u8> {
        let raw = |bytes: &Vec<u8>| RawGame { offset: 0, bytes: bytes.clone() };
        let raw: Vec<RawGame> = games.iter().map(raw).collect();
        let blocks = raw.chunks(block_games).map(|games| pack(games).unwrap());
        [vec![file_header()], blocks.collect(), vec![file_end(games.len() as u64)]].concat().concat()
    }

    fn unpacked(mut bytes: &[u8]) -> Result<Vec<u8>> {
        let mut file = PackedFile::new(&mut bytes)?;
        let mut games = Vec::new();
        while let Some(block) = file.next()? {
            games.extend(block.unpack()?.concat());
        }
        Ok(games)
    }

    fn games(count: usize, seed: u64) -> Vec<Vec<u8>> {
        random_games(count, seed).iter().map(GameRecord::to_bytes).collect()
    }

    #[test]
    fn games_round_trip() {
        let games = games(30, 61);
        let bytes = packed(&games, 8);
        assert!(unpacked(&bytes).unwrap() == games.concat());
        // Random moves and scores have much entropy.
        assert!(bytes.len() < games.concat().len(), "{} bytes", bytes.len());
        assert_eq!(unpacked(&packed(&[], 8)).unwrap(), b"");
    }

    #[test]
    fn bytes_that_a_game_does_not_need_are_kept() {
        let mut games = games(6, 62);
        // A promotion piece of a move that is none, an illegal move, an unused nibble, a piece of no type, an unknown byte, no moves.
        games[0][33] ^= 1 << 4;
        games[1][32..34].copy_from_slice(&[0xff, 0x0f]);
        games[2][0..8].copy_from_slice(&[0x10, 0, 0, 0, 0, 0, 0, 0x10]);
        games[3][8] = 0xff;
        games[4][31] = 0xff;
        games[5].truncate(36);
        games[5][32..].fill(0);
        assert!(unpacked(&packed(&games, 4)).unwrap() == games.concat());
    }

    #[test]
    fn format_is_stable() {
        let bytes = packed(&games(20, 63), 10);
        assert_eq!(
            (bytes.len(), crc32fast::hash(&bytes)),
            (3839, 3_492_177_900),
            "a change needs a new version"
        );
    }

    #[test]
    fn damage_is_an_error() {
        let bytes = packed(&games(6, 64), 3);
        let error = |bytes: &[u8]| format!("{:#}", unpacked(bytes).unwrap_err());
        for length in 0..bytes.len() {
            let text = error(&bytes[..length]);
            let expected =
                if length < 12 { "not a packed file of games" } else { "the file has been cut off" };
            assert!(text.contains(expected), "{length}: {text}");
        }
        for at in (12..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x41;
            assert!(error(&damaged).contains("byte "), "{at}");
        }
        let foreign = games(1, 65).concat();
        assert_eq!(error(&foreign), "byte 0: not a packed file of games (expected the letters VFPACKED)");
        let later = [&bytes[..8], &[2, 0, 0, 0], &bytes[12..]].concat();
        assert_eq!(error(&later), "byte 8: version 2 (this program reads version 1)");
        assert!(error(&[&bytes[..], b"x"].concat()).contains("bytes after the end"));
        let first = u32::from_le_bytes(*bytes[20..].first_chunk().unwrap()) as usize + HEADER;
        let lost = [&bytes[..12], &bytes[12 + first..]].concat();
        assert!(error(&lost).contains("the file had 6 games, and 3 are left"), "{}", error(&lost));
    }
}
