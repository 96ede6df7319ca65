//! Engines built from the revisions of another repository.

use super::{copy_atomically, engines_folder, export, lock, remove};
use crate::eprintln;
use crate::fingerprint::fingerprint;
use crate::repository;
use anyhow::{Context, Result, bail};
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
        let engines = engines_folder();
        let conditions = format!("{}\n{}", self.build, self.program.display());
        let folder = engines.join(format!("{commit}-{:016x}", fingerprint(conditions.as_bytes())));
        let name = self.program.file_name().context("--program has no file name")?;
        let kept = folder.join(name);
        if kept.is_file() {
            return Ok((commit, kept));
        }
        let _lock = lock(&engines)?;
        // Another process may have built it in the meantime.
        if kept.is_file() {
            return Ok((commit, kept));
        }
        eprintln!(
            "building the revision {revision:.40} of {}, commit {commit:.12} ({}); it is kept in {}",
            self.folder.display(),
            self.build,
            folder.display()
        );
        let source = engines.join("source");
        let built = export(&self.folder, &commit, &source)
            .and_then(|()| self.run_build(&source))
            .and_then(|()| copy_atomically(&source.join(&self.program), &kept))
            .with_context(|| format!("cannot build the revision {revision:.40}, commit {commit:.12}"));
        let removed = remove(&source);
        built?;
        removed?;
        Ok((commit, kept))
    }

    fn run_build(&self, source: &Path) -> Result<()> {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let status = Command::new(shell)
            .args([flag, &self.build])
            .current_dir(source)
            .status()
            .with_context(|| format!("cannot run {shell}"))?;
        if !status.success() {
            bail!("{}: {status}", self.build);
        }
        if !source.join(&self.program).is_file() {
            bail!("{} has not written {} (name it with --program)", self.build, self.program.display());
        }
        Ok(())
    }
}
