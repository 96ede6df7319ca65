//! Command lines of the CI steps.

use anyhow::{Context, Result};
use std::process::{Command, Stdio};
use tabiya_workspace::repository;

/// The feature of the libraries whose tests `cargo test --workspace` leaves out. Together with all others they need no build
/// of their own.
pub(super) const SERDE: &str = concat!(
    "tabiya-core/serde,tabiya-movegen/serde,tabiya-book/serde,",
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
            Program::Cargo => Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())),
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

/// The command line that builds a package. One for each: built together, packages would have other features than alone, and be built
/// again by the next command.
pub(super) fn package(name: &str) -> Line {
    cargo(&format!("build --release --locked --package {name}"))
}

/// The command line that builds `tabiya-matches` as `cargo xtask` does.
pub(super) fn matches() -> Line {
    cargo("build --profile lab --locked --package tabiya-matches")
}

/// The command line that builds `tabiya-web`. Its tests measure no speed, and the profile shares packages with `tabiya-matches`.
pub(super) fn web() -> Line {
    cargo("build --profile lab --locked --package tabiya-web")
}

/// The command line that builds the page. Its tests measure no speed either.
pub(super) fn page() -> Line {
    let variables = [("LTO", "off"), ("CODEGEN_UNITS", "16")];
    let variables =
        variables.map(|(name, value)| (format!("CARGO_PROFILE_RELEASE_{name}"), value.to_owned()));
    Line { variables: variables.into(), ..xtask("web") }
}

/// Splits arguments at white space.
pub(super) fn words(text: &str) -> Vec<String> {
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
