//! The declaration of the numbers in the engine's source.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Where the numbers are declared.
const FILE: &str = "crates/search/src/params.rs";

/// The file below `root`.
pub(super) fn path(root: &Path) -> PathBuf {
    root.join(FILE)
}

/// A file with new values in it.
#[derive(Debug)]
pub(super) struct Changed {
    path: PathBuf,
    text: String,
    /// The lines that differ from what is on disk, or would.
    changed: Vec<String>,
}

/// The source below `root` with other defaults.
///
/// # Errors
/// When the file cannot be read, or one of the numbers is not declared in it.
pub(super) fn changed(root: &Path, values: &[(&str, i64)]) -> Result<Changed> {
    let path = path(root);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let (text, changed) = with_defaults(&text, values).with_context(|| path.display().to_string())?;
    Ok(Changed { path, text, changed })
}

impl Changed {
    /// The lines that are new.
    pub(super) fn lines(&self) -> String {
        self.changed.join("\n")
    }

    /// Writes the file, and returns which one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(&self) -> Result<&Path> {
        std::fs::write(&self.path, &self.text)
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        Ok(&self.path)
    }
}

/// Puts values in place of the defaults in lines such as `name = 12 in 5..=40 step 3;`, and returns the
/// lines that changed, too.
fn with_defaults(text: &str, values: &[(&str, i64)]) -> Result<(String, Vec<String>)> {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let mut changed = Vec::new();
    for (name, value) in values {
        let declaration = |line: &str| -> Option<String> {
            let (before, after) = line.split_once(" = ")?;
            let (_, rest) = after.split_once(" in ")?;
            (before.trim() == *name).then(|| format!("{before} = {value} in {rest}"))
        };
        let Some((number, line)) =
            lines.iter().enumerate().find_map(|(n, line)| Some((n, declaration(line)?)))
        else {
            bail!("there is no declaration of {name}");
        };
        if lines[number] != line {
            changed.push(line.clone());
            lines[number] = line;
        }
    }
    Ok((lines.join("\n"), changed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_search::TUNABLES;

    #[test]
    fn every_number_is_found_where_it_is_declared() {
        let root = tabiya_workspace::repository::root();
        let same: Vec<_> =
            TUNABLES.iter().map(|tunable| (tunable.name, i64::from(tunable.default))).collect();
        assert_eq!(changed(&root, &same).unwrap().lines(), "");
        let others: Vec<_> = same.iter().map(|(name, value)| (*name, value + 1)).collect();
        let changed = changed(&root, &others).unwrap();
        assert_eq!(changed.changed.len(), TUNABLES.len());
        assert_eq!(
            changed.text.lines().count(),
            std::fs::read_to_string(&changed.path).unwrap().lines().count()
        );
    }

    #[test]
    fn values_are_exchanged_and_nothing_else() {
        let text = "    /// base = 1 in all.\n    base = 12 in 5..=40 step 3;\n    base_slope = 1 in 0..=2 step 1;\n";
        let (new, lines) = with_defaults(text, &[("base_slope", -1), ("base", 13)]).unwrap();
        assert_eq!(new, text.replace("12 in", "13 in").replace("1 in 0", "-1 in 0"));
        assert_eq!(lines, ["    base_slope = -1 in 0..=2 step 1;", "    base = 13 in 5..=40 step 3;"]);
        let error = with_defaults(text, &[("gone", 1)]).unwrap_err().to_string();
        assert_eq!(error, "there is no declaration of gone");
    }
}
