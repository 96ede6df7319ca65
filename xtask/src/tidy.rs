//! `cargo xtask tidy`: repository conventions that the compiler and clippy do not check.
//!
//! Each check is a pure function from text to [`Finding`]s in its own module; this module reads the files and prints
//! the findings. Exceptions are listed here, each with its reason.

mod dependencies;
mod dependency_trees;
mod doc_openings;
mod modules;
mod rust_source;
mod sentences;
mod sizes;
mod unsafe_code;
mod words;

use anyhow::{Context, Result, bail};
use rust_source::RustSource;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use tabiya_workspace::repository;

/// Modules that may allow `unsafe_code`, with the reason. Each unsafe block still needs a `SAFETY` comment.
const UNSAFE_MODULES: &[(&str, &str)] = &[
    ("crates/core/src/move_list.rs", "leaves the elements past the end of a list uninitialised"),
    ("crates/core/src/piece.rs", "converts the bits of a board to piece codes without a branch"),
    ("crates/core/src/square.rs", "converts bitboard indices to squares without a branch"),
    (
        "crates/eval/src/handcrafted/processor.rs",
        "calls functions compiled for processors with POPCNT after detecting it",
    ),
    ("crates/eval/src/nnue/block.rs", "implements traits whose derive macros would need syn"),
    (
        "crates/eval/src/nnue/kernel.rs",
        "calls functions compiled for newer processors after detecting their features",
    ),
    ("crates/movegen/src/after.rs", "constructs a position in the place of the caller's return value"),
    (
        "crates/movegen/src/count.rs",
        "calls a function compiled for processors with POPCNT after detecting it",
    ),
    ("crates/movegen/src/perft.rs", "calls functions compiled for processors with POPCNT after detecting it"),
    ("crates/search/src/tt/huge_pages.rs", "madvise has no safe wrapper in the standard library"),
    ("crates/search/src/prefetch.rs", "the prefetch instruction has no safe intrinsic"),
    ("crates/search/src/tt/slot.rs", "implements a trait whose derive macro would need syn"),
    ("crates/processor/src/lib.rs", "a loader entry checks the processor before the Rust runtime starts"),
    ("crates/movegen/src/tables/sliders.rs", "table look-ups whose index is in range by construction"),
    ("crates/web/src/server/memory.rs", "the settings of glibc's allocator have no safe wrapper"),
    (
        "crates/training/src/train/processor.rs",
        "calls functions compiled for processors with AVX2 and AVX-512 after detecting them",
    ),
];

/// Files that must exist.
const REQUIRED_FILES: &[&str] = &[
    ".ci/run", "ARCHITECTURE.md", "CONTRIBUTING.md", "Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT",
    "README.md", "rust-toolchain.toml", "tests/data/README.md",
];

/// Command-line arguments of `tidy`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Fail on warnings too
    #[arg(long)]
    strict: bool,
}

/// Severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Severity {
    /// Reported; fails only with `--strict`.
    Warning,
    /// Fails the command.
    Error,
}

/// A violation found by a check.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Finding {
    severity: Severity,
    path: String,
    /// Line number, counted from 1; 0 if the finding concerns the whole file.
    line: usize,
    message: String,
}

impl Finding {
    fn error(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Error, path: path.to_owned(), line, message: message.into() }
    }

    fn warning(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Warning, ..Finding::error(path, line, message) }
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
    /// Path from the root, separated by `/` on every system.
    path: String,
    text: String,
    /// The tokens of a Rust file. `None` for other files and for one that is no Rust.
    rust: Option<RustSource>,
}

impl File {
    fn new(path: String, text: String) -> File {
        let is_rust = path.ends_with(".rs");
        let rust = is_rust.then(|| RustSource::parse(&text)).and_then(Result::ok);
        File { path, text, rust }
    }
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read, or a check finds an error (with `--strict`: or a warning).
pub(crate) fn run(args: &Args) -> Result<()> {
    let (paths, files) = repository_files(&repository::root())?;
    let mut findings = missing_files(&paths);
    findings.extend(undocumented_data(&files, &paths));
    for file in &files {
        findings.extend(check_file(file));
    }
    findings.extend(modules::check(&files));
    findings.extend(dependencies::check_layers(&dependencies::metadata()?));
    findings.extend(dependency_trees::check()?);
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

/// Runs the checks of a single file.
fn check_file(file: &File) -> Vec<Finding> {
    let File { path, text, rust } = file;
    let mut findings = words::check(path, text);
    match rust {
        Some(source) => {
            findings.extend(doc_openings::check(path, text));
            findings.extend(sizes::check(path, text, source));
            findings.extend(unsafe_code::check(path, text, source, UNSAFE_MODULES));
        }
        None if path.ends_with(".rs") => findings.push(Finding::error(path, 0, "cannot be read as Rust")),
        None => {}
    }
    if path.ends_with(".md") {
        findings.extend(sentences::check(path, text));
    }
    if path.ends_with("Cargo.toml") {
        findings.extend(dependencies::check_manifest(path, text));
    }
    if path == "Cargo.lock" {
        findings.extend(dependencies::check_lock(path, text));
    }
    findings
}

/// Returns the paths of all tracked and untracked files that git does not ignore, and the contents of the text files
/// among them, test data excluded.
fn repository_files(root: &Path) -> Result<(BTreeSet<String>, Vec<File>)> {
    let listing = repository::git(&["ls-files", "--cached", "--others", "--exclude-standard", "-z"])?;
    let paths: BTreeSet<_> =
        listing.split('\0').filter(|path| root.join(path).is_file()).map(str::to_owned).collect();
    let mut files = Vec::new();
    for path in paths.iter().filter(|path| !is_test_data(path)) {
        let bytes = std::fs::read(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(File::new(path.clone(), text));
        }
    }
    Ok((paths, files))
}

/// Returns true for third-party test data, to which the conventions do not apply.
fn is_test_data(path: &str) -> bool {
    path.starts_with("tests/data/") && path != "tests/data/README.md"
}

fn missing_files(paths: &BTreeSet<String>) -> Vec<Finding> {
    REQUIRED_FILES
        .iter()
        .filter(|path| !paths.contains(**path))
        .map(|path| Finding::error(path, 0, "this file is required"))
        .collect()
}

/// Reports test data without a documented source and licence: the README of `tests/data` must name each entry of
/// that folder.
fn undocumented_data(files: &[File], paths: &BTreeSet<String>) -> Vec<Finding> {
    let readme = files.iter().find(|file| file.path == "tests/data/README.md");
    let readme = readme.map_or("", |file| file.text.as_str());
    let names: BTreeSet<_> = paths
        .iter()
        .filter(|path| is_test_data(path))
        .filter_map(|path| path.strip_prefix("tests/data/")?.split('/').next())
        .collect();
    names
        .into_iter()
        .filter(|name| !readme.contains(&format!("`{name}")))
        .map(|name| {
            let message = "tests/data/README.md does not name its source and licence";
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
    fn reports_missing_files() {
        let mut all = paths(REQUIRED_FILES);
        assert_eq!(missing_files(&all), []);
        all.remove("LICENSE-MIT");
        assert_eq!(missing_files(&all), [Finding::error("LICENSE-MIT", 0, "this file is required")]);
    }

    #[test]
    fn reports_each_undocumented_folder_once() {
        let readme = File::new("tests/data/README.md".to_owned(), "| `epd/*` | known; not pgn |".to_owned());
        let all =
            paths(&["tests/data/README.md", "tests/data/epd/a.epd", "tests/data/pgn/a", "tests/data/pgn/b"]);
        let findings = undocumented_data(&[readme], &all);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].path, "tests/data/pgn");
    }

    #[test]
    fn prints_findings_in_the_format_that_editors_parse() {
        assert_eq!(Finding::error("a.rs", 3, "bad").to_string(), "error: a.rs:3: bad");
        assert_eq!(Finding::warning("a.rs", 0, "odd").to_string(), "warning: a.rs: odd");
    }
}
