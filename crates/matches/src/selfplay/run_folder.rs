//! The folder of a run, from which it can be resumed at any moment.
//!
//! A finished game is appended to `games.pgn` and, as one line of JSON, to `games.jsonl`; then
//! `state.json`, with the plan, the counters and the lengths of the two files, is replaced. If the
//! process is killed in between, resuming truncates the files to those lengths and plays the game again.
//! After a power failure, `state.json` may be newer than the games on the disk, or empty. Resuming then starts
//! from `state.synced.json`, a copy that is written after each `fsync` of the games.

use super::plan::{GameId, Plan};
use super::scoreboard::Scoreboard;
use crate::new_run::lock_new_run;
use crate::sprt::Verdict;
use anyhow::{Context, Result, bail};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read as _, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use tabiya_files::input;
use tabiya_files::lock::Lock;
use tabiya_lab_common::referee::Termination;

const STATE: &str = "state.json";
/// The last state whose games are certainly on the disk.
const SYNCED: &str = "state.synced.json";
const GAMES: &str = "games.pgn";
const JOURNAL: &str = "games.jsonl";
pub(super) const REPORT_JSON: &str = "report.json";
pub(crate) const REPORT_PAGE: &str = "report.html";
pub(crate) const GAMES_PAGE: &str = "games.html";

/// All files of a match but [`STATE`].
const OTHERS: [&str; 6] = [SYNCED, GAMES, JOURNAL, REPORT_JSON, REPORT_PAGE, GAMES_PAGE];

/// Format version of `state.json`.
const VERSION: u32 = 1;

/// Interval between `fsync` calls: the games that a power failure can lose. A killed process loses none.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// Content of `state.json`.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct State {
    version: u32,
    /// The plan of the match.
    pub(crate) plan: Plan,
    /// The result counters.
    #[serde(rename = "tally")]
    pub(crate) scoreboard: Scoreboard,
    /// The outcome of the match; `None` while it runs.
    pub(crate) finish: Option<Finish>,
    /// Number of games played in parallel, which a resumed match keeps.
    #[serde(default)]
    pub(crate) slots: Option<usize>,
    /// Elapsed time over all sessions, in seconds.
    pub(crate) seconds: f64,
    /// Elapsed time multiplied by the number of slots, in seconds.
    pub(crate) slot_seconds: f64,
    games_length: u64,
    journal_length: u64,
}

impl State {
    /// Returns true if the files in the folder are long enough for the games of the state.
    fn has_games(&self, folder: &Path) -> bool {
        [(GAMES, self.games_length), (JOURNAL, self.journal_length)].into_iter().all(|(name, length)| {
            // A device has no length.
            std::fs::metadata(folder.join(name))
                .map_or(length == 0, |data| !data.is_file() || data.len() >= length)
        })
    }
}

/// The outcome of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) enum Finish {
    /// All games were played.
    Complete,
    /// The SPRT accepted a hypothesis.
    Decided(Verdict),
}

/// A line of `games.jsonl`.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct GameLine {
    /// The game.
    #[serde(flatten)]
    pub(crate) id: GameId,
    /// Name of the player with White.
    pub(crate) white: String,
    /// Name of the player with Black.
    pub(crate) black: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub(crate) result: String,
    /// Termination reason.
    pub(crate) reason: Termination,
    /// Length in plies, opening included.
    pub(crate) plies: usize,
    /// The loser's fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fault: Option<String>,
    /// The end of that engine's transcript.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) transcript: Vec<String>,
    /// Warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

impl GameLine {
    /// Returns the half-points of the pairing's first player.
    pub(crate) fn half_points(&self) -> usize {
        let first_won = if self.id.game == 0 { "1-0" } else { "0-1" };
        match self.result.as_str() {
            "1/2-1/2" => 1,
            result if result == first_won => 2,
            _ => 0,
        }
    }
}

/// An open run folder.
pub(crate) struct RunFolder {
    folder: PathBuf,
    games: File,
    journal: File,
    synced: Instant,
    /// Two processes would truncate each other's games.
    _lock: Lock,
}

/// Paths of all files of the match in a folder, which need not exist.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    OTHERS.into_iter().chain([STATE]).map(|name| folder.join(name)).collect()
}

/// Reads the state of the run in a folder, with the time at which it was saved. `None` if there is no run.
///
/// # Errors
/// If the state cannot be read.
pub(crate) fn read_state(folder: &Path) -> Result<Option<(State, SystemTime)>> {
    read_state_file(folder, STATE)
}

fn read_state_file(folder: &Path, name: &str) -> Result<Option<(State, SystemTime)>> {
    let path = folder.join(name);
    if !path.exists() {
        return Ok(None);
    }
    let cannot_read = || format!("cannot read {}", path.display());
    let saved = std::fs::metadata(&path).and_then(|data| data.modified()).with_context(cannot_read)?;
    let text = std::fs::read(&path).with_context(cannot_read)?;
    let state: State = serde_json::from_slice(&text)
        .with_context(|| format!("{} is not a valid state file", path.display()))?;
    if state.version != VERSION {
        bail!("{} has version {} (expected {VERSION})", path.display(), state.version);
    }
    Ok(Some((state, saved)))
}

/// Iterates over the games of a state that was read from a folder, whose journal may have grown since.
///
/// # Errors
/// As [`RunFolder::journal`].
pub(crate) fn saved_games(
    folder: &Path,
    state: &State,
) -> Result<impl Iterator<Item = Result<GameLine>> + use<>> {
    read_journal(folder, state.journal_length)
}

/// Iterates over the lines in the first `length` bytes of `games.jsonl`.
fn read_journal(folder: &Path, length: u64) -> Result<impl Iterator<Item = Result<GameLine>> + use<>> {
    let path = folder.join(JOURNAL);
    let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok((1_u64..).zip(BufReader::new(file.take(length)).lines()).map(move |(number, line)| {
        let parse = || -> Result<GameLine> { Ok(serde_json::from_str(&line?)?) };
        parse().with_context(|| format!("{}, line {number}", path.display()))
    }))
}

impl RunFolder {
    /// Creates the folder of a new run.
    ///
    /// # Errors
    /// If it contains a run or a file with the name of one of its files, or cannot be written.
    pub(crate) fn create(folder: &Path, plan: Plan) -> Result<(RunFolder, State)> {
        let lock = lock_new_run(folder, STATE, &OTHERS)?;
        let scoreboard = Scoreboard::new(&plan);
        let state = State {
            version: VERSION,
            plan,
            scoreboard,
            finish: None,
            slots: None,
            seconds: 0.0,
            slot_seconds: 0.0,
            games_length: 0,
            journal_length: 0,
        };
        // First, so that a process killed here leaves a run that can be resumed.
        write_state(folder, STATE, &state, false)?;
        write_state(folder, SYNCED, &state, true)?;
        Ok((RunFolder::open_files(folder, &state, lock)?, state))
    }

    /// Opens the folder of an interrupted run and truncates the files to the last saved state.
    ///
    /// # Errors
    /// If it contains no run, another process is using it, or its files are inconsistent.
    pub(crate) fn resume(folder: &Path) -> Result<(RunFolder, State)> {
        let path = folder.join(STATE);
        if !path.exists() {
            bail!("no run to resume: {} does not exist", path.display());
        }
        // Lock before reading: another process may be replacing the state.
        let lock = Lock::of_folder(folder)?;
        let found = read_state(folder);
        let is_complete = |state: &State| state.has_games(folder);
        let state = match (found, read_state_file(folder, SYNCED)) {
            (Ok(Some((state, _))), _) if is_complete(&state) => state,
            (_, Ok(Some((state, _)))) if is_complete(&state) => {
                eprintln!(
                    "warning: {} does not fit the games on the disk; resuming from {SYNCED}",
                    path.display()
                );
                state
            }
            // Opening the files names those that are too short.
            (found, _) => match found? {
                Some((state, _)) => state,
                None => bail!("no run to resume: {} does not exist", path.display()),
            },
        };
        Ok((RunFolder::open_files(folder, &state, lock)?, state))
    }

    fn open_files(folder: &Path, state: &State, lock: Lock) -> Result<RunFolder> {
        let open = |name: &str, length: u64| -> Result<File> {
            let path = folder.join(name);
            let file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(&path)
                .with_context(|| format!("cannot open {}", path.display()))?;
            let found = file.metadata().with_context(|| format!("cannot open {}", path.display()))?;
            if found.is_file() {
                if found.len() < length {
                    bail!(
                        "{} has {} bytes (expected {length}): games are missing",
                        path.display(),
                        found.len(),
                    );
                }
                file.set_len(length).with_context(|| format!("cannot truncate {}", path.display()))?;
            }
            Ok(file)
        };
        Ok(RunFolder {
            folder: folder.to_owned(),
            games: open(GAMES, state.games_length)?,
            journal: open(JOURNAL, state.journal_length)?,
            synced: Instant::now(),
            _lock: lock,
        })
    }

    /// Writes a finished game, which `state` already includes.
    ///
    /// # Errors
    /// If a file cannot be written; the message names it. Games written before stay, also in the state.
    pub(crate) fn record(&mut self, state: &mut State, pgn: &[u8], line: &GameLine) -> Result<()> {
        self.games.write_all(pgn).with_context(|| self.cannot_write(GAMES))?;
        let mut json = serde_json::to_vec(line).context("cannot serialise a game")?;
        json.push(b'\n');
        self.journal.write_all(&json).with_context(|| self.cannot_write(JOURNAL))?;
        state.games_length += pgn.len() as u64;
        state.journal_length += json.len() as u64;
        self.write_state(state)
    }

    /// Replaces `state.json` atomically.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write_state(&mut self, state: &State) -> Result<()> {
        let sync = self.synced.elapsed() >= SYNC_INTERVAL;
        if sync {
            self.games.sync_data().with_context(|| self.cannot_write(GAMES))?;
            self.journal.sync_data().with_context(|| self.cannot_write(JOURNAL))?;
            self.synced = Instant::now();
        }
        write_state(&self.folder, STATE, state, sync)?;
        if sync { write_state(&self.folder, SYNCED, state, true) } else { Ok(()) }
    }

    /// Writes a file that is not part of the state, such as a report.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(&self, name: &str, contents: &[u8]) -> Result<PathBuf> {
        let path = self.folder.join(name);
        std::fs::write(&path, contents).with_context(|| self.cannot_write(name))?;
        Ok(path)
    }

    /// Iterates over `games.jsonl`.
    ///
    /// # Errors
    /// If it cannot be read; an item is an error if its line is malformed.
    pub(crate) fn journal(&self) -> Result<impl Iterator<Item = Result<GameLine>>> {
        read_journal(&self.folder, u64::MAX)
    }

    /// Opens `games.pgn` for reading.
    ///
    /// # Errors
    /// If it cannot be opened, or is a device, which may have no end.
    pub(crate) fn games(&self) -> Result<BufReader<File>> {
        let path = self.folder.join(GAMES);
        let file = input::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(BufReader::new(file))
    }

    /// Path of the folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn cannot_write(&self, name: &str) -> String {
        cannot_write(&self.folder, name)
    }
}

fn cannot_write(folder: &Path, name: &str) -> String {
    format!("cannot write {}", folder.join(name).display())
}

fn write_state(folder: &Path, name: &str, state: &State, sync: bool) -> Result<()> {
    let text = serde_json::to_vec(state).context("cannot serialise the state")?;
    let partial = folder.join(format!("{name}.new"));
    let write = || {
        let mut file = File::create(&partial)?;
        file.write_all(&text)?;
        if sync {
            file.sync_data()?;
        }
        std::fs::rename(&partial, folder.join(name))
    };
    write().with_context(|| cannot_write(folder, name))
}
