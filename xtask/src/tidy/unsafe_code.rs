//! `unsafe` code: only in listed modules, and each block with a `SAFETY` comment.

use super::Finding;
use super::rust_source::{RustSource, Token};

/// Maximum number of lines between a `// SAFETY:` and its `unsafe`.
const MAX_DISTANCE: usize = 12;

/// Checks one file, given as text (for the comments) and as tokens.
pub(super) fn check(path: &str, text: &str, source: &RustSource, allowed: &[(&str, &str)]) -> Vec<Finding> {
    let lines: Vec<_> = text.lines().collect();
    let mut findings = Vec::new();
    let is_allowed = allowed.iter().any(|&(module, _)| module == path);
    for (index, token) in source.tokens.iter().enumerate() {
        let line = token.line;
        match token.text.as_str() {
            "unsafe_code" if !is_allowed && allows_lint(&source.tokens[..index]) => {
                let message = "allows unsafe code, but is not in the list of xtask/src/tidy.rs";
                findings.push(Finding::error(path, line, message));
            }
            "unsafe" => {
                let above = &lines[line.saturating_sub(MAX_DISTANCE + 1)..line];
                if !above.iter().any(|line| line.contains("SAFETY:") || line.contains("# Safety")) {
                    findings.push(Finding::error(
                        path,
                        line,
                        "`unsafe` without a `// SAFETY:` comment above it",
                    ));
                }
            }
            _ => {}
        }
    }
    findings
}

/// Returns true if the lint named after these tokens is in an `allow(...)` or `expect(...)`.
fn allows_lint(before: &[Token]) -> bool {
    let attribute = before.iter().rev().take_while(|token| !["[", "]"].contains(&token.text.as_str()));
    attribute.into_iter().any(|token| token.text == "allow" || token.text == "expect")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        let findings = check(path, text, &RustSource::parse(text).unwrap(), &[("a.rs", "measured")]);
        findings.into_iter().map(|finding| finding.to_string()).collect()
    }

    #[test]
    fn rejects_unsafe_code_in_unlisted_modules() {
        let text = "#![allow(unsafe_code)]\n// SAFETY: checked above.\nlet x = unsafe { f() };\n";
        assert!(messages("a.rs", text).is_empty());
        assert!(messages("b.rs", text)[0].starts_with("error: b.rs:1: allows unsafe code"));
        assert!(messages("b.rs", "#![deny(unsafe_code)]\n").is_empty());
        assert!(messages("b.rs", "mod unsafe_code;\n").is_empty());
        assert_eq!(messages("b.rs", "#[expect(dead_code, unsafe_code)]\nfn f() {}\n").len(), 1);
    }

    #[test]
    fn requires_a_safety_comment() {
        let text = "let x = unsafe { f() };\n";
        assert!(messages("a.rs", text)[0].contains("without a `// SAFETY:`"));
        assert!(messages("a.rs", "// unsafe would be faster here\n").is_empty());
        assert!(messages("a.rs", "let x = \"unsafe\";\n").is_empty());
    }
}
