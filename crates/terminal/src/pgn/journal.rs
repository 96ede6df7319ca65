//! The state file of `tabiya pgn annotate`: the finished games of a run in progress.
//!
//! The first line is a header in JSON, which names the input and the settings. Each further line is a record: a finished game
//! in JSON after the beginning of its hash. A killed process leaves at most one incomplete record, at the end, which is
//! cut off when the run continues.

use super::digest::Digest;
use crate::message::counted;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tabiya_files::input;
use tabiya_files::lock::lock_file;
use tabiya_files::output::{self, Existing};
use tabiya_review::report::ReportGame;

/// The value of [`Header::format`].
const FORMAT: &str = "tabiya-annotate";
const VERSION: u32 = 1;
/// The beginning of every state file.
const MAGIC: &str = "{\"format\":\"tabiya-annotate\"";
/// The end of the name of a state file.
const SUFFIX: &str = ".progress";
/// Maximum length of a file name on most systems, in bytes.
const MAX_NAME: usize = 255;
/// Maximum part of a longer name in that of its state file, in characters.
const SHORTENED_NAME: usize = 50;
/// The hexadecimal digits of a short hash.
const HASH_DIGITS: usize = 16;
/// Maximum length of the header, in bytes.
const MAX_HEADER: u64 = 1 << 16;

/// A game that is done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct FinishedGame {
    /// Number in the input, from 1.
    pub(super) number: u64,
    /// The annotated game, or the error that makes it invalid.
    pub(super) game: Result<AnnotatedGame, String>,
}

/// A game with its annotations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct AnnotatedGame {
    /// The game in PGN, with a blank line after it.
    pub(super) pgn: String,
    /// The game for the HTML page and the summary.
    pub(super) report: ReportGame,
    /// True if the moves from one that cannot be played on are left out.
    pub(super) is_shortened: bool,
}

/// Everything that the result of a run depends on, by name: input, program and settings.
pub(super) type Settings = BTreeMap<String, String>;

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    settings: Settings,
}

/// An open state file.
pub(super) struct Journal {
    path: PathBuf,
    /// Locked. The only handle, because on Windows the lock excludes all others.
    file: File,
    /// The offset of each game's record.
    offsets: BTreeMap<u64, u64>,
    length: u64,
    /// The number of damaged bytes that were cut off, besides an incomplete record.
    damaged: u64,
}

/// Returns the path of the state file of an output. A name that would be too long is shortened and gets a hash of the whole.
pub(super) fn state_path(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    if name.len() + SUFFIX.len() > MAX_NAME {
        let start: String = name.to_string_lossy().chars().take(SHORTENED_NAME).collect();
        name = format!("{start}.{}", short_hash(name.as_encoded_bytes())).into();
    }
    name.push(SUFFIX);
    output.with_file_name(name)
}

impl Journal {
    /// Opens the state file of a run, and creates it if the run is new or `restart` is set.
    ///
    /// # Errors
    /// If the file cannot be read or written, is not a state file, is in use, or belongs to a run with other settings.
    pub(super) fn open(path: &Path, settings: &Settings, restart: bool) -> Result<Journal> {
        match begins_with_magic(path)? {
            Some(false) => {
                bail!("{} is not a state file of this command; move it away to start", path.display())
            }
            Some(true) if !restart => {}
            Some(true) | None => create(path, settings)?,
        }
        let cannot_continue = || format!("cannot continue {}", path.display());
        let (mut journal, old) = Journal::load(path).with_context(cannot_continue)?;
        if journal.offsets.is_empty() && old != *settings {
            // Nothing is lost.
            drop(journal);
            create(path, settings)?;
            journal = Journal::load(path).with_context(cannot_continue)?.0;
        } else {
            check_settings(&old, settings, journal.offsets.len()).with_context(cannot_continue)?;
        }
        journal.cut_off()?;
        Ok(journal)
    }

    /// Reads the records up to the first that is not valid. Returns the settings as well.
    fn load(path: &Path) -> Result<(Journal, Settings)> {
        let file = open_locked(path)?;
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        reader.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
        let Ok(header) = serde_json::from_slice::<Header>(&line) else {
            bail!("its header is damaged; --restart starts over");
        };
        if header.version != VERSION {
            bail!("it comes from another version of this program; --restart starts over");
        }
        let mut offsets = BTreeMap::new();
        let mut length = line.len() as u64;
        // A record without a line break, at the end, was being written when the process ended.
        let is_incomplete = loop {
            line.clear();
            let count = reader.read_until(b'\n', &mut line)? as u64;
            let Some(game) = parse_record(&line) else { break line.last() != Some(&b'\n') };
            offsets.insert(game.number, length);
            length += count;
        };
        let damaged = if is_incomplete { 0 } else { file.metadata()?.len().saturating_sub(length) };
        Ok((Journal { path: path.to_owned(), file, offsets, length, damaged }, header.settings))
    }

    /// Cuts off what follows the last valid record.
    fn cut_off(&mut self) -> Result<()> {
        if self.file.metadata()?.len() > self.length {
            self.file
                .set_len(self.length)
                .with_context(|| format!("cannot write {}", self.path.display()))?;
        }
        Ok(())
    }

    /// The numbers of the finished games.
    pub(super) fn finished(&self) -> BTreeSet<u64> {
        self.offsets.keys().copied().collect()
    }

    /// The number of damaged bytes that were cut off.
    pub(super) fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn append(&mut self, game: &FinishedGame) -> Result<()> {
        let json = serde_json::to_string(game)?;
        let record = format!("{} {json}\n", short_hash(json.as_bytes()));
        (self.file.seek(SeekFrom::Start(self.length)))
            .and_then(|_| self.file.write_all(record.as_bytes()))
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.offsets.insert(game.number, self.length);
        self.length += record.len() as u64;
        Ok(())
    }

    /// Passes the finished games to `visit`, in the order of the input.
    ///
    /// # Errors
    /// If the file cannot be read, and the errors of `visit`.
    pub(super) fn replay(&self, mut visit: impl FnMut(FinishedGame) -> Result<()>) -> Result<()> {
        let mut reader = BufReader::new(&self.file);
        let mut line = Vec::new();
        // The header is at the beginning, so that the first record is always sought.
        let mut at = 0;
        for &offset in self.offsets.values() {
            // Most records follow each other, and seeking empties the buffer.
            if offset != at {
                reader.seek(SeekFrom::Start(offset))?;
            }
            line.clear();
            at = offset + reader.read_until(b'\n', &mut line)? as u64;
            let game = parse_record(&line)
                .with_context(|| format!("{} has been changed meanwhile", self.path.display()))?;
            visit(game)?;
        }
        Ok(())
    }

    /// Deletes the file of a run that is complete.
    ///
    /// # Errors
    /// If it cannot be deleted.
    pub(super) fn remove(self) -> Result<()> {
        let Journal { path, file, .. } = self;
        // Windows deletes no open file.
        drop(file);
        fs::remove_file(&path).with_context(|| format!("cannot delete {}", path.display()))
    }
}

/// Creates a state file without games, or replaces one.
fn create(path: &Path, settings: &Settings) -> Result<()> {
    // Another process may be writing to it.
    if path.exists() {
        drop(open_locked(path)?);
    }
    let header = Header { format: FORMAT.to_owned(), version: VERSION, settings: settings.clone() };
    let mut line = serde_json::to_string(&header)?;
    line.push('\n');
    output::write(path, line.as_bytes(), Existing::Replace, &[])?;
    Ok(())
}

/// Returns true if a file is a state file, perhaps a damaged one, and `None` if there is no file or an empty one.
fn begins_with_magic(path: &Path) -> Result<Option<bool>> {
    let file = match input::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let mut beginning = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut beginning)?;
    Ok((!beginning.is_empty()).then(|| beginning == MAGIC.as_bytes()))
}

fn open_locked(path: &Path) -> Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    if !lock_file(&file).with_context(|| format!("cannot lock {}", path.display()))? {
        bail!("{} is in use by another process", path.display());
    }
    Ok(file)
}

/// Returns an error that names each setting that differs.
fn check_settings(old: &Settings, new: &Settings, games: usize) -> Result<()> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let none = String::from("none");
    let mut differences = String::new();
    for name in names {
        let (old, new) = (old.get(name).unwrap_or(&none), new.get(name).unwrap_or(&none));
        if old != new {
            differences.push_str(&format!("\n  {name}: {old}; now {new}"));
        }
    }
    if differences.is_empty() {
        return Ok(());
    }
    bail!(
        "it belongs to a run with other settings:{differences}\n\
         Repeat the command with the old settings to continue, or start over with --restart, which discards {}",
        counted(games as u64, "finished game")
    );
}

/// The beginning of a hash.
fn short_hash(bytes: &[u8]) -> String {
    let mut hash = Digest::of(bytes);
    hash.truncate(HASH_DIGITS);
    hash
}

/// Parses a record with its line break. Returns `None` if it is incomplete or damaged.
fn parse_record(line: &[u8]) -> Option<FinishedGame> {
    let (hash, json) = line.strip_suffix(b"\n")?.split_at_checked(HASH_DIGITS)?;
    let json = json.strip_prefix(b" ")?;
    if short_hash(json).as_bytes() != hash {
        return None;
    }
    serde_json::from_slice(json).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(limits: &str) -> Settings {
        [("input", "10 bytes"), ("limits", limits)].map(|(name, value)| (name.into(), value.into())).into()
    }

    /// An invalid game, which has the shortest record.
    fn game(number: u64) -> FinishedGame {
        FinishedGame { number, game: Err(format!("error {number}")) }
    }

    fn open(path: &Path, limits: &str, restart: bool) -> Result<Journal> {
        Journal::open(path, &settings(limits), restart)
    }

    /// A state file of games 3, 1 and 2, and its folder.
    fn example() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pgn.progress");
        let mut journal = open(&path, "depth 1", false).unwrap();
        for number in [3, 1, 2] {
            journal.append(&game(number)).unwrap();
        }
        drop(journal);
        (folder, path)
    }

    fn games(journal: &Journal) -> Vec<FinishedGame> {
        let mut games = Vec::new();
        journal
            .replay(|game| {
                games.push(game);
                Ok(())
            })
            .unwrap();
        games
    }

    fn message(result: Result<Journal>) -> String {
        format!("{:#}", result.err().unwrap())
    }

    #[test]
    fn state_file_is_named_as_the_output() {
        let name = |output: &Path| state_path(output).file_name().unwrap().to_owned();
        assert_eq!(state_path(Path::new("sub/out.pgn")), Path::new("sub/out.pgn.progress"));
        let longest = "a".repeat(MAX_NAME - SUFFIX.len());
        assert_eq!(name(longest.as_ref()), *format!("{longest}.progress"));
        let names = ["b", "c", "é"].map(|end| name(format!("{longest}{end}").as_ref()));
        assert!(names.iter().all(|name| name.len() < 100), "{names:?}");
        assert!(names[0] != names[1] && names[1] != names[2]);
    }

    #[test]
    fn continues_with_the_finished_games_in_order() {
        let (_folder, path) = example();
        let mut journal = open(&path, "depth 1", false).unwrap();
        assert_eq!(journal.finished(), [1, 2, 3].into());
        journal.append(&game(4)).unwrap();
        assert_eq!(games(&journal), [1, 2, 3, 4].map(game));
        journal.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn every_truncation_leaves_whole_games() {
        let (_folder, path) = example();
        let whole = fs::read(&path).unwrap();
        let header = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for length in header..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let mut journal = open(&path, "depth 1", false).unwrap();
            let lines = whole[header..length].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!((journal.finished().len(), journal.damaged()), (lines, 0), "{length} bytes");
            journal.append(&game(9)).unwrap();
            assert_eq!(games(&journal).last(), Some(&game(9)), "{length} bytes");
        }
    }

    #[test]
    fn damage_costs_the_games_from_there_on() {
        let (_folder, path) = example();
        let whole = fs::read(&path).unwrap();
        let second = whole.windows(7).position(|text| text == b"error 1").unwrap();
        let mut bytes = whole.clone();
        bytes[second] = b'E';
        fs::write(&path, &bytes).unwrap();
        let journal = open(&path, "depth 1", false).unwrap();
        assert_eq!(journal.finished(), [3].into());
        assert!(journal.damaged() > 0);
        // The rest is cut off.
        drop(journal);
        assert_eq!(open(&path, "depth 1", false).unwrap().damaged(), 0);
    }

    #[test]
    fn other_settings_are_refused_by_name() {
        let (_folder, path) = example();
        let text = message(open(&path, "depth 2", false));
        assert!(text.contains("out.pgn.progress: it belongs to a run with other settings"), "{text}");
        assert!(text.contains("\n  limits: depth 1; now depth 2\n"), "{text}");
        assert!(
            !text.contains("input") && text.ends_with("--restart, which discards 3 finished games"),
            "{text}"
        );
        let journal = open(&path, "depth 2", true).unwrap();
        assert_eq!(journal.finished(), [].into());
    }

    #[test]
    fn settings_may_change_while_no_game_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pgn.progress");
        drop(open(&path, "depth 1", false).unwrap());
        open(&path, "depth 2", false).unwrap().append(&game(1)).unwrap();
        assert_eq!(open(&path, "depth 2", false).unwrap().finished(), [1].into());
        assert!(open(&path, "depth 1", false).is_err());
    }

    #[test]
    fn damaged_header_needs_a_restart() {
        let (_folder, path) = example();
        fs::write(&path, format!("{MAGIC},\"vers")).unwrap();
        let text = message(open(&path, "depth 1", false));
        assert!(text.ends_with("its header is damaged; --restart starts over"), "{text}");
        assert!(open(&path, "depth 1", true).is_ok());
    }

    #[test]
    fn other_files_are_never_overwritten() {
        let (folder, path) = example();
        fs::write(&path, "1. e4 *").unwrap();
        for restart in [false, true] {
            let text = message(open(&path, "depth 1", restart));
            assert!(text.contains("is not a state file of this command"), "{text}");
        }
        assert_eq!(fs::read(&path).unwrap(), b"1. e4 *");
        assert!(open(folder.path(), "depth 1", true).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn second_process_is_refused() {
        let (_folder, path) = example();
        let _journal = open(&path, "depth 1", false).unwrap();
        for restart in [false, true] {
            let text = message(open(&path, "depth 1", restart));
            assert!(text.ends_with("is in use by another process"), "{text}");
        }
    }
}
