//! Commands run in a temporary folder.

use crate::process::{Exit, Tabiya};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A temporary folder, deleted when dropped.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// A folder with `games.pgn`.
    pub(crate) fn with_games(text: &str) -> Folder {
        let folder = Folder::new();
        folder.write("games.pgn", text);
        folder
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path of a file, as text.
    pub(crate) fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Writes a file and returns its path as text.
    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), contents).unwrap();
        self.name(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs `tabiya` in the folder.
    pub(crate) fn run(&self, arguments: &str) -> Exit {
        Tabiya::spawn(self.command(arguments)).finish()
    }

    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(arguments.split(' ')).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// Runs a command that must succeed and returns its output.
    pub(crate) fn succeed(&self, arguments: &str) -> String {
        self.run(arguments).success()
    }

    /// Runs a command that must fail and returns the error message.
    pub(crate) fn fail(&self, arguments: &str) -> String {
        self.run(arguments).failure()
    }

    /// The names of the files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[cfg(unix)]
    pub(crate) fn make_pipe(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }
}

/// The messages of a finished command.
pub(crate) fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
