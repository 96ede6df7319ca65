//! `cargo xtask tidy`: the habits of this repository that no compiler looks after.
//!
//! Each check is a pure function from text to [`Finding`]s, in a module of its own; this one only
//! reads the files and prints. Exceptions are listed here, each with its reason.

mod dependencies;
mod modules;
mod rust_source;
mod sizes;
mod unsafe_code;
mod words;

use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use tabiya_workspace::repository;

/// Severity of a circle of imports between sibling modules.
const IMPORT_CIRCLE: Severity = Severity::Error;

/// Severity of a picture of the modules that is not up to date.
const OUTDATED_PICTURE: Severity = Severity::Warning;

/// Files that may be longer than [`sizes::LONGEST_FILE`], and why.
const LONG_FILES: &[(&str, &str)] = &[];

/// Functions that may be longer than [`sizes::LONGEST_FUNCTION`]: `(file, function, why)`.
const LONG_FUNCTIONS: &[(&str, &str, &str)] =
    &[("crates/search/src/node.rs", "node", "the search in numbered steps, to be read from top to bottom")];

/// Modules that may lift the ban on `unsafe`, and why. Each of their unsafe blocks needs its `SAFETY`
/// comment all the same.
const UNSAFE_MODULES: &[(&str, &str)] = &[
    ("crates/core/src/piece.rs", "piece codes from the bits of a board, without a branch"),
    ("crates/core/src/square.rs", "squares from the bits of a bitboard, without a branch"),
    (
        "crates/eval/src/handcrafted/processor.rs",
        "calls what was compiled for processors that count bits, on those",
    ),
    ("crates/movegen/src/perft.rs", "calls what was compiled for processors that count bits, on those"),
    (
        "crates/search/src/tt/huge_pages.rs",
        "advice to the system about memory, for which there is no safe call",
    ),
    ("crates/search/src/tt/prefetch.rs", "a hint to the processor, for which there is no safe way to ask"),
    (
        "crates/uci-cli/src/processor.rs",
        "has the loader look at the processor before Rust's preparations for main",
    ),
    ("crates/movegen/src/tables/sliders.rs", "table look-ups whose index is in range by construction"),
];

/// Files that must be there.
const REQUIRED_FILES: &[&str] = &[
    ".ci/run",
    "ARCHITECTURE.md",
    "Cargo.lock",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "rust-toolchain.toml",
    "tests/data/README.md",
];

/// Check sizes, layers, dependencies and forbidden words.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Fail on warnings too
    #[arg(long)]
    strict: bool,

    /// Write the module graph of each crate into this folder, or of all crates into one file named *.svg
    #[arg(long, value_name = "PATH")]
    graph: Option<PathBuf>,
}

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Severity {
    /// Worth a look; passes.
    Warning,
    /// Fails the command.
    Error,
}

/// Something that a check has found.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Finding {
    severity: Severity,
    path: String,
    /// Counted from 1; 0 where the finding is about the whole file.
    line: usize,
    message: String,
}

impl Finding {
    fn new(severity: Severity, path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { severity, ..Finding::error(path, line, message) }
    }

    fn error(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Error, path: path.to_owned(), line, message: message.into() }
    }

    fn warning(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding::new(Severity::Warning, path, line, message)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let Finding { path, line, message, .. } = self;
        match line {
            0 => write!(f, "{severity}: {path}: {message}"),
            line => write!(f, "{severity}: {path}:{line}: {message}"),
        }
    }
}

/// A text file of the repository.
struct File {
    /// From the root, with `/` between the parts on every system.
    path: String,
    text: String,
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read, or a check finds an error (with `--strict`: anything).
pub(crate) fn run(args: &Args) -> Result<()> {
    let (paths, files) = repository_files(&repository::root())?;
    if let Some(path) = &args.graph {
        return modules::write_pictures(&files, path);
    }
    let mut findings = missing_files(&paths);
    findings.extend(unnamed_data(&files, &paths));
    for file in &files {
        findings.extend(check_file(file));
    }
    findings.extend(modules::check(&files));
    findings.extend(dependencies::check_layers(&dependencies::metadata()?));
    findings.sort_by(|a, b| (a.severity, &a.path, a.line).cmp(&(b.severity, &b.path, b.line)));
    for finding in &findings {
        println!("{finding}");
    }
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    let warnings = findings.len() - errors;
    println!("tidy: {} files, {errors} errors, {warnings} warnings", files.len());
    if errors > 0 || (args.strict && warnings > 0) {
        bail!("the repository is not tidy");
    }
    Ok(())
}

/// The checks that look at one file alone.
fn check_file(file: &File) -> Vec<Finding> {
    let File { path, text } = file;
    let mut findings = words::check(path, text);
    if path.ends_with(".rs") {
        let masked = rust_source::mask(text);
        findings.extend(sizes::check(path, &masked, LONG_FILES, LONG_FUNCTIONS));
        findings.extend(unsafe_code::check(path, text, &masked, UNSAFE_MODULES));
    }
    if path.ends_with("Cargo.toml") {
        findings.extend(dependencies::check_manifest(path, text));
    }
    if path == "Cargo.lock" {
        findings.extend(dependencies::check_lock(path, text));
    }
    findings
}

/// All paths that are, or would become with `git add`, part of the repository, and the text of those
/// that are text and not test data.
fn repository_files(root: &Path) -> Result<(BTreeSet<String>, Vec<File>)> {
    let listing = repository::git(&["ls-files", "--cached", "--others", "--exclude-standard", "-z"])?;
    let paths: BTreeSet<_> =
        listing.split('\0').filter(|path| root.join(path).is_file()).map(str::to_owned).collect();
    let mut files = Vec::new();
    for path in paths.iter().filter(|path| !is_test_data(path)) {
        let bytes = std::fs::read(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(File { path: path.clone(), text });
        }
    }
    Ok((paths, files))
}

/// Whether a path is data that others wrote, to which the habits do not apply.
fn is_test_data(path: &str) -> bool {
    path.starts_with("tests/data/") && path != "tests/data/README.md"
}

fn missing_files(paths: &BTreeSet<String>) -> Vec<Finding> {
    REQUIRED_FILES
        .iter()
        .filter(|path| !paths.contains(**path))
        .map(|path| Finding::error(path, 0, "this file must be there"))
        .collect()
}

/// Test data whose source and licence nobody has written down: each folder of `tests/data`, or file
/// directly in it, must be named in its README.
fn unnamed_data(files: &[File], paths: &BTreeSet<String>) -> Vec<Finding> {
    let readme = files.iter().find(|file| file.path == "tests/data/README.md");
    let readme = readme.map_or("", |file| file.text.as_str());
    let names: BTreeSet<_> = paths
        .iter()
        .filter(|path| is_test_data(path))
        .filter_map(|path| path.strip_prefix("tests/data/")?.split('/').next())
        .collect();
    names
        .into_iter()
        .filter(|name| !readme.contains(name))
        .map(|name| {
            let message = "tests/data/README.md does not say where this comes from and what its licence is";
            Finding::error(&format!("tests/data/{name}"), 0, message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(list: &[&str]) -> BTreeSet<String> {
        list.iter().map(|&path| path.to_owned()).collect()
    }

    #[test]
    fn missing_files_are_named() {
        let mut all = paths(REQUIRED_FILES);
        assert_eq!(missing_files(&all), []);
        all.remove("LICENSE-MIT");
        assert_eq!(missing_files(&all), [Finding::error("LICENSE-MIT", 0, "this file must be there")]);
    }

    #[test]
    fn data_without_a_source_is_named_once() {
        let readme = File { path: "tests/data/README.md".to_owned(), text: "| epd | known |".to_owned() };
        let all =
            paths(&["tests/data/README.md", "tests/data/epd/a.epd", "tests/data/pgn/a", "tests/data/pgn/b"]);
        let findings = unnamed_data(&[readme], &all);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].path, "tests/data/pgn");
    }

    #[test]
    fn findings_are_printed_so_that_editors_find_the_place() {
        assert_eq!(Finding::error("a.rs", 3, "bad").to_string(), "error: a.rs:3: bad");
        assert_eq!(Finding::warning("a.rs", 0, "odd").to_string(), "warning: a.rs: odd");
    }
}
