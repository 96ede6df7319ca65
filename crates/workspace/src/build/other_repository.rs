//! Engines built from the revisions of another repository.

use super::{Way, kept};
use crate::repository;
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A repository of an engine, and the way to build it.
#[derive(Clone, Debug)]
pub struct OtherRepository {
    /// A folder of the repository.
    pub folder: PathBuf,
    /// The shell command that builds the engine in the root of the sources.
    pub build: String,
    /// The path of the program that the command writes, relative to the root of the sources.
    pub program: PathBuf,
}

impl OtherRepository {
    /// Builds a revision, unless it has been built before with the same command, and returns its commit and the path of the program.
    ///
    /// The sources are exported, so that the repository is only read.
    ///
    /// # Errors
    /// If there is no such revision, or it does not build.
    pub fn revision(&self, revision: &str) -> Result<(String, PathBuf)> {
        let commit = repository::commit_in(&self.folder, revision)?;
        let conditions = format!("{}\n{}", self.build, self.program.display());
        let way = Way { text: &self.build, conditions: &conditions, program: &self.program };
        let program = kept(&self.folder, [revision, &commit], &way, |source| self.run_build(source))?;
        Ok((commit, program))
    }

    /// Runs the command and returns the path of the program.
    fn run_build(&self, source: &Path) -> Result<PathBuf> {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let status = Command::new(shell)
            .args([flag, &self.build])
            .current_dir(source)
            .status()
            .with_context(|| format!("cannot run {shell}"))?;
        if !status.success() {
            bail!("{}: {status}", self.build);
        }
        let program = source.join(&self.program);
        if !program.is_file() {
            bail!("{} has not written {} (name it with --program)", self.build, self.program.display());
        }
        Ok(program)
    }
}
