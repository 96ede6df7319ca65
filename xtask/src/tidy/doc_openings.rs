//! Openings that a doc comment must not have: it begins with a noun phrase or a third-person verb, such as "Returns", or "True if" for
//! a `bool`. A question may begin with any word.

use super::Finding;

/// Words that begin a dangling clause.
const OPENINGS: &[&str] = &[
    "What", "How", "Whether", "Which", "Whose", "Who", "Why", "Where", "By what", "By which", "To what",
    "For what", "From what", "In what", "With what", "Of",
];

/// Checks one Rust file.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut was_doc = false;
    for (index, line) in text.lines().enumerate() {
        let doc = doc_comment(line);
        if let (Some(first), false) = (doc, was_doc) {
            let opening = OPENINGS.iter().find(|&opening| {
                let after = first.strip_prefix(opening);
                after.is_some_and(|after| after.starts_with(' ')) && !first.contains('?')
            });
            if let Some(opening) = opening {
                let message = format!(
                    "a doc comment opens with {opening:?}: begin with a noun phrase or a third-person verb"
                );
                findings.push(Finding::error(path, index + 1, message));
            }
        }
        was_doc = doc.is_some();
    }
    findings
}

/// The text of a line of a doc comment.
fn doc_comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    // Four slashes are an ordinary comment.
    (!text.starts_with('/')).then(|| text.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        check("a.rs", text).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn rejects_clauses() {
        assert_eq!(lines("/// What it is.\nfn f() {}\n/// By what it is.\n"), [1, 3]);
        for text in [
            "/// The number.\n/// What it is.\n",
            "/// What is it?\n",
            "/// Whatever it is.\n",
            "// What it is.\n",
            "//// What it is.\n",
            "let x = \"/// What\";",
        ] {
            assert!(lines(text).is_empty(), "{text}");
        }
    }
}
