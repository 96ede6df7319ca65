//! Writes tuned values to the parameter declarations in the engine's source.

use super::schedule::Parameter;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use tabiya_files::output::{self, Existing};
use tabiya_search::tuning::TUNABLES;

/// Path of the declarations, relative to the repository root.
const FILE: &str = "crates/search/src/params.rs";

/// Returns the path of the declarations.
pub(super) fn path(root: &Path) -> PathBuf {
    root.join(FILE)
}

/// Checks that all parameters are declared in the source, with ranges that contain theirs.
///
/// # Errors
/// If one is not, because it is an option of another engine.
pub(super) fn check_declared(parameters: &[Parameter]) -> Result<()> {
    for Parameter { name, min, max, .. } in parameters {
        let Some(tunable) = TUNABLES.iter().find(|tunable| tunable.name == name) else {
            bail!("{name} is not a search parameter of Tabiya");
        };
        if *min < f64::from(tunable.min) || *max > f64::from(tunable.max) {
            bail!("{name}: the range {min}..={max} is not part of {}..={}", tunable.min, tunable.max);
        }
    }
    Ok(())
}

/// The source file with new defaults, not yet written.
#[derive(Debug)]
pub(super) struct UpdatedSource {
    path: PathBuf,
    text: String,
    changed_lines: Vec<String>,
}

/// Returns the source file with these values as defaults.
///
/// # Errors
/// If the file cannot be read, or does not declare one of the parameters.
pub(super) fn update(root: &Path, values: &[(&str, i64)]) -> Result<UpdatedSource> {
    let path = path(root);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let (text, changed_lines) = with_defaults(&text, values).with_context(|| path.display().to_string())?;
    Ok(UpdatedSource { path, text, changed_lines })
}

impl UpdatedSource {
    /// The changed lines as text.
    pub(super) fn changed_lines(&self) -> String {
        self.changed_lines.join("\n")
    }

    /// Writes the file and returns its path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&self) -> Result<&Path> {
        output::write(&self.path, self.text.as_bytes(), Existing::Replace, &[])?;
        Ok(&self.path)
    }
}

/// Replaces the defaults in lines such as `name = 12 in 5..=40 step 3;`. Returns the text and the changed
/// lines.
fn with_defaults(text: &str, values: &[(&str, i64)]) -> Result<(String, Vec<String>)> {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let mut changed = Vec::new();
    for (name, value) in values {
        let declaration = |line: &str| -> Option<String> {
            let (before, after) = line.split_once(" = ")?;
            let (_, rest) = after.split_once(" in ")?;
            (before.trim() == *name).then(|| format!("{before} = {value} in {rest}"))
        };
        let Some((index, line)) =
            lines.iter().enumerate().find_map(|(index, line)| Some((index, declaration(line)?)))
        else {
            bail!("no declaration of {name}");
        };
        if lines[index] != line {
            changed.push(line.clone());
            lines[index] = line;
        }
    }
    Ok((lines.join("\n"), changed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_other_engines_are_not_declared() {
        let tunable = TUNABLES[0];
        let (name, min, max) = (tunable.name.to_owned(), tunable.min.into(), tunable.max.into());
        let mut parameters = vec![Parameter { name, start: min, min, max, c_end: 1.0, r_end: 0.1 }];
        check_declared(&parameters).unwrap();
        parameters[0].max += 1.0;
        assert!(check_declared(&parameters).is_err());
        parameters[0].name = "Hash".to_owned();
        assert_eq!(
            check_declared(&parameters).unwrap_err().to_string(),
            "Hash is not a search parameter of Tabiya"
        );
    }

    #[test]
    fn finds_every_declaration() {
        let root = tabiya_workspace::repository::root();
        let defaults: Vec<_> =
            TUNABLES.iter().map(|tunable| (tunable.name, i64::from(tunable.default))).collect();
        assert_eq!(update(&root, &defaults).unwrap().changed_lines(), "");
        let others: Vec<_> = defaults.iter().map(|(name, value)| (*name, value + 1)).collect();
        let source = update(&root, &others).unwrap();
        assert_eq!(source.changed_lines.len(), TUNABLES.len());
        assert_eq!(
            source.text.lines().count(),
            std::fs::read_to_string(&source.path).unwrap().lines().count()
        );
    }

    #[test]
    fn replaces_only_the_defaults() {
        let text = "    /// base = 1 in all.\n    base = 12 in 5..=40 step 3;\n    base_slope = 1 in 0..=2 step 1;\n";
        let (new, lines) = with_defaults(text, &[("base_slope", -1), ("base", 13)]).unwrap();
        assert_eq!(new, text.replace("12 in", "13 in").replace("1 in 0", "-1 in 0"));
        assert_eq!(lines, ["    base_slope = -1 in 0..=2 step 1;", "    base = 13 in 5..=40 step 3;"]);
        let error = with_defaults(text, &[("gone", 1)]).unwrap_err().to_string();
        assert_eq!(error, "no declaration of gone");
    }
}
