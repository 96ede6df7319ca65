//! Tests of pages in Chromium, driven by Playwright: of `tabiya-web`, of the folder for static hosts, of the terminal program and of
//! matches. `node`, `npm` and Chromium or Chrome must be installed.

use super::line::{Line, engine, line, matches, page, programs, programs_folder, tests};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use tabiya_workspace::repository;

/// The folder of the tests.
const TESTS: &str = "tests/web";
/// The packages with versions and checksums, as npm wants them.
const PACKAGES: [&str; 2] = ["package.json", "package-lock.json"];

/// The folder into which the packages are installed.
fn folder() -> PathBuf {
    repository::target_folder().join("ci-browser")
}

/// The command lines that install the packages, if needed.
pub(super) fn packages() -> Result<Vec<Line>> {
    let folder = folder();
    if is_up_to_date(&folder)? {
        return Ok(Vec::new());
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for name in PACKAGES {
        fs::copy(repository::root().join(TESTS).join(name), folder.join(name))
            .with_context(|| format!("cannot copy {TESTS}/{name}"))?;
    }
    let folder = folder.display().to_string();
    Ok(vec![line("npm", &["ci", "--no-audit", "--no-fund", "--prefix", &folder])])
}

/// The command lines that build the programs, install the packages if needed, and run the tests.
pub(super) fn lines() -> Result<Vec<Line>> {
    let web = programs_folder().join(format!("tabiya-web{}", std::env::consts::EXE_SUFFIX));
    let mut lines = vec![programs(), page(), tests()];
    lines.extend(packages()?);
    let variables = [
        ("NODE_PATH", folder().join("node_modules").display().to_string()),
        ("TABIYA", engine()),
        ("TABIYA_MATCHES", matches()),
        ("TABIYA_WEB", web.display().to_string()),
        ("TABIYA_STATIC", crate::web::default_folder().display().to_string()),
        ("SCREENSHOTS", repository::target_folder().join("screenshots").display().to_string()),
    ]
    .map(|(name, value): (&str, String)| (name.to_owned(), value));
    for test in ["browser", "static", "report"] {
        let test = format!("{TESTS}/{test}.test.cjs");
        let variables = variables.to_vec();
        lines.push(Line { variables, ..line("node", &["--test", "--test-reporter=spec", &test]) });
    }
    Ok(lines)
}

/// Returns true if the current packages are installed. The last file that npm writes is `.package-lock.json`.
fn is_up_to_date(folder: &Path) -> Result<bool> {
    if !folder.join("node_modules/.package-lock.json").is_file() {
        return Ok(false);
    }
    for name in PACKAGES {
        let path = repository::root().join(TESTS).join(name);
        let wanted = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if fs::read(folder.join(name)).ok() != Some(wanted) {
            return Ok(false);
        }
    }
    Ok(true)
}
