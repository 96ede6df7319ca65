//! Players that are revisions of this repository.

use super::fingerprint::fingerprint;
use super::player::Player;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use tabiya_workspace::{build, repository};

/// What stands for the files as they are.
const WORKTREE: &str = "worktree";

/// The player that a revision, or `worktree`, builds.
///
/// # Errors
/// When there is no such revision, or it does not build.
pub(crate) fn player(revision: &str) -> Result<Player> {
    if revision == WORKTREE {
        return Ok(Player::new("tabiya-worktree", worktree()?));
    }
    let program = build::revision(revision)?;
    let commit = repository::commit(revision)?;
    Ok(Player::new(&format!("tabiya-{}", &commit[..8.min(commit.len())]), program))
}

/// The revision that the working tree is compared with where none is named: the last commit or, where
/// nothing has changed since, the one before it.
///
/// # Errors
/// When git fails.
pub(crate) fn default_base() -> Result<&'static str> {
    let changes = repository::git(&["status", "--porcelain"])?;
    Ok(if changes.is_empty() { "HEAD~1" } else { "HEAD" })
}

fn worktree() -> Result<PathBuf> {
    keep("worktree", &build::worktree()?)
}

/// Keeps a copy of a binary that was just built under a name of its own: the next build must not exchange the
/// program of a match that is running.
///
/// # Errors
/// When it cannot be copied.
pub(crate) fn keep(kind: &str, built: &Path) -> Result<PathBuf> {
    let bytes = std::fs::read(built).with_context(|| format!("cannot read {}", built.display()))?;
    let folder = repository::target_folder().join("lab").join(format!("{kind}-{:016x}", fingerprint(&bytes)));
    let kept = folder.join(build::binary_name());
    if !kept.is_file() {
        let partial = folder.join(format!("partial-{}", std::process::id()));
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::copy(built, &partial))
            .and_then(|_| std::fs::rename(&partial, &kept))
            .with_context(|| format!("cannot keep {} in {}", built.display(), folder.display()))?;
    }
    Ok(kept)
}
