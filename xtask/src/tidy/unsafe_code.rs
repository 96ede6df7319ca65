//! `unsafe` only where it is listed, and never without its justification.

use super::{Finding, rust_source};

/// How many lines above an `unsafe` its `// SAFETY:` may begin.
const REACH: usize = 12;

/// Looks at one file, both as it is (for the comments) and masked (for the code).
pub(super) fn check(path: &str, text: &str, masked: &str, allowed: &[(&str, &str)]) -> Vec<Finding> {
    let lines: Vec<_> = text.lines().collect();
    let mut findings = Vec::new();
    let is_allowed = allowed.iter().any(|&(module, _)| module == path);
    for (place, word) in rust_source::words(masked) {
        let line = rust_source::line_of(masked, place);
        match word {
            "unsafe_code" if !is_allowed && lifts_the_ban(&masked[..place]) => {
                let message = "lifts the ban on unsafe code, but is not in the list of xtask/src/tidy.rs";
                findings.push(Finding::error(path, line, message));
            }
            "unsafe" => {
                let above = &lines[line.saturating_sub(REACH + 1)..line];
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

/// Whether the lint named after this text stands in an `allow(...)` or `expect(...)`.
fn lifts_the_ban(before: &str) -> bool {
    let attribute = before.rsplit_once('[').map_or("", |(_, rest)| rest);
    !attribute.contains(']') && (attribute.contains("allow(") || attribute.contains("expect("))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_source::mask;

    fn messages(path: &str, text: &str) -> Vec<String> {
        let findings = check(path, text, &mask(text), &[("a.rs", "measured")]);
        findings.into_iter().map(|finding| finding.to_string()).collect()
    }

    #[test]
    fn the_ban_is_lifted_only_where_listed() {
        let text = "#![allow(unsafe_code)]\n// SAFETY: checked above.\nlet x = unsafe { f() };\n";
        assert!(messages("a.rs", text).is_empty());
        assert!(messages("b.rs", text)[0].starts_with("error: b.rs:1: lifts the ban"));
        assert!(messages("b.rs", "#![deny(unsafe_code)]\n").is_empty());
        assert!(messages("b.rs", "mod unsafe_code;\n").is_empty());
        assert_eq!(messages("b.rs", "#[expect(dead_code, unsafe_code)]\nfn f() {}\n").len(), 1);
    }

    #[test]
    fn each_block_needs_its_reason() {
        let text = "let x = unsafe { f() };\n";
        assert!(messages("a.rs", text)[0].contains("without a `// SAFETY:`"));
        assert!(messages("a.rs", "// unsafe would be faster here\n").is_empty());
        assert!(messages("a.rs", "let x = \"unsafe\";\n").is_empty());
    }
}
