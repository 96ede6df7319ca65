//! Command lines of the CI steps.

use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tabiya_workspace::{build, repository};

/// The features of the libraries that `cargo test --workspace` leaves out, but for `tune`. Together with all others they need no build
/// of their own.
pub(super) const FEATURES: &str = concat!(
    "tabiya-core/serde,tabiya-movegen/serde,tabiya-movegen/svg,tabiya-syzygy/serde,tabiya-book/serde,",
    "tabiya-eval/serde,tabiya-search/serde,tabiya-player/serde"
);

/// A command line, run in the root of the repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub(super) program: Program,
    pub(super) arguments: Vec<String>,
    /// Environment variables in addition to the inherited ones.
    pub(super) variables: Vec<(String, String)>,
}

/// The program of a [`Line`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Program {
    /// The cargo that started this program.
    Cargo,
    /// This program.
    Xtask,
    /// Any other program, by path or name.
    Path(String),
}

impl Line {
    /// Returns the command, with an empty input.
    ///
    /// # Errors
    /// If this program's file cannot be found.
    pub(super) fn command(&self) -> Result<Command> {
        let mut command = match &self.program {
            Program::Cargo => build::cargo(),
            Program::Xtask => {
                Command::new(std::env::current_exe().context("cannot find this program's file")?)
            }
            Program::Path(path) => Command::new(path),
        };
        command
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(repository::root())
            .stdin(Stdio::null());
        Ok(command)
    }
}

/// A command line of cargo.
pub(super) fn cargo(arguments: &str) -> Line {
    Line { program: Program::Cargo, arguments: words(arguments), variables: Vec::new() }
}

/// A command line of this program.
pub(super) fn xtask(arguments: &str) -> Line {
    Line { program: Program::Xtask, ..cargo(arguments) }
}

/// The command line that builds the page with the engine in a web worker. Its tests measure no speed.
pub(super) fn page() -> Line {
    xtask("web --fast")
}

/// The command line that builds the tests, and with them the examples and the programs. After the step `test`, nothing is left to build.
///
/// These programs check their assertions. For the same nodes the engine needs 1.3 times as long as that of a release.
pub(super) fn programs() -> Line {
    cargo(&format!("test --workspace --no-run --locked --features {FEATURES}"))
}

/// The folder of [`programs`].
pub(super) fn programs_folder() -> PathBuf {
    repository::target_folder().join("debug")
}

/// The path of one of the [`programs`].
pub(super) fn program(name: &str) -> String {
    programs_folder().join(format!("{name}{}", std::env::consts::EXE_SUFFIX)).display().to_string()
}

/// The path of the engine.
pub(super) fn engine() -> String {
    program("tabiya")
}

/// The path of the program that plays matches.
pub(super) fn matches() -> String {
    program("tabiya-matches")
}

/// A command line of any program.
pub(super) fn line(program: &str, arguments: &[&str]) -> Line {
    Line {
        program: Program::Path(program.to_owned()),
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        variables: Vec::new(),
    }
}

/// Splits arguments at white space.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_arguments_at_white_space() {
        let line = cargo("test --workspace");
        assert_eq!((line.program, line.arguments.len()), (Program::Cargo, 2));
        assert_eq!(xtask("tidy").program, Program::Xtask);
    }
}
