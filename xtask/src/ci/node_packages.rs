//! The npm packages of the tests and checks of the pages, installed under `target`. `node` and `npm` must be installed.

use super::line::{Line, line};
use anyhow::{Context, Result, anyhow, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tabiya_workspace::repository;

/// The folder with the list of the packages.
const LISTS: &str = "tests/web";
/// The packages with versions and checksums, as npm wants them.
const PACKAGES: [&str; 2] = ["package.json", "package-lock.json"];

/// The folder into which the packages are installed.
fn folder() -> PathBuf {
    repository::target_folder().join("ci-browser")
}

/// The command lines that install the packages, if needed.
pub(super) fn install() -> Result<Vec<Line>> {
    check_version()?;
    let folder = folder();
    if is_up_to_date(&folder)? {
        return Ok(Vec::new());
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for name in PACKAGES {
        fs::copy(repository::root().join(LISTS).join(name), folder.join(name))
            .with_context(|| format!("cannot copy {LISTS}/{name}"))?;
    }
    let folder = folder.display().to_string();
    Ok(vec![line("npm", &["ci", "--no-audit", "--no-fund", "--prefix", &folder])])
}

/// The environment variable by which node finds the packages.
pub(super) fn variable() -> (String, String) {
    ("NODE_PATH".to_owned(), folder().join("node_modules").display().to_string())
}

/// The path of a file of the packages.
pub(super) fn file(name: &str) -> String {
    folder().join("node_modules").join(name).display().to_string()
}

/// The files of the tests in a folder, by name.
///
/// # Errors
/// If the folder cannot be read.
pub(super) fn tests(folder: &str) -> Result<Vec<String>> {
    let mut tests = Vec::new();
    for entry in
        repository::root().join(folder).read_dir().with_context(|| format!("cannot read {folder}"))?
    {
        let name = entry?.file_name().into_string().map_err(|name| anyhow!("{name:?} is not UTF-8"))?;
        if name.ends_with(".test.mjs") {
            tests.push(format!("{folder}/{name}"));
        }
    }
    // Without files, node would look for tests everywhere.
    if tests.is_empty() {
        bail!("{folder} has no tests");
    }
    tests.sort_unstable();
    Ok(tests)
}

/// Fails if the packages do not support this version of node.
fn check_version() -> Result<()> {
    let output = Command::new("node").arg("--version").output().context("cannot run node")?;
    let version = String::from_utf8_lossy(&output.stdout);
    if is_supported(&version) {
        return Ok(());
    }
    bail!(
        "node {} is not supported: the checks of the pages need 20.19 or later of 20, 22.13 or later of 22, or 24",
        version.trim()
    );
}

/// Returns true for a version that ESLint supports, such as `v22.13.0`.
fn is_supported(version: &str) -> bool {
    let mut numbers =
        version.trim().trim_start_matches('v').split('.').map_while(|number| number.parse::<u32>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(20), Some(minor)) => minor >= 19,
        (Some(22), Some(minor)) => minor >= 13,
        (Some(major), _) => major >= 24,
        (None, _) => false,
    }
}

/// Returns true if the current packages are installed. The last file that npm writes is `.package-lock.json`.
fn is_up_to_date(folder: &Path) -> Result<bool> {
    if !folder.join("node_modules/.package-lock.json").is_file() {
        return Ok(false);
    }
    for name in PACKAGES {
        let path = repository::root().join(LISTS).join(name);
        let wanted = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if fs::read(folder.join(name)).ok() != Some(wanted) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_that_the_packages_support() {
        for version in ["v20.19.0\n", "v20.20.2", "v22.13.0", "v24.0.0", "v25.1.0"] {
            assert!(is_supported(version), "{version}");
        }
        for version in ["v18.20.8", "v20.18.9", "v21.7.0", "v22.12.0", "v23.0.0", "", "node"] {
            assert!(!is_supported(version), "{version}");
        }
    }
}
