//! A player of a match: a program, its options and its limits.

mod spec;

use super::fingerprint::fingerprint;
use super::limits::Limits;
use crate::uci_engine::EngineCommand;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Player {
    /// What to run, and the player's name.
    pub(crate) command: EngineCommand,
    /// UCI options, in the order they are set.
    pub(crate) options: Vec<(String, String)>,
    /// How long it may think; empty until the match's own limits are filled in.
    pub(crate) limits: Limits,
    /// Tells whether the program is still the same when a match goes on.
    pub(crate) fingerprint: u64,
}

impl Player {
    /// A player that runs `program` under `name`.
    pub(crate) fn new(name: &str, program: PathBuf) -> Player {
        let command = EngineCommand { name: name.to_owned(), ..EngineCommand::new(program) };
        Player { command, ..Player::default() }
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.command.name
    }

    /// Finds the program, so that a later change of `PATH` or folder cannot exchange it, and notes what
    /// it looks like.
    ///
    /// # Errors
    /// When there is no such program, or it cannot be read.
    pub(crate) fn locate(&mut self) -> Result<()> {
        self.command.program =
            find_program(&self.command.program).with_context(|| format!("engine {:?}", self.name()))?;
        self.fingerprint = self.current_fingerprint()?;
        Ok(())
    }

    /// What the program looks like now.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn current_fingerprint(&self) -> Result<u64> {
        let program = &self.command.program;
        let bytes = std::fs::read(program)
            .with_context(|| format!("engine {:?}: cannot read {}", self.name(), program.display()))?;
        Ok(fingerprint(&bytes))
    }
}

/// The absolute path of a program: of a file, or of a name that is looked up in `PATH`.
///
/// # Errors
/// When there is no such file.
pub(crate) fn find_program(program: &Path) -> Result<PathBuf> {
    // On systems where programs have a suffix it may be left out.
    let mut with_suffix = program.as_os_str().to_owned();
    with_suffix.push(std::env::consts::EXE_SUFFIX);
    let candidates = [program, Path::new(&with_suffix)];
    if program.components().count() > 1 || program.is_absolute() {
        return match candidates.into_iter().find(|path| path.is_file()) {
            Some(path) => std::path::absolute(path).context("the current folder is gone"),
            None => bail!("there is no program {}", program.display()),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .flat_map(|folder| candidates.map(|name| folder.join(name)))
        .find(|path| path.is_file())
        .with_context(|| format!("there is no program {} in any folder of PATH", program.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_or_named() {
        let mut player = Player::new("ghost", "no/such/engine".into());
        let error = format!("{:#}", player.locate().unwrap_err());
        assert_eq!(error, "engine \"ghost\": there is no program no/such/engine");
        let error = find_program(Path::new("no-such-engine-anywhere")).unwrap_err().to_string();
        assert!(error.contains("in any folder of PATH"), "{error}");

        let own = std::env::current_exe().unwrap();
        let mut player = Player::new("self", own.clone());
        player.locate().unwrap();
        assert_eq!(player.command.program, own);
        assert_ne!(player.fingerprint, 0);
    }
}
