//! The data file: a header, then the games, each as its position records followed by an end record.
//!
//! Header, 64 bytes:
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | magic, `TABIYADG` |
//! | 8-11 | format version, 1 |
//! | 12-15 | record size, 32 |
//! | 16-23 | seed |
//! | 24-31 | nodes per move |
//! | 32-39 | fingerprint of the opening book, or 0 |
//! | 40-43 | random plies |
//! | 44-47 | 0 for standard chess, 1 for Chess960, 2 for double Chess960 |
//! | 48-55 | fingerprint of the other rules: adjudication and selection of positions |
//! | 56-63 | first 8 hex digits of the commit that created the file, as ASCII, or zeros |
//!
//! Position records are [packed](super::packed). End record of a game, 32 bytes:
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
//!
//! Integers are little-endian. Each game is appended with one write. When a file is continued, an incomplete
//! game at its end, left by a killed process, is truncated. The end records tell which games are finished;
//! there is no other state.

use super::packed::SIZE;
use crate::selfplay::fingerprint::fingerprint;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tabiya_files::input;

/// Magic bytes at the start of every file.
pub(crate) const MAGIC: [u8; 8] = *b"TABIYADG";

const VERSION: u32 = 1;
const HEADER_SIZE: usize = 64;
/// Last byte of an end record.
const GAME_END: u8 = 1;

/// Interval between calls of `sync_data`, which protect against a power failure. A killed process loses
/// nothing that it wrote.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// The settings of a run, stored in the header. The same settings give the same games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct RunSettings {
    pub(super) seed: u64,
    pub(super) nodes: u64,
    /// Fingerprint of the opening book, or 0.
    pub(super) book: u64,
    pub(super) plies: u32,
    /// 0 for standard chess, 1 for Chess960, 2 for double Chess960.
    pub(super) variant: u32,
    /// Fingerprint of the other rules.
    pub(super) rules: u64,
}

impl RunSettings {
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
        for (target, byte) in bytes[56..].iter_mut().zip(commit.bytes()) {
            *target = byte;
        }
        bytes
    }

    fn from_bytes(bytes: &[u8; HEADER_SIZE]) -> Result<RunSettings> {
        if bytes[..8] != MAGIC {
            bail!("not a datagen file: it does not start with {:?}", MAGIC.escape_ascii().to_string());
        }
        let (version, size) = (u32_at(bytes, 8), u32_at(bytes, 12));
        if (version, size) != (VERSION, SIZE as u32) {
            bail!(
                "format version {version} with records of {size} bytes (expected version {VERSION}, {SIZE} bytes)"
            );
        }
        Ok(RunSettings {
            seed: u64_at(bytes, 16),
            nodes: u64_at(bytes, 24),
            book: u64_at(bytes, 32),
            plies: u32_at(bytes, 40),
            variant: u32_at(bytes, 44),
            rules: u64_at(bytes, 48),
        })
    }

    /// Formats the fields that differ, for an error message.
    fn differences(&self, other: &RunSettings) -> String {
        let fields = |settings: &RunSettings| {
            let &RunSettings { seed, nodes, book, plies, variant, rules } = settings;
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
            .map(|((name, a), (_, b))| format!("{name}: {a} in the file, {b} given"))
            .collect::<Vec<_>>()
            .join("; ")
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    bytes[offset..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    bytes[offset..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// A game as stored: its result and its kept positions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct StoredGame {
    pub(crate) number: u64,
    /// Length in plies, opening included.
    pub(crate) plies: u32,
    /// Result as White's half-points: 0, 1 or 2.
    pub(crate) half_points: u8,
    /// The [packed](super::packed) positions.
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

/// Reads the games of a file in order.
pub(crate) struct Reader<R> {
    input: R,
    settings: RunSettings,
    /// File offset of the next game, in bytes.
    offset: u64,
    /// Size of the incomplete game at the end of the file, in bytes.
    incomplete_bytes: u64,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If the header cannot be read or belongs to another file format.
    pub(crate) fn new(mut input: R) -> Result<Reader<R>> {
        let mut header = [0; HEADER_SIZE];
        let length = read_fully(&mut input, &mut header)?;
        if length < HEADER_SIZE {
            bail!("truncated header: {length} bytes (expected {HEADER_SIZE})");
        }
        let settings = RunSettings::from_bytes(&header)?;
        Ok(Reader { input, settings, offset: HEADER_SIZE as u64, incomplete_bytes: 0 })
    }

    /// Returns the next complete game, or `None` at the end of the file or before an incomplete game.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub(crate) fn next(&mut self) -> Result<Option<StoredGame>> {
        let mut game = StoredGame::default();
        loop {
            let mut record = [0; SIZE];
            let length = read_fully(&mut self.input, &mut record)?;
            if length < SIZE {
                self.incomplete_bytes = (game.samples.len() * SIZE + length) as u64;
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
                        bail!("the game at byte {} is damaged (wrong checksum)", self.offset);
                    }
                    self.offset += bytes.len() as u64;
                    return Ok(Some(game));
                }
                kind => bail!(
                    "at byte {}: unknown record kind {kind} (expected 0 or 1)",
                    self.offset + (game.samples.len() * SIZE) as u64
                ),
            }
        }
    }

    /// Size of the incomplete game at the end of the file, in bytes; 0 before the end has been reached.
    pub(crate) fn incomplete_bytes(&self) -> u64 {
        self.incomplete_bytes
    }
}

/// Fills the buffer until it is full or the input ends, and returns the number of bytes read.
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
/// If the file cannot be read or has another format.
pub(super) fn open(path: &Path) -> Result<Reader<BufReader<File>>> {
    let file = input::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Reader::new(BufReader::with_capacity(1 << 18, file)).with_context(|| path.display().to_string())
}

/// A data file opened for appending games.
pub(super) struct Store {
    path: PathBuf,
    file: File,
    /// Numbers of the games in the file.
    finished: BTreeSet<u64>,
    last_sync: Instant,
}

impl Store {
    /// Creates a file or opens an existing one, truncating an incomplete game at its end.
    ///
    /// # Errors
    /// If the file cannot be written, is damaged, or was started with different settings.
    pub(super) fn open(path: &Path, settings: &RunSettings) -> Result<Store> {
        let name = || path.display().to_string();
        if path.exists() {
            input::check_regular(path).with_context(|| format!("cannot write {}", path.display()))?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        let mut finished = BTreeSet::new();
        // A process killed at the start may have left a partial header.
        if file.metadata().with_context(name)?.len() < HEADER_SIZE as u64 {
            let mut start = Vec::new();
            file.read_to_end(&mut start).with_context(name)?;
            if !MAGIC.starts_with(&start[..start.len().min(MAGIC.len())]) {
                bail!("{} is not a datagen file; choose another name", path.display());
            }
            let commit = tabiya_workspace::repository::git(&["rev-parse", "HEAD"]).unwrap_or_default();
            file.set_len(0)
                .and_then(|()| file.write_all(&settings.to_bytes(&commit)))
                .with_context(|| format!("cannot write {}", path.display()))?;
        } else {
            let mut reader = open(path)?;
            if reader.settings != *settings {
                bail!(
                    "{} was started with different settings ({}); repeat those or choose another file",
                    path.display(),
                    reader.settings.differences(settings)
                );
            }
            while let Some(game) = reader.next().with_context(name)? {
                finished.insert(game.number);
            }
            file.set_len(reader.offset).with_context(|| format!("cannot truncate {}", path.display()))?;
        }
        Ok(Store { path: path.to_owned(), file, finished, last_sync: Instant::now() })
    }

    /// Numbers of the games in the file.
    pub(super) fn finished(&self) -> &BTreeSet<u64> {
        &self.finished
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written. Earlier games are not affected.
    pub(super) fn append(&mut self, game: &StoredGame) -> Result<()> {
        let mut write = || -> std::io::Result<()> {
            self.file.write_all(&game.to_bytes())?;
            if self.last_sync.elapsed() >= SYNC_INTERVAL {
                self.file.sync_data()?;
                self.last_sync = Instant::now();
            }
            Ok(())
        };
        write().with_context(|| {
            format!("cannot write {}; the games written so far are kept", self.path.display())
        })?;
        self.finished.insert(game.number);
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::datagen::packed::Sample;
    use tabiya_movegen::Position;

    const SETTINGS: RunSettings =
        RunSettings { seed: 7, nodes: 5000, book: 0, plies: 8, variant: 0, rules: 1 };

    /// The content of a file with these games, each given as its packed positions.
    pub(crate) fn file(games: &[Vec<[u8; SIZE]>]) -> Vec<u8> {
        let mut bytes = SETTINGS.to_bytes("").to_vec();
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

    #[cfg(target_os = "linux")]
    #[test]
    fn rejects_a_device() {
        let error = Store::open(Path::new("/dev/full"), &SETTINGS).err().unwrap();
        let message = format!("{error:#}");
        assert_eq!(message, "cannot write /dev/full: it is a device, not a regular file");
    }

    #[test]
    fn games_round_trip_and_a_file_can_be_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let mut store = Store::open(&path, &SETTINGS).unwrap();
        assert!(store.finished().is_empty());
        for stored in [game(0, 3), game(2, 0)] {
            store.append(&stored).unwrap();
        }
        drop(store);
        let mut store = Store::open(&path, &SETTINGS).unwrap();
        assert_eq!(store.finished().iter().copied().collect::<Vec<_>>(), [0, 2]);
        store.append(&game(1, 1)).unwrap();
        assert_eq!(games(&path), [game(0, 3), game(2, 0), game(1, 1)]);
    }

    #[test]
    fn truncation_at_any_byte_is_recovered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let mut store = Store::open(&path, &SETTINGS).unwrap();
        store.append(&game(0, 1)).unwrap();
        let first_game_end = std::fs::metadata(&path).unwrap().len();
        store.append(&game(1, 2)).unwrap();
        let complete = std::fs::read(&path).unwrap();
        for length in 0..complete.len() {
            std::fs::write(&path, &complete[..length]).unwrap();
            let mut store = Store::open(&path, &SETTINGS).unwrap();
            let finished = store.finished().len();
            assert_eq!(finished, usize::from(length as u64 >= first_game_end), "{length}");
            store.append(&game(1, 2)).unwrap();
            assert_eq!(games(&path).len(), finished + 1, "{length}");
        }
    }

    #[test]
    fn rejects_other_settings_damage_and_foreign_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let mut store = Store::open(&path, &SETTINGS).unwrap();
        store.append(&game(0, 2)).unwrap();
        let complete = std::fs::read(&path).unwrap();
        let error = |settings: &RunSettings| format!("{:#}", Store::open(&path, settings).err().unwrap());
        let text = error(&RunSettings { nodes: 1, plies: 9, ..SETTINGS });
        let expected = "(nodes: 5000 in the file, 1 given; plies: 8 in the file, 9 given)";
        assert!(text.contains(expected), "{text}");
        for at in [70, 100, 64 + 31, 64 + 64 + 20] {
            let mut damaged = complete.clone();
            damaged[at] ^= 0x55;
            std::fs::write(&path, &damaged).unwrap();
            let text = error(&SETTINGS);
            assert!(text.contains("damaged") || text.contains("kind"), "{at}: {text}");
        }
        std::fs::write(&path, "4k3/8/8/8/8/8/8/4K3 w - - c9 \"1-0\";\n").unwrap();
        assert!(error(&SETTINGS).contains("choose another name"));
        std::fs::write(&path, [b' '; 100]).unwrap();
        assert!(error(&SETTINGS).contains("does not start with"));
    }
}
