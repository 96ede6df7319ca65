//! A player: an engine command with options and limits.

mod spec;

use super::limits::Limits;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use tabiya_uci_engine::EngineCommand;
use tabiya_workspace::fingerprint::fingerprint;

/// The protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// The Chess Engine Communication Protocol of xboard and `WinBoard`, version 2.
    Xboard,
}

impl FromStr for Protocol {
    type Err = String;

    fn from_str(text: &str) -> Result<Protocol, String> {
        match text {
            "uci" => Ok(Protocol::Uci),
            "xboard" => Ok(Protocol::Xboard),
            _ => Err(format!("{text:?} is not a protocol: expected uci or xboard")),
        }
    }
}

/// A player of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Player {
    /// The engine's command and the player's name.
    pub command: EngineCommand,
    /// The protocol that the engine speaks.
    #[serde(default)]
    pub protocol: Protocol,
    /// The engine's options, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// Search limits; empty until the match's limits are filled in.
    pub limits: Limits,
    /// Fingerprint of the program, to notice a change before resuming.
    pub fingerprint: u64,
    /// The files that options name.
    #[serde(default)]
    pub files: Vec<OptionFile>,
    /// Notes on the build, and the lines that the engine printed when its options had been set.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A file that an option names, such as a network.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct OptionFile {
    /// The name of the option.
    pub option: String,
    /// The absolute path.
    pub path: PathBuf,
    /// Fingerprint of the file, to notice a change before resuming.
    pub fingerprint: u64,
}

impl Player {
    /// Creates a player that runs `program`.
    pub fn new(name: &str, program: PathBuf) -> Player {
        let command = EngineCommand { name: name.to_owned(), ..EngineCommand::new(program) };
        Player { command, ..Player::default() }
    }

    /// The player's name.
    pub fn name(&self) -> &str {
        &self.command.name
    }

    /// The number of threads of the engine: the value of its option `Threads`, or 1.
    pub fn threads(&self) -> usize {
        let option = self.options.iter().rfind(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        option.and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
    }

    /// Checks that the engine's protocol has the player's limits.
    ///
    /// # Errors
    /// If it has not.
    pub fn check_limits(&self) -> Result<()> {
        let limits = &self.limits;
        let has_other = limits.clock.is_some() || limits.movetime.is_some() || limits.depth.is_some();
        if self.protocol == Protocol::Xboard && (limits.nodes.is_some() || !has_other) {
            bail!(
                "engine {:?}: xboard engines have no node limit; give it tc=, movetime= or depth=",
                self.name()
            );
        }
        Ok(())
    }

    /// Makes the paths of the program and of its folder absolute, so that a later change of `PATH` or the current
    /// directory has no effect, and records the fingerprints of the program and of the files that its options name.
    ///
    /// # Errors
    /// If the program does not exist or cannot be read.
    pub fn locate(&mut self) -> Result<()> {
        self.command.program =
            self.command.find_program().with_context(|| format!("engine {:?}", self.name()))?;
        let folder = self.command.folder.as_deref().unwrap_or(Path::new("."));
        self.command.folder =
            Some(std::path::absolute(folder).context("the current directory does not exist")?);
        self.fingerprint = self.current_fingerprint(&self.command.program)?;
        self.files = self.option_files()?;
        Ok(())
    }

    /// Checks that the program and the files that its options name have not changed since [`locate`](Player::locate).
    ///
    /// # Errors
    /// If one has changed or is missing; the message names it.
    pub fn check_unchanged(&self) -> Result<()> {
        let program = (&self.command.program, self.fingerprint);
        let files = self.files.iter().map(|file| (&file.path, file.fingerprint));
        for (path, fingerprint) in std::iter::once(program).chain(files) {
            if self.current_fingerprint(path)? != fingerprint {
                bail!(
                    "engine {:?}: {} has changed since the run began; its games would not be comparable",
                    self.name(),
                    path.display(),
                );
            }
        }
        Ok(())
    }

    fn option_files(&self) -> Result<Vec<OptionFile>> {
        let folder = self.command.folder.as_deref().unwrap_or(Path::new(""));
        let mut files = Vec::new();
        for (option, value) in &self.options {
            let path = folder.join(value);
            if path.is_file() {
                let fingerprint = self.current_fingerprint(&path)?;
                files.push(OptionFile { option: option.clone(), path, fingerprint });
            }
        }
        Ok(files)
    }

    fn current_fingerprint(&self, path: &Path) -> Result<u64> {
        let bytes = std::fs::read(path)
            .with_context(|| format!("engine {:?}: cannot read {}", self.name(), path.display()))?;
        Ok(fingerprint(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_those_of_the_last_option() {
        let threads = |options: &[(&str, &str)]| {
            let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
            Player { options, ..Player::default() }.threads()
        };
        assert_eq!(threads(&[("Hash", "16")]), 1);
        assert_eq!(threads(&[("Threads", "2"), ("threads", "4")]), 4);
        assert_eq!([threads(&[("Threads", "0")]), threads(&[("Threads", "many")])], [1, 1]);
    }

    #[test]
    fn locates_programs() {
        let mut player = Player::new("ghost", "no/such/engine".into());
        let error = format!("{:#}", player.locate().unwrap_err());
        assert_eq!(error, "engine \"ghost\": program no/such/engine not found");

        let own = std::env::current_exe().unwrap();
        let mut player = Player::new("self", own.clone());
        player.command.folder = Some("src".into());
        player.options.push(("EvalFile".to_owned(), "selfplay.rs".to_owned()));
        player.locate().unwrap();
        assert_eq!(player.command.program, own);
        // So that the engine finds its files when the match is resumed from another folder.
        let folder = std::env::current_dir().unwrap().join("src");
        assert_eq!(player.files[0].path, folder.join("selfplay.rs"));
        assert_eq!(player.command.folder, Some(folder));
        assert_ne!(player.fingerprint, 0);
    }
}
