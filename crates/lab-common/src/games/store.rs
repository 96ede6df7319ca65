//! The file that games are appended to.

use super::sidecar::with_suffix;
use super::{Damage, GameFile};
use crate::counted::counted;
use crate::program::invocation;
use anyhow::{Context, Result, anyhow};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tabiya_files::input;
use tabiya_files::lock::{Lock, LockError};
use tabiya_workspace::lab_commands::TRAINING;

/// Interval between calls of `sync_data`, which protect against a power failure. A killed process loses nothing that
/// it wrote.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// A file of games opened for appending, which no other process can open at the same time.
pub struct Store {
    path: PathBuf,
    file: File,
    /// Size of the complete games, in bytes.
    size: u64,
    games: u64,
    positions: u64,
    /// True if the file ends with an incomplete game, which the first [`append`](Store::append) removes.
    incomplete: bool,
    last_sync: Instant,
    _lock: Lock,
}

impl Store {
    /// Creates a file, or opens an existing one. Changes nothing in it yet.
    ///
    /// # Errors
    /// If the file cannot be written, is damaged, or another process writes to it.
    pub fn open(path: &Path) -> Result<Store> {
        let cannot_write = || format!("cannot write {}", path.display());
        if path.exists() {
            input::check_regular(path).with_context(cannot_write)?;
        }
        let lock = lock(path)?;
        let file = OpenOptions::new().append(true).create(true).open(path).with_context(cannot_write)?;
        let mut reader = GameFile::open(path, Damage::Refused)?;
        let (mut games, mut positions) = (0, 0);
        while let Some(game) = reader.next().map_err(|error| advised(&error, path, games))? {
            games += 1;
            positions += game.positions();
        }
        Ok(Store {
            path: path.to_owned(),
            file,
            size: reader.offset(),
            incomplete: reader.incomplete_bytes() > 0,
            games,
            positions,
            last_sync: Instant::now(),
            _lock: lock,
        })
    }

    /// Returns true if the file has no content at all.
    pub fn is_empty(&self) -> bool {
        self.size == 0 && !self.incomplete
    }

    /// Number of games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Number of positions in the file.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Appends a packed game with this number of positions. Before the first one, removes an incomplete game at the
    /// end, left by a killed process.
    ///
    /// # Errors
    /// If it cannot be written, as on a full disk. The file then ends with the last complete game.
    pub fn append(&mut self, game: &[u8], positions: u64) -> Result<()> {
        if let Err(error) = self.write(game) {
            // Only what has been synchronised with the disk is known to be kept.
            let kept = match self.file.set_len(self.size).and_then(|()| self.file.sync_data()) {
                Ok(()) => format!("kept {}", counted(self.games, "game")),
                Err(_) => format!(
                    "it may end with an incomplete game after {}, or have fewer; the next run goes on after the last complete one",
                    counted(self.games, "game")
                ),
            };
            return Err(error).with_context(|| format!("cannot write {}; {kept}", self.path.display()));
        }
        self.size += game.len() as u64;
        self.games += 1;
        self.positions += positions;
        Ok(())
    }

    fn write(&mut self, game: &[u8]) -> io::Result<()> {
        if std::mem::take(&mut self.incomplete) {
            self.file.set_len(self.size)?;
        }
        self.file.write_all(game)?;
        if self.last_sync.elapsed() >= SYNC_INTERVAL {
            self.file.sync_data()?;
            self.last_sync = Instant::now();
        }
        Ok(())
    }

    /// Synchronises the file with the disk.
    ///
    /// # Errors
    /// If that fails.
    pub fn finish(self) -> Result<()> {
        self.file.sync_all().with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Locks a file of games by `FILE.lock`. Of a symbolic link, locks the file that it points to.
///
/// # Errors
/// As [`Lock::acquire`].
pub(super) fn lock(path: &Path) -> Result<Lock, LockError> {
    let file = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    Lock::acquire(&with_suffix(&file, ".lock"), path)
}

/// The error of a damaged file after this number of games, with what would help. Games are numbered by their place, so that a damaged one
/// cannot just be left out here.
fn advised(error: &anyhow::Error, path: &Path, games: u64) -> anyhow::Error {
    let advice = format!(
        "; {} data merge {} --out NEW --skip-damaged keeps the other games",
        invocation(&TRAINING),
        path.display()
    );
    anyhow!("{error:#}{}", if games > 0 { advice } else { String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::test_games::random_games;

    fn append(store: &mut Store, seed: u64) -> Vec<u8> {
        let game = random_games(1, seed).remove(0);
        let bytes = game.to_bytes();
        store.append(&bytes, game.moves.len() as u64).unwrap();
        bytes
    }

    #[test]
    fn truncation_at_any_byte_is_recovered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vf");
        let mut store = Store::open(&path).unwrap();
        let first = append(&mut store, 1);
        append(&mut store, 2);
        assert_eq!(store.games(), 2);
        drop(store);
        let complete = std::fs::read(&path).unwrap();
        for length in 0..complete.len() {
            std::fs::write(&path, &complete[..length]).unwrap();
            let mut store = Store::open(&path).unwrap();
            let kept = usize::from(length >= first.len());
            assert_eq!(store.games(), kept as u64, "{length}");
            let last = append(&mut store, 2);
            assert_eq!(std::fs::read(&path).unwrap(), [&first[..first.len() * kept], &last].concat());
        }
    }

    #[test]
    fn zeros_after_a_power_failure_are_removed_with_the_last_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vf");
        let mut store = Store::open(&path).unwrap();
        let first = append(&mut store, 1);
        append(&mut store, 2);
        drop(store);
        let complete = std::fs::read(&path).unwrap();
        for lost in [0, 60] {
            let mut bytes = complete[..complete.len() - lost].to_vec();
            bytes.resize(complete.len() + 4096, 0);
            std::fs::write(&path, bytes).unwrap();
            let mut store = Store::open(&path).unwrap();
            assert_eq!((store.games(), store.is_empty()), (1, false));
            let last = append(&mut store, 3);
            assert_eq!(std::fs::read(&path).unwrap(), [&first[..], &last].concat());
        }
    }

    #[test]
    fn damaged_file_is_refused_with_advice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vf");
        let damaged = include_bytes!("../../../../tests/data/training/damaged.vf");
        std::fs::write(&path, damaged).unwrap();
        let error = Store::open(&path).err().unwrap().to_string();
        assert!(
            error.contains("games.vf, byte ") && error.ends_with("--skip-damaged keeps the other games"),
            "{error}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), damaged);
    }

    #[test]
    fn one_process_writes_to_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.vf");
        let store = Store::open(&path).unwrap();
        let text = Store::open(&path).err().unwrap().to_string();
        assert!(text.contains("is writing to") && text.contains("games.vf"), "{text}");
        drop(store);
        Store::open(&path).unwrap();
    }

    #[test]
    fn other_files_are_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        let text = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        std::fs::write(&path, text).unwrap();
        let error = Store::open(&path).err().unwrap().to_string();
        assert!(error.contains("text, byte 0: not a game in viriformat"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), text);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn special_files_are_rejected() {
        let text = |path: &str| format!("{:#}", Store::open(Path::new(path)).err().unwrap());
        assert_eq!(text("/dev/full"), "cannot write /dev/full: it is a device, not a regular file");
        assert_eq!(text("/"), "cannot write /: it is a directory, not a regular file");
    }
}
