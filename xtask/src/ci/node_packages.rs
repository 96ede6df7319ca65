//! The npm packages of the tests and checks of the pages, installed under `target`. `node` and `npm` must be installed.

use super::line::{Line, line};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
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
