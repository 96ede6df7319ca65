//! Tests of pages in Chromium, driven by Playwright: of `tabiya-web`, of the folder for static hosts, of the terminal program and of
//! matches. `node`, `npm` and Chromium or Chrome must be installed.

use super::line::{Line, engine, line, matches, page, program, programs};
use super::node_packages;
use anyhow::Result;
use tabiya_workspace::repository;

/// The folder of the tests.
const TESTS: &str = "tests/web";

/// The command lines that build the programs, install the packages if needed, and run the tests.
pub(super) fn lines() -> Result<Vec<Line>> {
    let mut lines = vec![programs(), page()];
    lines.extend(node_packages::install()?);
    let mut variables = vec![node_packages::variable()];
    let programs = [
        ("TABIYA", engine()),
        ("TABIYA_MATCHES", matches()),
        ("TABIYA_WEB", program("tabiya-web")),
        ("TABIYA_STATIC", crate::web::default_folder().display().to_string()),
        ("SCREENSHOTS", repository::target_folder().join("screenshots").display().to_string()),
    ]
    .map(|(name, value): (&str, String)| (name.to_owned(), value));
    variables.extend(programs);
    // Two files at a time, because a test waits for the page part of the time.
    let mut arguments = vec!["--test", "--test-reporter=spec", "--test-concurrency=2"];
    let tests = node_packages::tests(TESTS)?;
    arguments.extend(tests.iter().map(String::as_str));
    lines.push(Line { variables, ..line("node", &arguments) });
    Ok(lines)
}
