//! Files and functions that have grown too long to be read in one go.

use super::{Finding, rust_source};

/// Longer files get a warning.
pub(super) const LONG_FILE: usize = 500;
/// Longer files are an error.
pub(super) const LONGEST_FILE: usize = 600;
/// Longer functions get a warning.
pub(super) const LONG_FUNCTION: usize = 120;
/// Longer functions are an error.
pub(super) const LONGEST_FUNCTION: usize = 150;

/// Looks at the sizes in one masked source file. `long_files` and `long_functions` list what may be
/// longer, with reasons.
pub(super) fn check(
    path: &str,
    masked: &str,
    long_files: &[(&str, &str)],
    long_functions: &[(&str, &str, &str)],
) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !long_files.iter().any(|&(file, _)| file == path) {
        let lines = masked.lines().count();
        findings.extend(judge(path, 0, "the file", lines, LONG_FILE, LONGEST_FILE));
    }
    for function in rust_source::functions(masked) {
        if !long_functions.iter().any(|&(file, name, _)| file == path && name == function.name) {
            let what = format!("function `{}`", function.name);
            findings.extend(judge(
                path,
                function.line,
                &what,
                function.lines,
                LONG_FUNCTION,
                LONGEST_FUNCTION,
            ));
        }
    }
    findings
}

fn judge(path: &str, line: usize, what: &str, lines: usize, long: usize, longest: usize) -> Option<Finding> {
    let message = format!("{what} has {lines} lines; above {long} it should be divided");
    match lines {
        lines if lines > longest => Some(Finding::error(path, line, message)),
        lines if lines > long => Some(Finding::warning(path, line, message)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_warned_about_and_longer_ones_refused() {
        let check = |lines, listed: &[(&str, &str)]| check("a.rs", &"\n".repeat(lines), listed, &[]);
        assert_eq!(check(LONG_FILE, &[]), []);
        assert_eq!(check(LONG_FILE + 1, &[])[0].severity, super::super::Severity::Warning);
        assert_eq!(check(LONGEST_FILE + 1, &[])[0].severity, super::super::Severity::Error);
        assert_eq!(check(LONGEST_FILE + 1, &[("a.rs", "a table")]), []);
    }

    #[test]
    fn long_functions_are_named_with_their_line() {
        let source = format!("\nfn long() {{{}}}\n", "\n".repeat(LONGEST_FUNCTION));
        let findings = check("a.rs", &source, &[], &[]);
        assert_eq!(findings.len(), 1);
        assert_eq!((findings[0].line, findings[0].severity), (2, super::super::Severity::Error));
        assert!(findings[0].message.contains("`long`"));
        assert_eq!(check("a.rs", &source, &[], &[("a.rs", "long", "numbered steps")]), []);
        assert_eq!(check("b.rs", &source, &[], &[("a.rs", "long", "numbered steps")]).len(), 1);
    }
}
