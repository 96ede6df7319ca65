//! Building the engine: of the working tree, and of any revision.

use crate::repository;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the engine's binary on this system.
pub fn binary_name() -> String {
    format!("tabiya{}", std::env::consts::EXE_SUFFIX)
}

/// Builds the engine of the working tree with the release profile and returns the binary's path.
///
/// # Errors
/// When cargo fails; what it said has gone to stderr.
pub fn worktree() -> Result<PathBuf> {
    let target = repository::target_folder();
    cargo_build(&repository::root(), &target, &[])?;
    Ok(target.join("release").join(binary_name()))
}

/// Builds the engine of the working tree with an option for each number of its search, in a target folder of
/// its own, and returns the binary's path.
///
/// # Errors
/// When cargo fails; what it said has gone to stderr.
pub fn with_tunables() -> Result<PathBuf> {
    let target = repository::target_folder().join("lab").join("tune");
    cargo_build(&repository::root(), &target, &["--features", "tune"])?;
    Ok(target.join("release").join(binary_name()))
}

/// Builds the engine as it was at `revision`, once: the binary is kept as `target/lab/<commit>/tabiya`.
///
/// The revision's files are written to a folder of their own, which goes away after the build: neither
/// the developer's files nor git's index or worktree list are touched.
///
/// # Errors
/// When there is no such revision, or it does not build.
pub fn revision(revision: &str) -> Result<PathBuf> {
    let commit = repository::commit(revision)?;
    let lab = repository::target_folder().join("lab");
    let folder = lab.join(&commit);
    let binary = folder.join(binary_name());
    if binary.is_file() {
        return Ok(binary);
    }
    // The process id keeps two builds of one revision at the same time apart.
    let source = lab.join(format!("source-{}-{}", &commit[..12.min(commit.len())], std::process::id()));
    let built = write_files(&commit, &source)
        // One target folder for all revisions: what did not change between them is not built again.
        .and_then(|()| cargo_build(&source, &lab.join("target"), &[]))
        .and_then(|()| keep(&lab.join("target").join("release").join(binary_name()), &folder))
        .with_context(|| format!("cannot build the revision {revision:.40}, commit {commit:.12}"));
    let removed = std::fs::remove_dir_all(&source)
        .with_context(|| format!("cannot remove the sources in {}", source.display()));
    built?;
    removed?;
    Ok(binary)
}

/// Writes the files of a commit to `folder`, by way of an index that only this function knows.
fn write_files(commit: &str, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let index = folder.join(".index");
    let prefix = format!("--prefix={}/", folder.display());
    for arguments in [["read-tree", commit, ""], ["checkout-index", "--all", &prefix]] {
        let status = Command::new("git")
            .args(arguments.iter().filter(|argument| !argument.is_empty()))
            .current_dir(repository::root())
            .env("GIT_INDEX_FILE", &index)
            .status()
            .context("cannot run git")?;
        if !status.success() {
            bail!("git {}: {status}", arguments.join(" "));
        }
    }
    Ok(())
}

/// Copies a built binary into `folder`. It appears there whole or not at all: a copy that is cut short
/// must not be taken for the binary of that commit for ever.
fn keep(binary: &Path, folder: &Path) -> Result<()> {
    let partial = folder.join(format!("partial-{}", std::process::id()));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::copy(binary, &partial))
        .and_then(|_| std::fs::rename(&partial, folder.join(binary_name())))
        .with_context(|| format!("cannot keep {} in {}", binary.display(), folder.display()))
}

fn cargo_build(source: &Path, target: &Path, more: &[&str]) -> Result<()> {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        // Not `--locked`: an old revision whose Cargo.lock was out of date must still build.
        .args(["build", "--quiet", "--release", "--package", "tabiya"])
        .args(more)
        .current_dir(source)
        .env("CARGO_TARGET_DIR", target)
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("cargo build in {}: {status}", source.display());
    }
    Ok(())
}
