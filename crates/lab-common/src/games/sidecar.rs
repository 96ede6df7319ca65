//! The settings of the runs that wrote a file of games, kept beside it: the format has no header.
//!
//! `games.vf.toml` has the settings in the table `settings`, and one entry in `runs` for each revision that has
//! appended to the file.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tabiya_files::input;
use tabiya_files::output::{self, Existing};
use tabiya_workspace::repository;

/// The version of the sidecar and of the rules by which settings determine the content.
const VERSION: u32 = 2;

/// Largest size of a sidecar, in bytes.
const MAX_SIZE: u64 = 1 << 20;

/// Depth of the benchmark whose node count identifies the search and the evaluation; it takes some milliseconds.
const SIGNATURE_DEPTH: u32 = 4;

/// A continuous part of a file, written by one revision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Number of the first game.
    first_game: u64,
    /// The commit that was checked out, or empty if unknown.
    revision: String,
    /// The node count of a short benchmark, which changes with the search and the default evaluation.
    signature: u64,
}

impl Run {
    /// A run of this program that starts now.
    ///
    /// # Errors
    /// If the benchmark fails.
    pub fn new(first_game: u64) -> Result<Run> {
        let revision = repository::git(&["rev-parse", "HEAD"]).unwrap_or_default();
        let signature = tabiya_search::bench::run(SIGNATURE_DEPTH)?.nodes;
        Ok(Run { first_game, revision, signature })
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Sidecar {
    version: u32,
    settings: toml::Table,
    runs: Vec<Run>,
}

/// The name of the sidecar of a file.
pub(super) fn path(games: &Path) -> PathBuf {
    with_suffix(games, ".toml")
}

/// The path with this text appended to its name.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Creates the sidecar of a file of games, or checks that it has these settings and notes the run. `is_new` is true if
/// the file of games is empty; then the settings replace others.
///
/// # Errors
/// If it has other settings, cannot be read or written, or is missing although the file is not empty.
pub fn check_or_write(games: &Path, is_new: bool, settings: &impl Serialize, run: &Run) -> Result<()> {
    let path = path(games);
    let settings = toml::Table::try_from(settings).context("cannot write the settings as TOML")?;
    let former = match input::read_text(&path, MAX_SIZE) {
        Ok(text) => Some(parse(&path, &text)?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let mut sidecar = match former {
        // Also after a run that was interrupted before its first game.
        _ if is_new => Sidecar { version: VERSION, settings, runs: vec![] },
        Some(former) => {
            check(games, &former, &settings)?;
            former
        }
        None => bail!(
            "{} is not empty, but its settings {} are missing; choose another file",
            games.display(),
            path.display()
        ),
    };
    let same = |last: &Run| (&last.revision, last.signature) == (&run.revision, run.signature);
    if !sidecar.runs.last().is_some_and(same) {
        // A run without games leaves no trace.
        sidecar.runs.retain(|former| former.first_game < run.first_game);
        sidecar.runs.push(run.clone());
    }
    let text = toml::to_string(&sidecar).context("cannot write the settings as TOML")?;
    output::write(&path, text.as_bytes(), Existing::Replace, &[])?;
    Ok(())
}

fn parse(path: &Path, text: &str) -> Result<Sidecar> {
    let sidecar: Sidecar =
        toml::from_str(text).with_context(|| format!("{} is not a file of settings", path.display()))?;
    if sidecar.version != VERSION {
        bail!("{}: version {} (expected {VERSION})", path.display(), sidecar.version);
    }
    Ok(sidecar)
}

fn check(games: &Path, former: &Sidecar, settings: &toml::Table) -> Result<()> {
    let differences = differences(&former.settings, settings);
    if !differences.is_empty() {
        bail!(
            "{} was started with different settings ({differences}); repeat those or choose another file",
            games.display()
        );
    }
    Ok(())
}

/// Formats the settings that differ, for an error message.
fn differences(former: &toml::Table, given: &toml::Table) -> String {
    let names: std::collections::BTreeSet<&String> = former.keys().chain(given.keys()).collect();
    let value =
        |table: &toml::Table, name: &str| table.get(name).map_or("none".to_owned(), toml::Value::to_string);
    let differing = names
        .into_iter()
        .filter(|&name| former.get(name) != given.get(name))
        .map(|name| format!("{name}: {} in the file, {} given", value(former, name), value(given, name)));
    differing.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Settings {
        seed: String,
        mix: &'static str,
        nodes: u32,
    }

    fn settings() -> Settings {
        Settings { seed: u64::MAX.to_string(), mix: "80:10:10", nodes: 1500 }
    }

    fn run(first_game: u64, revision: &str) -> Run {
        Run { first_game, revision: revision.into(), signature: 7 }
    }

    #[test]
    fn runs_of_different_revisions_are_noted() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.vf");
        for run in [run(0, "a"), run(0, "b"), run(100, "b"), run(200, "c")] {
            check_or_write(&games, run.first_game == 0, &settings(), &run).unwrap();
        }
        let text = std::fs::read_to_string(path(&games)).unwrap();
        let read: Sidecar = toml::from_str(&text).unwrap();
        assert_eq!(read.runs, [run(0, "b"), run(200, "c")]);
    }

    #[test]
    fn settings_of_a_run_without_games_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.vf");
        check_or_write(&games, true, &settings(), &run(0, "a")).unwrap();
        let others = Settings { nodes: 99, ..settings() };
        check_or_write(&games, true, &others, &run(0, "a")).unwrap();
        check_or_write(&games, false, &others, &run(5, "a")).unwrap();
    }

    #[test]
    fn other_settings_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.vf");
        check_or_write(&games, true, &settings(), &run(0, "a")).unwrap();
        let error = |settings: &Settings| {
            format!("{:#}", check_or_write(&games, false, settings, &run(5, "a")).unwrap_err())
        };
        let text = error(&Settings { nodes: 99, mix: "1:0:0", ..settings() });
        let expected = "(mix: \"80:10:10\" in the file, \"1:0:0\" given; nodes: 1500 in the file, 99 given)";
        assert!(text.contains(expected), "{text}");
        std::fs::write(path(&games), "version = 2\n").unwrap();
        assert!(error(&settings()).contains("games.vf.toml is not a file of settings"));
        std::fs::remove_file(path(&games)).unwrap();
        assert!(error(&settings()).contains("games.vf.toml are missing; choose another file"));
    }
}
