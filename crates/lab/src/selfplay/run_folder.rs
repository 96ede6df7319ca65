//! The folder of a run: what is on disk at every moment is enough to go on from.
//!
//! Finished games are appended to `games.pgn` and, one line of JSON each, to `games.jsonl`. Then
//! `state.json` is replaced: it holds the plan, the counters, and how long the two other files were.
//! When the process is killed between these steps, the next run cuts the files back to those lengths
//! and plays the game again.

use super::plan::Plan;
use super::referee::Termination;
use super::scoreboard::{GameId, Scoreboard};
use super::sprt::Verdict;
use crate::folder_lock::FolderLock;
use anyhow::{Context, Result, bail};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const STATE: &str = "state.json";
const GAMES: &str = "games.pgn";
const JOURNAL: &str = "games.jsonl";

/// The form of `state.json`.
const VERSION: u32 = 1;

/// How often the files are forced onto the disk. A killed process loses nothing either way; this is
/// about a power cut.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// What `state.json` holds.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct State {
    version: u32,
    /// Which games are played.
    pub(crate) plan: Plan,
    /// The counters.
    #[serde(rename = "tally")]
    pub(crate) scoreboard: Scoreboard,
    /// How the match ended, where it has.
    pub(crate) finish: Option<Finish>,
    /// Seconds spent, over all sessions.
    pub(crate) seconds: f64,
    /// The same, times the number of slots.
    pub(crate) slot_seconds: f64,
    games_length: u64,
    journal_length: u64,
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) enum Finish {
    /// All games are played.
    Complete,
    /// The test has come to a verdict.
    Decided(Verdict),
}

/// A line of `games.jsonl`.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct GameLine {
    /// Which game.
    #[serde(flatten)]
    pub(crate) id: GameId,
    /// Who had White.
    pub(crate) white: String,
    /// Who had Black.
    pub(crate) black: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub(crate) result: String,
    /// Why.
    pub(crate) reason: Termination,
    /// How many half-moves, opening included.
    pub(crate) plies: usize,
    /// How a player failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fault: Option<String>,
    /// The last lines of the conversation with that player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) transcript: Vec<String>,
    /// What was odd.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

impl GameLine {
    /// The half-points of the pairing's first player.
    pub(crate) fn half_points(&self) -> usize {
        let first_won = if self.id.game == 0 { "1-0" } else { "0-1" };
        match self.result.as_str() {
            "1/2-1/2" => 1,
            result if result == first_won => 2,
            _ => 0,
        }
    }
}

/// The open folder of a run.
pub(crate) struct RunFolder {
    folder: PathBuf,
    games: File,
    journal: File,
    synced: Instant,
    /// Two processes would cut off each other's games.
    _lock: FolderLock,
}

impl RunFolder {
    /// Makes the folder of a new run.
    ///
    /// # Errors
    /// When there is a run in it already, or it cannot be written to.
    pub(crate) fn create(folder: &Path, plan: Plan) -> Result<(RunFolder, State)> {
        if folder.join(STATE).exists() {
            bail!(
                "{0} holds a run already: go on with --resume {0}, or choose another --out",
                folder.display()
            );
        }
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let lock = FolderLock::take(folder)?;
        let scoreboard = Scoreboard::new(&plan);
        let state = State {
            version: VERSION,
            plan,
            scoreboard,
            finish: None,
            seconds: 0.0,
            slot_seconds: 0.0,
            games_length: 0,
            journal_length: 0,
        };
        let mut store = RunFolder::open_files(folder, &state, lock)?;
        store.write_state(&state)?;
        Ok((store, state))
    }

    /// Opens the folder of a run that was interrupted, and cuts off what was written after its last
    /// state.
    ///
    /// # Errors
    /// When there is no run in it, it is going on in another process, or its files do not fit together.
    pub(crate) fn resume(folder: &Path) -> Result<(RunFolder, State)> {
        let path = folder.join(STATE);
        if !path.exists() {
            bail!("there is no run: {} does not exist", path.display());
        }
        // Before the state is read: the other process may be about to replace it.
        let lock = FolderLock::take(folder)?;
        let text = std::fs::read(&path)
            .with_context(|| format!("there is no run: cannot read {}", path.display()))?;
        let state: State = serde_json::from_slice(&text)
            .with_context(|| format!("{} is not the state of a run", path.display()))?;
        if state.version != VERSION {
            bail!("{} has version {}; this program reads {VERSION}", path.display(), state.version);
        }
        Ok((RunFolder::open_files(folder, &state, lock)?, state))
    }

    fn open_files(folder: &Path, state: &State, lock: FolderLock) -> Result<RunFolder> {
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
                        "{} has {} bytes, but {length} were written: games are missing from it",
                        path.display(),
                        found.len(),
                    );
                }
                file.set_len(length).with_context(|| format!("cannot cut {}", path.display()))?;
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

    /// Keeps a finished game, which `state` has counted already.
    ///
    /// # Errors
    /// When it cannot be written; the message names the file. What was kept before is not affected.
    pub(crate) fn record(&mut self, state: &mut State, pgn: &[u8], line: &GameLine) -> Result<()> {
        self.games.write_all(pgn).with_context(|| self.cannot_write(GAMES))?;
        let mut json = serde_json::to_vec(line).context("cannot describe a game")?;
        json.push(b'\n');
        self.journal.write_all(&json).with_context(|| self.cannot_write(JOURNAL))?;
        state.games_length += pgn.len() as u64;
        state.journal_length += json.len() as u64;
        self.write_state(state)
    }

    /// Replaces `state.json`, all at once.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write_state(&mut self, state: &State) -> Result<()> {
        let sync = self.synced.elapsed() >= SYNC_INTERVAL;
        if sync {
            self.games.sync_data().with_context(|| self.cannot_write(GAMES))?;
            self.journal.sync_data().with_context(|| self.cannot_write(JOURNAL))?;
            self.synced = Instant::now();
        }
        let text = serde_json::to_vec(state).context("cannot describe the state")?;
        let partial = self.folder.join("state.json.new");
        let write = || {
            let mut file = File::create(&partial)?;
            file.write_all(&text)?;
            if sync {
                file.sync_data()?;
            }
            std::fs::rename(&partial, self.folder.join(STATE))
        };
        write().with_context(|| self.cannot_write(STATE))
    }

    /// Writes a file of the folder that does not belong to the state, such as a report.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, name: &str, contents: &[u8]) -> Result<PathBuf> {
        let path = self.folder.join(name);
        std::fs::write(&path, contents).with_context(|| self.cannot_write(name))?;
        Ok(path)
    }

    /// Appends to a file of the folder that does not belong to the state.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn append(&self, name: &str, contents: &[u8]) -> Result<()> {
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.join(name))
            .and_then(|mut file| file.write_all(contents))
            .with_context(|| self.cannot_write(name))
    }

    /// Reads the journal, a line at a time.
    ///
    /// # Errors
    /// When it cannot be read, or a line is not one of ours.
    pub(crate) fn journal(&self) -> Result<impl Iterator<Item = Result<GameLine>>> {
        let path = self.folder.join(JOURNAL);
        let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((1_u64..).zip(BufReader::new(file).lines()).map(move |(number, line)| {
            let parse = || -> Result<GameLine> { Ok(serde_json::from_str(&line?)?) };
            parse().with_context(|| format!("{}, line {number}", path.display()))
        }))
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn cannot_write(&self, name: &str) -> String {
        format!("cannot write {}; the games up to here are kept", self.folder.join(name).display())
    }
}
