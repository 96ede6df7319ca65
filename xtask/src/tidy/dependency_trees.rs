//! The packages outside the workspace that each library needs: one list, so that none comes unnoticed with a feature
//! or a new version.

use super::Finding;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use tabiya_workspace::{build, repository};

/// Each published library with all packages of crates.io that its default features need on [`TARGET`], in order.
/// Only `tabiya-review`, which serialises its reports, needs procedural macros; their parsers take longest to build.
const TREES: &[(&str, &[&str])] = &[
    ("tabiya-files", &[]),
    ("tabiya-signals", &["errno", "libc", "signal-hook", "signal-hook-registry"]),
    ("tabiya-processor", &[]),
    ("tabiya-bundle", &[]),
    ("tabiya-core", &[]),
    ("tabiya-movegen", &[]),
    ("tabiya-motifs", &[]),
    ("tabiya-syzygy", &[]),
    ("tabiya-book", &[]),
    ("tabiya-eval", EVALUATION),
    ("tabiya-search", SEARCH),
    ("tabiya-player", SEARCH),
    ("tabiya-review", REVIEW),
    ("tabiya-uci-engine", &["bitflags", "crossbeam-channel", "crossbeam-utils", "linux-raw-sys", "rustix"]),
];

/// The packages of `tabiya-eval`.
const EVALUATION: &[&str] = &["adler2", "bytemuck", "cfg-if", "crc32fast", "miniz_oxide"];

/// The packages of `tabiya-search`.
const SEARCH: &[&str] = &[
    "adler2", "bitflags", "bytemuck", "cfg-if", "crc32fast", "crossbeam-channel", "crossbeam-utils",
    "linux-raw-sys", "miniz_oxide", "once_cell", "pin-project-lite", "rustix", "tracing", "tracing-core",
];

/// The packages of `tabiya-review`.
const REVIEW: &[&str] = &[
    "adler2", "base64", "bitflags", "block-buffer", "bytemuck", "cfg-if", "cpufeatures", "crc32fast",
    "crossbeam-channel", "crossbeam-utils", "crypto-common", "digest", "hybrid-array", "itoa",
    "linux-raw-sys", "memchr", "miniz_oxide", "once_cell", "pin-project-lite", "proc-macro2", "quote",
    "rustix", "serde", "serde_core", "serde_derive", "serde_json", "sha2", "syn", "tracing", "tracing-core",
    "typenum", "unicode-ident", "zmij",
];

/// The target of the lists. The compiler knows it on every system, whether or not it is installed.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Reports packages that a library needs although they are not in its list, and entries that it does not need.
///
/// # Errors
/// If cargo cannot be run or fails.
pub(super) fn check() -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for &(library, expected) in TREES {
        findings.extend(compare(library, expected, &tree(library)?));
    }
    Ok(findings)
}

/// Returns the output of `cargo tree`: a package per line, with its version.
fn tree(library: &str) -> Result<String> {
    let output = build::cargo()
        .args(["tree", "--locked", "--package", library, "--target", TARGET])
        .args(["--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .current_dir(repository::root())
        .output()
        .context("cannot run cargo tree")?;
    if !output.status.success() {
        bail!("cargo tree: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout).context("cargo tree printed text that is not UTF-8")
}

/// Compares a list with the output of `cargo tree`.
fn compare(library: &str, expected: &[&str], tree: &str) -> Vec<Finding> {
    let packages = tree.lines().filter_map(|line| line.split(' ').next());
    let found: BTreeSet<_> = packages.filter(|name| !name.is_empty() && !is_own(name)).collect();
    let expected: BTreeSet<_> = expected.iter().copied().collect();
    let added = found.difference(&expected).map(|name| format!("{library} must not need {name}"));
    let unused = expected.difference(&found).map(|name| format!("{library} does not need {name}: delete it"));
    let place = "; the lists are in xtask/src/tidy/dependency_trees.rs";
    added.chain(unused).map(|message| Finding::error(library, 0, message + place)).collect()
}

/// Returns true for the packages of this workspace.
fn is_own(name: &str) -> bool {
    name.starts_with("tabiya-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(expected: &[&str], tree: &str) -> Vec<String> {
        let findings = compare("tabiya-eval", expected, tree);
        findings.into_iter().map(|finding| finding.message.split(';').next().unwrap().to_owned()).collect()
    }

    #[test]
    fn reports_new_and_unused_packages() {
        let tree = "tabiya-eval v0.1.0 (/tabiya/crates/eval)\nbytemuck v1.25.2\nsyn v3.0.9\ntabiya-core v0.1.0\nsyn v3.0.9 (*)\n";
        assert!(messages(&["bytemuck", "syn"], tree).is_empty());
        assert_eq!(messages(&["bytemuck"], tree), ["tabiya-eval must not need syn"]);
        let unused = messages(&["bytemuck", "quote", "syn"], tree);
        assert_eq!(unused, ["tabiya-eval does not need quote: delete it"]);
    }
}
