//! The file of a run: a header, then whole games, each a few records of positions and one of its end.
//!
//! Header, 64 bytes:
//!
//! | bytes | |
//! |---|---|
//! | 0-7 | `TABIYADG` |
//! | 8-11 | the version, 1 |
//! | 12-15 | the size of a record, 32 |
//! | 16-23 | the seed |
//! | 24-31 | nodes a move |
//! | 32-39 | the fingerprint of the opening book; 0 without one |
//! | 40-43 | random plies |
//! | 44-47 | 0 for chess, 1 for Chess960, 2 for double Chess960 |
//! | 48-55 | the fingerprint of the other rules: adjudication and what positions are kept |
//! | 56-63 | the first letters of the commit that the file was begun with, or nothing |
//!
//! Positions are [packed](super::packed). The end of a game, 32 bytes:
//!
//! | bytes | |
//! |---|---|
//! | 0-7 | the number of the game |
//! | 8-11 | how many positions belong to it |
//! | 12-15 | how many half-moves it had, opening included |
//! | 16-23 | the FNV-1a hash of the positions and of what stands before it here |
//! | 24-29 | nothing |
//! | 30 | the result in half-points for White |
//! | 31 | 1 |
//!
//! Games are appended whole. What a killed process leaves unfinished at the end is cut off by the next
//! one, which learns from the rest which games are done: there is no other state.

use super::packed::SIZE;
use crate::selfplay::fingerprint::fingerprint;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What every file starts with.
pub(crate) const MAGIC: [u8; 8] = *b"TABIYADG";

const VERSION: u32 = 1;
const HEADER_SIZE: usize = 64;
const GAME_END: u8 = 1;

/// How often the file is forced onto the disk. A killed process loses nothing either way; this is about a
/// power cut.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// Where the games of a file come from: with the same origin they are the same games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Origin {
    pub(super) seed: u64,
    pub(super) nodes: u64,
    /// The fingerprint of the book, or 0.
    pub(super) book: u64,
    pub(super) plies: u32,
    /// 0 for chess, 1 for Chess960, 2 for double Chess960.
    pub(super) variant: u32,
    /// The fingerprint of the other rules.
    pub(super) rules: u64,
}

impl Origin {
    fn to_bytes(&self, commit: &str) -> [u8; HEADER_SIZE] {
        let mut bytes = [0; HEADER_SIZE];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&(SIZE as u32).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.seed.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.nodes.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.book.to_le_bytes());
        bytes[40..44].copy_from_slice(&self.plies.to_le_bytes());
        bytes[44..48].copy_from_slice(&self.variant.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.rules.to_le_bytes());
        for (byte, letter) in bytes[56..].iter_mut().zip(commit.bytes()) {
            *byte = letter;
        }
        bytes
    }

    fn from_bytes(bytes: &[u8; HEADER_SIZE]) -> Result<Origin> {
        if bytes[..8] != MAGIC {
            bail!(
                "it does not start with {:?}: not written by `cargo xtask datagen`",
                MAGIC.escape_ascii().to_string()
            );
        }
        let (version, size) = (u32_at(bytes, 8), u32_at(bytes, 12));
        if (version, size) != (VERSION, SIZE as u32) {
            bail!(
                "version {version}, {size} bytes a record; this program reads version {VERSION}, {SIZE} bytes"
            );
        }
        Ok(Origin {
            seed: u64_at(bytes, 16),
            nodes: u64_at(bytes, 24),
            book: u64_at(bytes, 32),
            plies: u32_at(bytes, 40),
            variant: u32_at(bytes, 44),
            rules: u64_at(bytes, 48),
        })
    }

    /// What differs, in words.
    fn differences(&self, other: &Origin) -> String {
        let fields = |origin: &Origin| {
            let &Origin { seed, nodes, book, plies, variant, rules } = origin;
            let (plies, variant) = (plies.into(), variant.into());
            [
                ("seed", seed),
                ("nodes", nodes),
                ("book", book),
                ("plies", plies),
                ("variant", variant),
                ("rules", rules),
            ]
        };
        let differing = fields(self).into_iter().zip(fields(other)).filter(|(a, b)| a != b);
        differing
            .map(|((name, a), (_, b))| format!("{name} {a} there, {b} now"))
            .collect::<Vec<_>>()
            .join("; ")
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// A game, as far as it is of use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct StoredGame {
    pub(crate) number: u64,
    /// Half-moves, opening included.
    pub(crate) plies: u32,
    /// White's half-points.
    pub(crate) half_points: u8,
    /// The positions, packed.
    pub(crate) samples: Vec<[u8; SIZE]>,
}

impl StoredGame {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.samples.concat();
        bytes.extend(self.number.to_le_bytes());
        bytes.extend((self.samples.len() as u32).to_le_bytes());
        bytes.extend(self.plies.to_le_bytes());
        bytes.extend(fingerprint(&bytes).to_le_bytes());
        bytes.extend([0, 0, 0, 0, 0, 0, self.half_points, GAME_END]);
        bytes
    }
}

/// Reads the games of a file one after the other.
pub(crate) struct Reader<R> {
    input: R,
    origin: Origin,
    /// Where the next game starts.
    offset: u64,
    /// What an interrupted run has left at the end.
    unfinished: u64,
}

impl<R: Read> Reader<R> {
    /// # Errors
    /// When the header cannot be read or is of another kind of file.
    pub(crate) fn new(mut input: R) -> Result<Reader<R>> {
        let mut header = [0; HEADER_SIZE];
        let length = read_fully(&mut input, &mut header)?;
        if length < HEADER_SIZE {
            bail!("it ends within its header, after {length} bytes");
        }
        let origin = Origin::from_bytes(&header)?;
        Ok(Reader { input, origin, offset: HEADER_SIZE as u64, unfinished: 0 })
    }

    /// The next whole game; `None` at the end, or where only an unfinished game follows.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub(crate) fn next(&mut self) -> Result<Option<StoredGame>> {
        let mut game = StoredGame::default();
        loop {
            let mut record = [0; SIZE];
            let length = read_fully(&mut self.input, &mut record)?;
            if length < SIZE {
                self.unfinished = (game.samples.len() * SIZE + length) as u64;
                return Ok(None);
            }
            match record[SIZE - 1] {
                0 => game.samples.push(record),
                GAME_END => {
                    game.number = u64_at(&record, 0);
                    game.plies = u32_at(&record, 12);
                    game.half_points = record[SIZE - 2];
                    let bytes = game.to_bytes();
                    if !bytes.ends_with(&record) {
                        bail!("the game that starts at byte {} is damaged", self.offset);
                    }
                    self.offset += bytes.len() as u64;
                    return Ok(Some(game));
                }
                kind => bail!(
                    "at byte {}: a record of kind {kind}; only 0 and 1 are known",
                    self.offset + (game.samples.len() * SIZE) as u64
                ),
            }
        }
    }

    /// How many bytes of an unfinished game stand at the end, once it has been reached.
    pub(crate) fn unfinished(&self) -> u64 {
        self.unfinished
    }
}

/// Fills the buffer as far as the input goes, and returns how far.
fn read_fully(input: &mut impl Read, buffer: &mut [u8]) -> Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match input.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(length)
}

/// Opens a file for reading.
///
/// # Errors
/// When there is none, or it is of another kind.
pub(super) fn open(path: &Path) -> Result<Reader<BufReader<File>>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Reader::new(BufReader::with_capacity(1 << 18, file)).with_context(|| path.display().to_string())
}

/// A file to which games are appended.
pub(super) struct Store {
    path: PathBuf,
    file: File,
    /// The numbers of the games in it.
    done: BTreeSet<u64>,
    synced: Instant,
}

impl Store {
    /// Begins a file, or goes on with one: what an interrupted run left unfinished in it is cut off.
    ///
    /// # Errors
    /// When it cannot be written, is damaged, or has another origin.
    pub(super) fn open(path: &Path, origin: &Origin) -> Result<Store> {
        let place = || path.display().to_string();
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        let mut done = BTreeSet::new();
        // A process that was killed at once has not even written the header.
        if file.metadata().with_context(place)?.len() < HEADER_SIZE as u64 {
            let mut start = Vec::new();
            file.read_to_end(&mut start).with_context(place)?;
            if !MAGIC.starts_with(&start[..start.len().min(MAGIC.len())]) {
                bail!("{}: not written by `cargo xtask datagen`; choose another name", path.display());
            }
            let commit = crate::repository::git(&["rev-parse", "HEAD"]).unwrap_or_default();
            file.set_len(0)
                .and_then(|()| file.write_all(&origin.to_bytes(&commit)))
                .with_context(|| format!("cannot write {}", path.display()))?;
        } else {
            let mut reader = open(path)?;
            if reader.origin != *origin {
                bail!(
                    "{} was begun with other settings ({}); go on with those, or choose another file",
                    path.display(),
                    reader.origin.differences(origin)
                );
            }
            while let Some(game) = reader.next().with_context(place)? {
                done.insert(game.number);
            }
            file.set_len(reader.offset).with_context(|| format!("cannot cut {}", path.display()))?;
        }
        Ok(Store { path: path.to_owned(), file, done, synced: Instant::now() })
    }

    /// The numbers of the games in the file.
    pub(super) fn done(&self) -> &BTreeSet<u64> {
        &self.done
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When it cannot be written. What was written before is not affected.
    pub(super) fn append(&mut self, game: &StoredGame) -> Result<()> {
        let mut write = || -> std::io::Result<()> {
            self.file.write_all(&game.to_bytes())?;
            if self.synced.elapsed() >= SYNC_INTERVAL {
                self.file.sync_data()?;
                self.synced = Instant::now();
            }
            Ok(())
        };
        write().with_context(|| {
            format!("cannot write {}; the games up to here are kept", self.path.display())
        })?;
        self.done.insert(game.number);
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::datagen::packed::Sample;
    use tabiya_movegen::Position;

    const ORIGIN: Origin = Origin { seed: 7, nodes: 5000, book: 0, plies: 8, variant: 0, rules: 1 };

    /// A whole file with games of these positions.
    pub(crate) fn file(games: &[Vec<[u8; SIZE]>]) -> Vec<u8> {
        let mut bytes = ORIGIN.to_bytes("").to_vec();
        for (number, samples) in (0..).zip(games) {
            bytes.extend(StoredGame { number, samples: samples.clone(), ..StoredGame::default() }.to_bytes());
        }
        bytes
    }

    fn game(number: u64, samples: usize) -> StoredGame {
        let sample = Sample { position: Position::startpos(), score: 35, half_points: 2 };
        StoredGame { number, plies: 90, half_points: 2, samples: vec![sample.to_bytes(); samples] }
    }

    fn games(path: &Path) -> Vec<StoredGame> {
        let mut reader = open(path).unwrap();
        std::iter::from_fn(|| reader.next().unwrap()).collect()
    }

    #[test]
    fn games_come_back_and_the_file_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let mut store = Store::open(&path, &ORIGIN).unwrap();
        assert!(store.done().is_empty());
        for stored in [game(0, 3), game(2, 0)] {
            store.append(&stored).unwrap();
        }
        drop(store);
        let mut store = Store::open(&path, &ORIGIN).unwrap();
        assert_eq!(store.done().iter().copied().collect::<Vec<_>>(), [0, 2]);
        store.append(&game(1, 1)).unwrap();
        assert_eq!(games(&path), [game(0, 3), game(2, 0), game(1, 1)]);
    }

    #[test]
    fn whatever_a_killed_process_leaves_is_survived() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let mut store = Store::open(&path, &ORIGIN).unwrap();
        store.append(&game(0, 1)).unwrap();
        let kept = std::fs::metadata(&path).unwrap().len();
        store.append(&game(1, 2)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut store = Store::open(&path, &ORIGIN).unwrap();
            let done = store.done().len();
            assert_eq!(done, usize::from(length as u64 >= kept), "{length}");
            store.append(&game(1, 2)).unwrap();
            assert_eq!(games(&path).len(), done + 1, "{length}");
        }
    }

    #[test]
    fn what_does_not_belong_together_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let mut store = Store::open(&path, &ORIGIN).unwrap();
        store.append(&game(0, 2)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let error = |origin: &Origin| format!("{:#}", Store::open(&path, origin).err().unwrap());
        let text = error(&Origin { nodes: 1, plies: 9, ..ORIGIN });
        assert!(text.contains("(nodes 5000 there, 1 now; plies 8 there, 9 now)"), "{text}");
        for at in [70, 100, 64 + 31, 64 + 64 + 20] {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            std::fs::write(&path, &damaged).unwrap();
            let text = error(&ORIGIN);
            assert!(text.contains("damaged") || text.contains("kind"), "{at}: {text}");
        }
        std::fs::write(&path, "4k3/8/8/8/8/8/8/4K3 w - - c9 \"1-0\";\n").unwrap();
        assert!(error(&ORIGIN).contains("choose another name"));
        std::fs::write(&path, [b' '; 100]).unwrap();
        assert!(error(&ORIGIN).contains("does not start with"));
    }
}
