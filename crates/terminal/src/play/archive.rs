//! The folder in which games are saved while they are played.

use super::record::{self, Record};
use crate::NAME;
use crate::message::shell_argument;
use anyhow::{Context, Result, bail};
use etcetera::BaseStrategy;
use jiff::Timestamp;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use tabiya_files::input;
use tabiya_files::output::{self, Existing, OutputFile};

/// Maximum size of a saved game in bytes. The longest game by the rules has about 200 kB with clock times.
const MAX_SAVE: u64 = 1 << 20;

/// Advice for a save that cannot be continued.
pub(super) const NAME_ANOTHER: &str =
    "to continue another game, name its file: tabiya play --resume FILE.pgn";

/// Maximum number of games that begin in the same second.
const MAX_SAME_SECOND: u32 = 99;

/// The saved games, and the file of the current one.
#[derive(Debug, Default)]
pub(super) struct Archive {
    /// `None` if games are not saved.
    folder: Option<PathBuf>,
    /// The file of the current game, once it has been saved.
    file: Option<PathBuf>,
    /// The text of that file.
    text: Vec<u8>,
}

/// A saved game that is continued.
#[derive(Debug)]
pub(super) struct Resumed {
    pub(super) record: Record,
    pub(super) file: PathBuf,
    /// The damage of the file; `record` has what can be read.
    pub(super) damage: Option<String>,
}

impl Archive {
    /// An archive in a folder, or none.
    pub(super) fn new(folder: Option<PathBuf>) -> Archive {
        Archive { folder, ..Archive::default() }
    }

    /// Saves nothing from now on.
    pub(super) fn stop_saving(&mut self) {
        *self = Archive::default();
    }

    /// The folder for the user's data, such as `~/.local/share/tabiya/games`. `None` if the system names no home.
    pub(super) fn default_folder() -> Option<PathBuf> {
        let strategy = etcetera::choose_base_strategy().ok()?;
        Some(strategy.data_dir().join("tabiya").join("games"))
    }

    /// The options of `tabiya play` that continue the newest game of the folder.
    pub(super) fn resume_options(&self) -> String {
        match &self.folder {
            Some(folder) if self.folder != Archive::default_folder() => {
                // The user may continue from another directory.
                let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
                format!("--resume --games {}", shell_argument(&folder.to_string_lossy()))
            }
            _ => "--resume".to_owned(),
        }
    }

    /// The file of the current game, if it has been saved.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Continues the newest unfinished game: saves to its file from now on if that has nothing but the game.
    ///
    /// The games of other programs and finished games are passed over. A save that is damaged is not: what can be read of it is returned with
    /// the damage.
    ///
    /// # Errors
    /// If there is none, if the folder or a save cannot be read, or if nothing can be kept of a damaged one.
    pub(super) fn resume(&mut self) -> Result<Resumed> {
        let Some(folder) = &self.folder else {
            bail!("no folder of saved games is known: choose one by --games")
        };
        let cannot_read = |path: &Path| format!("{} cannot be read", path.display());
        let mut paths = match fs::read_dir(folder) {
            Ok(entries) => entries
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<Result<Vec<PathBuf>, _>>()
                .with_context(|| cannot_read(folder))?,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(|| cannot_read(folder)),
        };
        // The names begin with date and time.
        paths.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()));
        for path in paths.into_iter().rev().filter(|path| path.extension().is_some_and(|it| it == "pgn")) {
            let has_our_name = is_save_name(&path);
            let text = match input::read(&path, MAX_SAVE) {
                Ok(text) => text,
                // A folder, a collection of games or a file of another program.
                Err(_) if !has_our_name => continue,
                Err(error) => {
                    return Err(error).with_context(|| format!("{}; {NAME_ANOTHER}", cannot_read(&path)));
                }
            };
            let (record, damage) = Record::from_save(&text);
            let Some(record) = record.filter(|record| record.is_ours || has_our_name) else {
                if has_our_name {
                    let damage = damage.unwrap_or_default();
                    bail!(
                        "{} is damaged, and nothing can be kept of it: {damage}; {NAME_ANOTHER}",
                        path.display()
                    );
                }
                continue;
            };
            if record.game.outcome().is_some() {
                continue;
            }
            // A file that has been edited or damaged, or written by another version, stays as it is; the game then goes on in a new
            // one.
            let mut written = Vec::new();
            record.write(&mut written)?;
            if written == text {
                (self.file, self.text) = (Some(path.clone()), text);
            }
            return Ok(Resumed { record, file: path, damage });
        }
        bail!("there is no unfinished game in {}", folder.display());
    }

    /// Begins a new game, which gets a file of its own.
    pub(super) fn begin(&mut self) {
        self.file = None;
        self.text.clear();
    }

    /// Saves the current game if it has changed since the last time.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn save(&mut self, record: &Record) -> Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        // A game without moves is not worth a file.
        if self.file.is_none() && record.game.moves().is_empty() {
            return Ok(());
        }
        let mut text = Vec::new();
        record.write(&mut text)?;
        if text == self.text {
            return Ok(());
        }
        // A file that has changed since stays as it is: the game may go on in another terminal.
        match self.file.as_ref().filter(|path| holds(path, &self.text)) {
            Some(path) => output::write(path, &text, Existing::Replace, &[])?,
            None => {
                fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
                self.file = Some(create(folder, &record::time_stamp(Timestamp::now()), &text)?);
            }
        }
        self.text = text;
        Ok(())
    }
}

/// Returns true if this is the content of the file.
pub(super) fn holds(path: &Path, text: &[u8]) -> bool {
    fs::read(path).is_ok_and(|content| content == text)
}

/// Returns true for the names that [`create`] gives: `2026-03-01-142530.pgn` and `2026-03-01-142530-02.pgn`.
fn is_save_name(path: &Path) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let parts: Vec<&str> = name.split('-').collect();
    let are_digits =
        parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    are_digits
        && matches!(
            parts.iter().map(|part| part.len()).collect::<Vec<_>>()[..],
            [4, 2, 2, 6] | [4, 2, 2, 6, 2]
        )
}

/// Writes a new file `STAMP.pgn`, or `STAMP-02.pgn` if that exists, and so on.
fn create(folder: &Path, stamp: &str, text: &[u8]) -> Result<PathBuf> {
    for number in 1..=MAX_SAME_SECOND {
        let suffix = if number == 1 { String::new() } else { format!("-{number:02}") };
        let path = folder.join(format!("{stamp}{suffix}.pgn"));
        let written = OutputFile::create(&path, Existing::Refuse, &[]).and_then(|mut file| {
            file.write_all(text)?;
            file.commit()
        });
        match written {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            result => return Ok(result.map(|()| path)?),
        }
    }
    bail!("{} has too many games of {stamp}; {} cannot save another", folder.display(), NAME)
}
