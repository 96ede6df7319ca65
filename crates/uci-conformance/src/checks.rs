//! The checks: those that are built in, or those of a folder.

use crate::protocol::Protocol;
use crate::script::{self, Check};
use anyhow::{Context, Result, bail};
use std::collections::HashSet;
use std::path::Path;

/// Names and texts of files with checks.
type Files = &'static [(&'static str, &'static str)];

/// The files of `checks/uci`, by name.
const UCI: Files = &[
    ("castling", include_str!("../checks/uci/castling.checks")),
    ("clocks", include_str!("../checks/uci/clocks.checks")),
    ("handshake", include_str!("../checks/uci/handshake.checks")),
    ("limits", include_str!("../checks/uci/limits.checks")),
    ("multipv", include_str!("../checks/uci/multipv.checks")),
    ("ponder", include_str!("../checks/uci/ponder.checks")),
    ("positions", include_str!("../checks/uci/positions.checks")),
    ("robustness", include_str!("../checks/uci/robustness.checks")),
    ("searching", include_str!("../checks/uci/searching.checks")),
];

/// The files of `checks/xboard`, by name.
const XBOARD: Files = &[
    ("analysis", include_str!("../checks/xboard/analysis.checks")),
    ("clocks", include_str!("../checks/xboard/clocks.checks")),
    ("game", include_str!("../checks/xboard/game.checks")),
    ("notation", include_str!("../checks/xboard/notation.checks")),
    ("positions", include_str!("../checks/xboard/positions.checks")),
    ("robustness", include_str!("../checks/xboard/robustness.checks")),
    ("start", include_str!("../checks/xboard/start.checks")),
    ("thinking", include_str!("../checks/xboard/thinking.checks")),
];

/// Returns the built-in checks of a protocol.
///
/// # Errors
/// Never for the files of a release, which tests parse.
pub(crate) fn embedded(protocol: Protocol) -> Result<Vec<Check>> {
    let files = match protocol {
        Protocol::Uci => UCI,
        Protocol::Xboard => XBOARD,
    };
    parse(files.iter().map(|&(name, text)| Ok((name.to_owned(), text.to_owned()))))
}

/// Returns the checks of all files in a folder whose names end with `.checks`, in the order of the names.
///
/// # Errors
/// If the folder or a file in it cannot be read, has a syntax error, or there is no such file or no check in them.
pub(crate) fn read(folder: &Path) -> Result<Vec<Check>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .with_context(|| format!("cannot read the folder {}", folder.display()))?;
    paths.retain(|path: &std::path::PathBuf| path.extension().is_some_and(|found| found == "checks"));
    if paths.is_empty() {
        bail!("no .checks file in {}", folder.display());
    }
    // `read_dir` order is unspecified.
    paths.sort();
    let checks = parse(paths.iter().map(|path| {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((path.display().to_string(), text))
    }))?;
    if checks.is_empty() {
        bail!("no check in the .checks files in {}", folder.display());
    }
    Ok(checks)
}

/// Parses files of checks, given as names and texts.
fn parse(files: impl Iterator<Item = Result<(String, String)>>) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for file in files {
        let (name, text) = file?;
        checks.extend(script::parse(&text).context(name)?);
    }
    let mut names = HashSet::new();
    if let Some(check) = checks.iter().find(|check| !names.insert(check.id.as_str())) {
        bail!("duplicate check name {}", check.id);
    }
    Ok(checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_built_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("checks");
        for (protocol, name, count) in [(Protocol::Uci, "uci", 130), (Protocol::Xboard, "xboard", 60)] {
            let checks = read(&folder.join(name)).unwrap();
            assert!(checks.len() > count, "{name}: {}", checks.len());
            assert_eq!(embedded(protocol).unwrap(), checks);
        }
    }

    #[test]
    fn names_are_unique() {
        let text = "check a\nreason r\nsource S\nseverity error\nclose\n".to_owned();
        let files = [("x".to_owned(), text.clone()), ("y".to_owned(), text)];
        let error = parse(files.into_iter().map(Ok)).unwrap_err();
        assert_eq!(error.to_string(), "duplicate check name a");
    }

    #[test]
    fn folder_without_checks_is_an_error() {
        let error = read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap_err().to_string();
        assert!(error.starts_with("no .checks file in"), "{error}");
    }
    #[cfg(unix)]
    #[test]
    fn files_without_checks_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.checks"), "# none yet\n").unwrap();
        let error = read(folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("no check in the .checks files in "), "{error}");
    }
}
