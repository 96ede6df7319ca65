//! Builds of the engine, from the working tree or from a revision.

use crate::repository;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// File name of the engine's binary on this system.
pub fn binary_name() -> String {
    format!("tabiya{}", std::env::consts::EXE_SUFFIX)
}

/// Builds the working tree in release mode and returns the path of the binary.
///
/// # Errors
/// If cargo fails; its messages go to stderr.
pub fn worktree() -> Result<PathBuf> {
    let target = repository::target_folder();
    cargo_build(&repository::root(), &target, &[])?;
    Ok(target.join("release").join(binary_name()))
}

/// Builds the working tree with a UCI option for every search parameter, in a separate target folder, and returns the
/// path of the binary.
///
/// # Errors
/// If cargo fails; its messages go to stderr.
pub fn with_tunables() -> Result<PathBuf> {
    let target = repository::target_folder().join("lab").join("tune");
    cargo_build(&repository::root(), &target, &["--features", "tune"])?;
    Ok(target.join("release").join(binary_name()))
}

/// Builds `revision` unless `target/lab/<commit>/tabiya` exists, and returns its path.
///
/// The sources are exported to a temporary folder; the working tree, git's index and its list of
/// worktrees are not touched.
///
/// # Errors
/// If there is no such revision, or it does not build.
pub fn revision(revision: &str) -> Result<PathBuf> {
    let commit = repository::commit(revision)?;
    let lab = repository::target_folder().join("lab");
    let folder = lab.join(&commit);
    let binary = folder.join(binary_name());
    if binary.is_file() {
        return Ok(binary);
    }
    // The process ID separates concurrent builds of one revision.
    let source = lab.join(format!("source-{}-{}", &commit[..12.min(commit.len())], std::process::id()));
    let built = export(&commit, &source)
        .and_then(|()| cargo_build(&source, &lab.join("target"), &[]))
        .and_then(|()| copy_atomically(&lab.join("target").join("release").join(binary_name()), &folder))
        .with_context(|| format!("cannot build the revision {revision:.40}, commit {commit:.12}"));
    let removed = std::fs::remove_dir_all(&source)
        .with_context(|| format!("cannot remove the sources in {}", source.display()));
    built?;
    removed?;
    Ok(binary)
}

/// Exports the files of a commit to `folder`, through a temporary index.
fn export(commit: &str, folder: &Path) -> Result<()> {
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

/// Copies a binary into `folder` by way of a temporary file: [`revision`] would use a partial copy from then on.
fn copy_atomically(binary: &Path, folder: &Path) -> Result<()> {
    let partial = folder.join(format!("partial-{}", std::process::id()));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::copy(binary, &partial))
        .and_then(|_| std::fs::rename(&partial, folder.join(binary_name())))
        .with_context(|| format!("cannot copy {} to {}", binary.display(), folder.display()))
}

fn cargo_build(source: &Path, target: &Path, options: &[&str]) -> Result<()> {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        // Not `--locked`: an old revision whose Cargo.lock is out of date must still build.
        .args(["build", "--quiet", "--release", "--package", "tabiya"])
        .args(options)
        .current_dir(source)
        .env("CARGO_TARGET_DIR", target)
        // So that the packages of others are built once, not in each target folder. Cargo before 1.91 ignores it.
        .env("CARGO_BUILD_BUILD_DIR", repository::target_folder())
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("cargo build in {}: {status}", source.display());
    }
    Ok(())
}
