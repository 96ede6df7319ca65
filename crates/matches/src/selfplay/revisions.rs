//! Players built from revisions of this repository.

use super::player::Player;
use anyhow::{Context, Error, Result};
use std::path::{Path, PathBuf};
use tabiya_uci_engine::EngineCommand;
use tabiya_workspace::build::{self, Optimisation, OtherRepository};
use tabiya_workspace::fingerprint::fingerprint;
use tabiya_workspace::repository;

/// Name that stands for the working tree.
const WORKTREE: &str = "worktree";

/// Builds a revision, or `worktree`, and returns its player.
///
/// # Errors
/// If there is no such revision, or it does not build.
pub(crate) fn player(revision: &str, optimisation: Optimisation) -> Result<Player> {
    let mut player = if revision == WORKTREE {
        Player::new("tabiya-worktree", keep("worktree", &optimisation.worktree()?)?)
    } else {
        let program = optimisation.revision(revision)?;
        let commit = repository::commit(revision)?;
        Player::new(&format!("tabiya-{}", &commit[..8.min(commit.len())]), program)
    };
    if optimisation == Optimisation::Fast {
        player.notes.push("built without link-time optimisation (--fast)".to_owned());
    }
    Ok(player)
}

/// Builds a revision, or reads the specification of an engine, and returns its player.
///
/// # Errors
/// If the specification is malformed, there is no such revision, or it does not build.
pub(crate) fn player_or_engine(text: &str) -> Result<Player> {
    // No revision has an equals sign in its name.
    if text.contains('=') {
        return text.parse().map_err(Error::msg);
    }
    let is_built = || format!("{text:?} is not an engine as in cmd=PROGRAM, but a revision of Tabiya");
    repository::sources().with_context(is_built)?;
    player(text, Optimisation::Shipped)
}

/// Builds a revision of another engine's repository, and returns its player.
///
/// # Errors
/// If there is no such revision, or it does not build.
pub(crate) fn player_of(repository: &OtherRepository, revision: &str) -> Result<Player> {
    let (commit, program) = repository.revision(revision)?;
    let engine = EngineCommand::new(&program).name;
    let mut player = Player::new(&format!("{engine}-{}", &commit[..8.min(commit.len())]), program.clone());
    player.notes.push(format!("built by: {}", repository.build));
    Ok(player)
}

/// Returns the default base revision: `HEAD`, or `HEAD~1` if the working tree has no changes.
///
/// # Errors
/// If git fails.
pub(crate) fn default_base() -> Result<&'static str> {
    let changes = repository::git(&["status", "--porcelain"])?;
    Ok(if changes.is_empty() { "HEAD~1" } else { "HEAD" })
}

/// Copies a built binary to a path that depends on its content, so that the next build does not replace
/// the program of a running match.
///
/// # Errors
/// If it cannot be copied.
pub(crate) fn keep(kind: &str, built: &Path) -> Result<PathBuf> {
    let bytes = std::fs::read(built).with_context(|| format!("cannot read {}", built.display()))?;
    let folder = build::engines_folder().join(format!("{kind}-{:016x}", fingerprint(&bytes)));
    let kept = folder.join(build::binary_name());
    if !kept.is_file() {
        build::copy_atomically(built, &kept)?;
    }
    Ok(kept)
}
