//! Test fixture: a temporary folder and the commands that run in it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tabiya_core::notation::PgnReader;
use tabiya_movegen::{GameBuilder, Replay};
use tempfile::TempDir;

pub(crate) const MATCHES: &str = env!("CARGO_BIN_EXE_tabiya-matches");
pub(crate) const FAKE: &str = env!("CARGO_BIN_EXE_fake-engine");

/// The temporary folder of a test.
pub(crate) struct TestFolder {
    pub(crate) folder: TempDir,
}

impl TestFolder {
    pub(crate) fn new() -> TestFolder {
        TestFolder { folder: tempfile::tempdir().unwrap() }
    }

    /// Path of the folder.
    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `--engine` arguments for fake engines given as `(name, arguments)`.
    pub(crate) fn engines(&self, engines: &[(&str, &str)]) -> Vec<String> {
        // The tag identifies this test's processes in `running_engines`.
        let tag = self.folder.path().display();
        let spec = |(name, arguments): &(&str, &str)| {
            ["--engine".to_owned(), format!("name={name},cmd={FAKE},args=tag={tag} {arguments}")]
        };
        engines.iter().flat_map(spec).collect()
    }

    pub(crate) fn command(
        &self,
        command: &str,
        engines: &[(&str, &str)],
        out: &str,
        arguments: &str,
    ) -> Command {
        let mut matches = Command::new(MATCHES);
        matches.arg(command).args(self.engines(engines)).args(["--out", out]);
        matches.args(arguments.split_ascii_whitespace()).current_dir(self.folder.path());
        matches.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        matches
    }

    pub(crate) fn selfplay(&self, engines: &[(&str, &str)], out: &str, arguments: &str) -> Output {
        self.command("selfplay", engines, out, arguments).output().unwrap()
    }

    pub(crate) fn resume(&self, out: &str) -> Output {
        Command::new(MATCHES)
            .args(["selfplay", "--resume", out, "--concurrency", "1"])
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&std::fs::read(self.path(path)).unwrap()).unwrap()
    }

    /// The lines of `games.jsonl`.
    pub(crate) fn games(&self, out: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path(out).join("games.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Number of this test's engine processes that are still running.
    #[cfg(target_os = "linux")]
    pub(crate) fn running_engines(&self) -> usize {
        let tag = format!("tag={}", self.folder.path().display());
        let is_ours = |entry: std::io::Result<std::fs::DirEntry>| {
            let command = std::fs::read(entry.ok()?.path().join("cmdline")).ok()?;
            let command = String::from_utf8_lossy(&command).into_owned();
            (command.contains(&tag) && command.starts_with(FAKE)).then_some(())
        };
        std::fs::read_dir("/proc").unwrap().filter_map(is_ours).count()
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn running_engines(&self) -> usize {
        0
    }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(crate) fn assert_success(output: &Output) {
    assert!(output.status.success(), "{}\n{}", stdout(output), stderr(output));
}

/// Polls until the condition holds. The deadline only keeps a broken test from hanging.
pub(crate) fn wait_until(event: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "timed out waiting for {event}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Replays the games of a PGN file and returns their lengths in plies.
pub(crate) fn replay(path: &Path) -> Vec<usize> {
    let text = std::fs::read(path).unwrap();
    let mut reader = PgnReader::new(text.as_slice());
    let mut builder = Replay::new(GameBuilder::new());
    std::iter::from_fn(|| reader.read_game(&mut builder).unwrap())
        .map(|game| game.unwrap_or_else(|broken| panic!("{broken}")).moves().len())
        .collect()
}

/// Two engines that play random legal moves.
pub(crate) const RANDOM: [(&str, &str); 2] = [("a", "random seed=1"), ("b", "random seed=2")];
