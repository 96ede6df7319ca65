//! The folder of an SPSA run: its setup in `spsa.json` and one line per completed iteration in `results.jsonl`.
//! These two files determine the state of the run.

use super::schedule::Schedule;
use super::tuner::{Outcome, Tuner};
use crate::new_run::lock_new_run;
use crate::selfplay::match_engine::Timeouts;
use crate::selfplay::plan::Openings;
use crate::selfplay::player::Player;
use anyhow::{Context, Result, bail};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabiya_files::lock::Lock;
use tabiya_files::output::{self, Existing};
use tabiya_lab_common::openings::Book;
use tabiya_lab_common::referee::Adjudication;

const SETUP: &str = "spsa.json";
const RESULTS: &str = "results.jsonl";
const PAGE: &str = "spsa.html";

/// Everything that determines the games of a run.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Setup {
    pub(super) version: u32,
    pub(super) schedule: Schedule,
    /// Delay: iteration n perturbs the parameters as they were after iteration n - `delay`.
    pub(super) delay: u64,
    /// Number of games played in parallel; `None` in files of earlier versions.
    #[serde(default)]
    pub(super) slots: Option<usize>,
    /// The engine, with the UCI options and search limits of both players.
    pub(super) player: Player,
    pub(super) openings: Openings,
    pub(super) adjudication: Adjudication,
    #[serde(rename = "patience")]
    pub(super) timeouts: Timeouts,
    /// Restart engines that crash, stall or disconnect instead of ending the run.
    pub(super) recover: bool,
    pub(super) chess960: bool,
}

/// A line of `results.jsonl`.
#[derive(serde::Serialize, serde::Deserialize)]
struct ResultLine {
    iteration: u64,
    #[serde(flatten)]
    outcome: Outcome,
}

/// The open journal of a run.
pub(super) struct Journal {
    folder: PathBuf,
    results: File,
    _lock: Lock,
}

impl Setup {
    /// Format version of `spsa.json`.
    pub(super) const VERSION: u32 = 1;

    /// Checks that the engine and the book have not changed since the run started.
    ///
    /// # Errors
    /// If one of them has changed or is missing; the message names it.
    pub(super) fn check_unchanged(&self, book: &Book) -> Result<()> {
        self.player.check_unchanged()?;
        self.openings.check_unchanged(book)
    }
}

impl Journal {
    /// Creates the folder of a new run.
    ///
    /// # Errors
    /// If it contains a run or a file with the name of one of its files, or cannot be written.
    pub(super) fn create(folder: &Path, setup: &Setup) -> Result<(Journal, Tuner)> {
        let lock = lock_new_run(folder, SETUP, &[RESULTS, PAGE])?;
        // The setup is written last: a folder that has it also has the results.
        let results = open_results(folder)?;
        output::write(&folder.join(SETUP), &serde_json::to_vec_pretty(setup)?, Existing::Refuse, &[])?;
        let tuner = Tuner::new(setup.schedule.clone(), setup.delay);
        Ok((Journal { folder: folder.to_owned(), results, _lock: lock }, tuner))
    }

    /// Opens the folder of an existing run and restores its state.
    ///
    /// # Errors
    /// If there is no run in the folder, another process is continuing it, or its files are damaged.
    pub(super) fn resume(folder: &Path) -> Result<(Setup, Journal, Tuner)> {
        if !folder.join(SETUP).exists() {
            bail!("no SPSA run in {}: {SETUP} does not exist", folder.display());
        }
        let lock = Lock::of_folder(folder)?;
        let (setup, tuner, length) = load(folder)?;
        let results = open_results(folder)?;
        results
            .set_len(length)
            .with_context(|| format!("cannot truncate {RESULTS} in {}", folder.display()))?;
        Ok((setup, Journal { folder: folder.to_owned(), results, _lock: lock }, tuner))
    }

    /// Path of the folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Appends the result of an iteration.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn record(&mut self, iteration: u64, outcome: Outcome) -> Result<()> {
        let line = serde_json::to_string(&ResultLine { iteration, outcome })? + "\n";
        self.results
            .write_all(line.as_bytes())
            .with_context(|| format!("cannot write {}", self.folder.join(RESULTS).display()))
    }
}

/// Reads the folder of a run, which may be in progress. Returns its setup, its state, and the length of the
/// results in bytes, without an incomplete last line that a killed process may have left.
///
/// # Errors
/// If there is no run in the folder, or its files are damaged.
pub(super) fn load(folder: &Path) -> Result<(Setup, Tuner, u64)> {
    let path = folder.join(SETUP);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("no SPSA run in {}: cannot read {SETUP}", folder.display()))?;
    let setup: Setup =
        serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display()))?;
    if setup.version != Setup::VERSION {
        let (version, expected) = (setup.version, Setup::VERSION);
        bail!("{} has format version {version} (expected {expected})", path.display());
    }
    let mut tuner = Tuner::new(setup.schedule.clone(), setup.delay);
    let path = folder.join(RESULTS);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let length = text.rfind('\n').map_or(0, |end| end + 1);
    for (number, line) in (1..).zip(text[..length].lines()) {
        let line: ResultLine =
            serde_json::from_str(line).with_context(|| format!("{}, line {number}", path.display()))?;
        tuner.record(line.iteration, line.outcome);
    }
    Ok((setup, tuner, length as u64))
}

/// Writes the page and returns its path.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_page(folder: &Path, page: &str) -> Result<PathBuf> {
    let path = folder.join(PAGE);
    output::write(&path, page.as_bytes(), Existing::Replace, &[])?;
    Ok(path)
}

fn open_results(folder: &Path) -> Result<File> {
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
    use super::super::tuner::Work;
    use super::*;

    fn setup() -> Setup {
        let plan = crate::selfplay::test_data::plan();
        Setup {
            version: Setup::VERSION,
            schedule: schedule(40, 0.1),
            delay: 4,
            slots: Some(2),
            player: plan.players[0].clone(),
            openings: plan.openings,
            adjudication: plan.adjudication,
            timeouts: plan.timeouts,
            recover: false,
            chess960: false,
        }
    }

    /// Plays up to `iterations` more iterations, with results that depend on the iteration number.
    fn play(tuner: &mut Tuner, journal: &mut Journal, iterations: usize) {
        for _ in 0..iterations {
            let Work::Play(iteration, _) = tuner.next() else { return };
            let wins = u32::try_from(iteration * iteration % 3).unwrap();
            let outcome = Outcome { wins, draws: 2 - wins, losses: 0 };
            journal.record(iteration, outcome).unwrap();
            tuner.record(iteration, outcome);
        }
    }

    #[test]
    fn resumed_run_reaches_the_same_values() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, mut uninterrupted) = Journal::create(folder.path(), &setup()).unwrap();
        play(&mut uninterrupted, &mut journal, 100);
        assert!(uninterrupted.is_done());

        let folder = tempfile::tempdir().unwrap();
        let (mut journal, mut tuner) = Journal::create(folder.path(), &setup()).unwrap();
        play(&mut tuner, &mut journal, 17);
        drop(journal);
        let path = folder.path().join(RESULTS);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += "{\"iteration\":17,\"wi";
        std::fs::write(&path, text).unwrap();
        let (resumed, mut journal, mut tuner) = Journal::resume(folder.path()).unwrap();
        assert_eq!((resumed, tuner.applied()), (setup(), 17));
        play(&mut tuner, &mut journal, 100);
        assert_eq!(tuner.trajectory(), uninterrupted.trajectory());
        let (_, tuner, _) = load(folder.path()).unwrap();
        assert_eq!(tuner.trajectory(), uninterrupted.trajectory());
    }

    #[test]
    fn load_does_not_modify_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, mut tuner) = Journal::create(folder.path(), &setup()).unwrap();
        play(&mut tuner, &mut journal, 3);
        let path = folder.path().join(RESULTS);
        let text = std::fs::read_to_string(&path).unwrap() + "{\"iteration\":3";
        std::fs::write(&path, &text).unwrap();
        let (_, loaded, length) = load(folder.path()).unwrap();
        assert_eq!((loaded.applied(), length), (3, text.rfind('\n').unwrap() as u64 + 1));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn errors_name_the_folder_or_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = |result: Result<()>| format!("{:#}", result.unwrap_err());
        let text = error(Journal::resume(folder.path()).map(drop));
        assert!(text.contains("no SPSA run in") && text.contains("spsa.json"), "{text}");
        Journal::create(folder.path(), &setup()).unwrap();
        let text = error(Journal::create(folder.path(), &setup()).map(drop));
        assert!(text.contains("already contains a run; continue it with --resume"), "{text}");
        let other = tempfile::tempdir().unwrap();
        std::fs::write(other.path().join(RESULTS), "mine").unwrap();
        let text = error(Journal::create(other.path(), &setup()).map(drop));
        assert!(text.contains("results.jsonl exists and is not of a run that can be resumed"), "{text}");
        assert_eq!(std::fs::read(other.path().join(RESULTS)).unwrap(), b"mine");
        std::fs::write(folder.path().join(RESULTS), "{}\n").unwrap();
        let text = error(Journal::resume(folder.path()).map(drop));
        assert!(text.contains("results.jsonl, line 1"), "{text}");
        std::fs::remove_file(folder.path().join(RESULTS)).unwrap();
        let text = error(Journal::resume(folder.path()).map(drop));
        assert!(text.contains("cannot read") && text.contains("results.jsonl"), "{text}");
        std::fs::write(folder.path().join(SETUP), "{").unwrap();
        let text = error(Journal::resume(folder.path()).map(drop));
        assert!(text.contains("spsa.json is damaged"), "{text}");
    }

    #[test]
    fn page_can_be_rendered_at_any_time() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, mut tuner) = Journal::create(folder.path(), &setup()).unwrap();
        let page = super::super::report::page(&tuner).unwrap();
        assert!(page.contains("0 of 40 iterations"), "{page}");
        play(&mut tuner, &mut journal, 100);
        let page = super::super::report::page(&tuner).unwrap();
        assert!(page.matches("<svg").count() == 2 && page.contains("option.killer_bonus="), "{page}");
        assert!(super::super::report::status(&tuner, 12.0).starts_with("12 games per minute; "));
    }
}
