//! The folder of a walk: `spsa.json` says what is tuned and how, and `results.jsonl` has one line for each
//! iteration that was played. The walk follows from these two, so there is nothing else to keep.

use super::schedule::Schedule;
use super::walk::{Outcome, Walk};
use crate::folder_lock::FolderLock;
use crate::selfplay::match_engine::Timeouts;
use crate::selfplay::openings::Book;
use crate::selfplay::plan::Openings;
use crate::selfplay::player::Player;
use crate::selfplay::referee::Adjudication;
use anyhow::{Context, Result, bail};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

const SETUP: &str = "spsa.json";
const RESULTS: &str = "results.jsonl";

/// The form of `spsa.json`.
const VERSION: u32 = 1;

/// Everything that decides which games a walk consists of.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Setup {
    pub(super) version: u32,
    pub(super) schedule: Schedule,
    /// How many iterations later a result is first made use of.
    pub(super) delay: u64,
    /// The engine, with the options and limits of both players.
    pub(super) player: Player,
    pub(super) openings: Openings,
    pub(super) adjudication: Adjudication,
    pub(super) patience: Timeouts,
    /// Go on after an engine has crashed, stalled or left.
    pub(super) recover: bool,
    pub(super) chess960: bool,
}

/// What an iteration came to.
#[derive(serde::Serialize, serde::Deserialize)]
struct ResultLine {
    iteration: u64,
    #[serde(flatten)]
    outcome: Outcome,
}

/// The folder.
pub(super) struct Journal {
    folder: PathBuf,
    results: File,
    _lock: FolderLock,
}

impl Setup {
    /// The form that is written now.
    pub(super) const VERSION: u32 = VERSION;

    /// Are the program and the book what they were when the walk began?
    ///
    /// # Errors
    /// When one of them is not, or is gone; the message names it.
    pub(super) fn check_unchanged(&self, book: &Book) -> Result<()> {
        if self.player.current_fingerprint()? != self.player.fingerprint {
            let program = self.player.command.program.display();
            bail!(
                "the engine {program} has changed since the walk began; its results would not be comparable"
            );
        }
        if book.fingerprint != self.openings.fingerprint {
            bail!("the book {} has changed since the walk began", book.name);
        }
        Ok(())
    }
}

impl Journal {
    /// A new folder.
    ///
    /// # Errors
    /// When there is a walk in it already, or it cannot be written.
    pub(super) fn create(folder: &Path, setup: &Setup) -> Result<(Journal, Walk)> {
        let path = folder.join(SETUP);
        if path.exists() {
            let folder = folder.display();
            bail!(
                "there is a walk in {folder} already: go on with it by --resume {folder}, or give another --out"
            );
        }
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let lock = FolderLock::take(folder)?;
        std::fs::write(&path, serde_json::to_vec_pretty(setup)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
        let results = open(folder)?;
        results.set_len(0).with_context(|| format!("cannot empty {RESULTS} in {}", folder.display()))?;
        let walk = Walk::new(setup.schedule.clone(), setup.delay);
        Ok((Journal { folder: folder.to_owned(), results, _lock: lock }, walk))
    }

    /// The folder of a walk that has begun, and the walk as far as it got.
    ///
    /// # Errors
    /// When there is none in the folder, it is going on in another process, or its files make no sense.
    pub(super) fn resume(folder: &Path) -> Result<(Setup, Journal, Walk)> {
        if !folder.join(SETUP).exists() {
            bail!("there is no walk in {}: {SETUP} does not exist", folder.display());
        }
        let lock = FolderLock::take(folder)?;
        let (setup, walk, whole) = load(folder)?;
        let results = open(folder)?;
        results
            .set_len(whole)
            .with_context(|| format!("cannot shorten {RESULTS} in {}", folder.display()))?;
        Ok((setup, Journal { folder: folder.to_owned(), results, _lock: lock }, walk))
    }

    /// Where it is.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds the result of an iteration.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn record(&mut self, iteration: u64, outcome: Outcome) -> Result<()> {
        let line = serde_json::to_string(&ResultLine { iteration, outcome })? + "\n";
        self.results
            .write_all(line.as_bytes())
            .with_context(|| format!("cannot write {}", self.folder.join(RESULTS).display()))
    }
}

/// What is in the folder of a walk, which may be going on: what is tuned, the walk as far as it got, and the
/// length of the results without half a line at the end, which a process that was killed may have left.
///
/// # Errors
/// When there is no walk in the folder, or its files make no sense.
pub(super) fn load(folder: &Path) -> Result<(Setup, Walk, u64)> {
    let path = folder.join(SETUP);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("there is no walk in {}: cannot read {SETUP}", folder.display()))?;
    let setup: Setup =
        serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display()))?;
    if setup.version != VERSION {
        bail!("{} has form {}, and this program knows form {VERSION}", path.display(), setup.version);
    }
    let mut walk = Walk::new(setup.schedule.clone(), setup.delay);
    let path = folder.join(RESULTS);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    for (number, line) in (1..).zip(text[..whole].lines()) {
        let line: ResultLine =
            serde_json::from_str(line).with_context(|| format!("{}, line {number}", path.display()))?;
        walk.note(line.iteration, line.outcome);
    }
    Ok((setup, walk, whole as u64))
}

/// Writes a file of the folder, whole or not at all, and returns where it is.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    // A second process may be looking at a walk that goes on.
    let partial = folder.join(format!("{name}.{}", std::process::id()));
    std::fs::write(&partial, text)
        .and_then(|()| std::fs::rename(&partial, &path))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

fn open(folder: &Path) -> Result<File> {
    let path = folder.join(RESULTS);
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .with_context(|| format!("cannot open {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::super::schedule::tests::schedule;
    use super::super::walk::Work;
    use super::*;

    fn setup() -> Setup {
        let plan = crate::selfplay::test_data::plan();
        Setup {
            version: VERSION,
            schedule: schedule(40, 0.1),
            delay: 4,
            player: plan.players[0].clone(),
            openings: plan.openings,
            adjudication: plan.adjudication,
            patience: plan.timeouts,
            recover: false,
            chess960: false,
        }
    }

    /// Plays up to `iterations` more, with results that follow from the iteration's number.
    fn play(walk: &mut Walk, journal: &mut Journal, iterations: usize) {
        for _ in 0..iterations {
            let Work::Play(iteration, _) = walk.next() else { return };
            let wins = u32::try_from(iteration * iteration % 3).unwrap();
            let outcome = Outcome { wins, draws: 2 - wins, losses: 0 };
            journal.record(iteration, outcome).unwrap();
            walk.note(iteration, outcome);
        }
    }

    #[test]
    fn a_killed_walk_goes_on_to_the_same_end() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, mut whole) = Journal::create(folder.path(), &setup()).unwrap();
        play(&mut whole, &mut journal, 100);
        assert!(whole.is_done());

        let folder = tempfile::tempdir().unwrap();
        let (mut journal, mut walk) = Journal::create(folder.path(), &setup()).unwrap();
        play(&mut walk, &mut journal, 17);
        drop(journal);
        let path = folder.path().join(RESULTS);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += "{\"iteration\":17,\"wi";
        std::fs::write(&path, text).unwrap();
        let (again, mut journal, mut walk) = Journal::resume(folder.path()).unwrap();
        assert_eq!((again, walk.applied()), (setup(), 17));
        play(&mut walk, &mut journal, 100);
        assert_eq!(walk.points(), whole.points());
        let (_, walk, _) = load(folder.path()).unwrap();
        assert_eq!(walk.points(), whole.points());
    }

    #[test]
    fn looking_at_a_walk_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, mut walk) = Journal::create(folder.path(), &setup()).unwrap();
        play(&mut walk, &mut journal, 3);
        let path = folder.path().join(RESULTS);
        let text = std::fs::read_to_string(&path).unwrap() + "{\"iteration\":3";
        std::fs::write(&path, &text).unwrap();
        let (_, seen, whole) = load(folder.path()).unwrap();
        assert_eq!((seen.applied(), whole), (3, text.rfind('\n').unwrap() as u64 + 1));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn folders_that_cannot_be_used_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = |result: Result<()>| format!("{:#}", result.unwrap_err());
        let text = error(Journal::resume(folder.path()).map(drop));
        assert!(text.contains("there is no walk in") && text.contains("spsa.json"), "{text}");
        Journal::create(folder.path(), &setup()).unwrap();
        let text = error(Journal::create(folder.path(), &setup()).map(drop));
        assert!(text.contains("already: go on with it by --resume"), "{text}");
        std::fs::write(folder.path().join(RESULTS), "{}\n").unwrap();
        let text = error(Journal::resume(folder.path()).map(drop));
        assert!(text.contains("results.jsonl, line 1"), "{text}");
        std::fs::write(folder.path().join(SETUP), "{").unwrap();
        let text = error(Journal::resume(folder.path()).map(drop));
        assert!(text.contains("spsa.json is damaged"), "{text}");
    }

    #[test]
    fn a_page_is_drawn_at_any_time() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, mut walk) = Journal::create(folder.path(), &setup()).unwrap();
        let page = super::super::report::page(&walk).unwrap();
        assert!(page.contains("0 of 40 iterations"), "{page}");
        play(&mut walk, &mut journal, 100);
        let page = super::super::report::page(&walk).unwrap();
        assert!(page.matches("<svg").count() == 2 && page.contains("option.killer_bonus="), "{page}");
        assert!(super::super::report::status(&walk, 12.0).starts_with("12 games a minute; "));
    }
}
