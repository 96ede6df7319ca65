//! Limits that keep functions and files readable: nesting, lines of a file. Clippy limits the parameters.
//!
//! The length of a function is not limited: a long one that reads as numbered steps is better than its pieces.

use super::{Finding, rust_source::RustSource};

/// Maximum nesting depth of control flow in a function.
const MAX_NESTING: usize = 5;

/// Maximum number of lines of a file without a warning.
const LONG_FILE: usize = 600;

/// Clippy's lint for the number of parameters. It must not be switched off.
const PARAMETERS_LINT: &str = "too_many_arguments";

/// Checks one source file.
pub(super) fn check(path: &str, text: &str, source: &RustSource) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lines = text.lines().count();
    if lines > LONG_FILE {
        let message = format!("the file has {lines} lines (recommended: at most {LONG_FILE})");
        findings.push(Finding::warning(path, 0, message));
    }
    for token in source.tokens.iter().filter(|token| token.text == PARAMETERS_LINT) {
        let message = "lifts clippy's limit of parameters; group them in a struct instead";
        findings.push(Finding::error(path, token.line, message));
    }
    let functions = match source.functions() {
        Ok(functions) => functions,
        Err(error) => {
            let message = format!("cannot be read as Rust: {error}");
            findings.push(Finding::error(path, error.span().start().line, message));
            return findings;
        }
    };
    for function in functions {
        if function.nesting > MAX_NESTING {
            let message = format!(
                "function `{}` has {} levels of nested control flow (at most {MAX_NESTING})",
                function.name, function.nesting
            );
            findings.push(Finding::error(path, function.line, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::Severity;
    use super::*;

    fn check_text(text: &str) -> Vec<Finding> {
        check("a.rs", text, &RustSource::parse(text).unwrap())
    }

    #[test]
    fn warns_of_long_files() {
        assert_eq!(check_text(&"\n".repeat(LONG_FILE)), []);
        assert_eq!(check_text(&"\n".repeat(LONG_FILE + 1))[0].severity, Severity::Warning);
    }

    #[test]
    fn rejects_deep_nesting() {
        let function = |depth| format!("\nfn deep() {{ {}{} }}", "if a { ".repeat(depth), "}".repeat(depth));
        assert_eq!(check_text(&function(MAX_NESTING)), []);
        let findings = check_text(&function(MAX_NESTING + 1));
        assert_eq!((findings.len(), findings[0].line, findings[0].severity), (1, 2, Severity::Error));
        assert!(findings[0].message.contains("`deep` has 6 levels"), "{findings:?}");
    }

    #[test]
    fn rejects_exceptions_from_the_parameter_limit() {
        let findings = check_text("#[allow(clippy::too_many_arguments)]\nfn f() {}\n");
        assert_eq!((findings.len(), findings[0].line), (1, 1));
        assert_eq!(check_text("// clippy::too_many_arguments\n"), []);
    }
}
