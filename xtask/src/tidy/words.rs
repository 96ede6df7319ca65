//! Words that must not be committed: marks of unfinished work, and settings of one machine.
//!
//! The lists are concatenated from parts so that the check does not report this file.

use super::Finding;

/// Marks of unfinished work.
const UNFINISHED: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("todo", "!("), concat!("unimplemented", "!(")];

/// A compiler setting whose binaries do not run on other processors and whose benches cannot be compared.
const NATIVE: &str = concat!("target-cpu=", "native");

/// Settings that redirect package downloads to other servers.
const MIRRORS: &[&str] = &[concat!("index-", "url"), concat!("replace-", "with"), concat!("find-", "links")];

/// Names of files and folders that do not describe their contents.
const VAGUE_NAMES: &[&str] = &["util", "utils", "misc", "helpers", "common"];

/// Checks one text file.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    if let Some(name) = stem.split('/').find(|part| VAGUE_NAMES.contains(part)) {
        findings.push(Finding::error(path, 0, format!("{name:?} does not describe the contents")));
    }
    let is_document = path.ends_with(".md");
    for (index, line) in text.lines().enumerate() {
        let mut error = |message: String| findings.push(Finding::error(path, index + 1, message));
        for word in UNFINISHED.iter().filter(|word| contains_word(line, word)) {
            error(format!("{word:?}: unfinished work"));
        }
        // Documents may mention it.
        if !is_document && line.replace(' ', "").contains(NATIVE) {
            error(format!("{NATIVE:?} builds binaries for one machine: set it on the command line only"));
        }
        for setting in MIRRORS.iter().filter(|setting| line.contains(**setting)) {
            error(format!("{setting:?} redirects package downloads"));
        }
        if names_issue(line) {
            error("refers to a numbered issue: state the facts instead".to_owned());
        }
    }
    findings
}

/// Returns true if the line contains `word` as a whole word.
fn contains_word(line: &str, word: &str) -> bool {
    let outside = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(start, _)| {
        outside(line[..start].chars().next_back())
            && (word.ends_with('(') || outside(line[start + word.len()..].chars().next()))
    })
}

/// Returns true for `issue` and a number, with or without `#`. The numbers mean nothing outside one tracker.
fn names_issue(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    lower.match_indices("issue ").any(|(start, found)| {
        let rest = &lower[start + found.len()..];
        rest.strip_prefix('#').unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(path, text).len()
    }

    #[test]
    fn rejects_marks_of_unfinished_work() {
        for word in UNFINISHED {
            assert_eq!(count("a.rs", &format!("fine\n// {word} later")), 1, "{word}");
            assert_eq!(count("a.rs", &format!("let x{word}x = 1;")), 0, "{word}");
        }
        assert_eq!(check("a.rs", &format!("fine\n{}", UNFINISHED[0]))[0].line, 2);
    }

    #[test]
    fn rejects_native_builds_except_in_documents() {
        assert_eq!(count(".cargo/config.toml", &format!("rustflags = [\"-C{NATIVE}\"]")), 1);
        assert_eq!(count("ARCHITECTURE.md", NATIVE), 0);
    }

    #[test]
    fn rejects_package_mirrors() {
        for setting in MIRRORS {
            assert_eq!(
                count("requirements.txt", &format!("--{setting} https://example.org")),
                1,
                "{setting}"
            );
        }
    }

    #[test]
    fn rejects_vague_names_and_issue_numbers() {
        assert_eq!(count("crates/core/src/util.rs", ""), 1);
        assert_eq!(count("crates/misc/src/lib.rs", ""), 1);
        assert_eq!(count("crates/core/src/utility.rs", ""), 0);
        assert_eq!(count("a.md", concat!("see issue", " #12")), 1);
        assert_eq!(count("a.md", "issue a command; issues 4"), 0);
    }
}
