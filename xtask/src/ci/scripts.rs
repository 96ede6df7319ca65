//! Checks of the pages' scripts that need no browser: types by `tsc`, rules by ESLint, and unit tests.

use super::line::{Line, line};
use super::node_packages;
use anyhow::Result;

/// The command lines that install the packages, if needed, and run the checks.
pub(super) fn lines() -> Result<Vec<Line>> {
    let node =
        |arguments: &[&str]| Line { variables: vec![node_packages::variable()], ..line("node", arguments) };
    let [tsc, eslint] = ["typescript/bin/tsc", "eslint/bin/eslint.js"].map(node_packages::file);
    let mut lines = node_packages::install()?;
    lines.extend([
        node(&[&tsc, "--project", "tsconfig.json"]),
        node(&[&eslint, "--max-warnings", "0", "crates/*/page/**/*.js", "tests/web"]),
    ]);
    // Channels between tabs keep node alive. Some versions of node take a folder for a file.
    let tests = node_packages::tests("tests/web/unit")?;
    let mut arguments = vec!["--test", "--test-force-exit", "--test-reporter=spec"];
    arguments.extend(tests.iter().map(String::as_str));
    lines.push(node(&arguments));
    Ok(lines)
}
