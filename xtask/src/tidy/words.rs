//! Words that must not be committed: notes to oneself, paths of one machine, settings of one machine.
//!
//! The lists are put together from parts so that this file does not find itself.

use super::Finding;

/// Marks of unfinished work.
const UNFINISHED: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("todo", "!("), concat!("unimplemented", "!(")];

/// First folders of absolute paths that exist on the writer's machine only.
const MACHINE_FOLDERS: &[&str] =
    &[concat!("/ho", "me"), concat!("/ro", "ot"), concat!("/wo", "rk"), concat!("/Us", "ers")];

/// A relative path that leads out of the repository.
const OUTSIDE: &str = concat!("../sha", "red");

/// Makes binaries that do not run elsewhere, and benches that cannot be compared.
const NATIVE: &str = concat!("target-cpu=", "native");

/// Settings that fetch packages from somewhere else than everybody does.
const MIRRORS: &[&str] = &[concat!("index-", "url"), concat!("replace-", "with"), concat!("find-", "links")];

/// Names of files and folders that say nothing about their contents.
const DRAWERS: &[&str] = &["util", "utils", "misc", "helpers", "common"];

/// Looks at one text file.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    if let Some(drawer) = stem.split('/').find(|part| DRAWERS.contains(part)) {
        findings.push(Finding::error(path, 0, format!("{drawer:?} says nothing: name the contents")));
    }
    let is_document = path.ends_with(".md");
    for (index, line) in text.lines().enumerate() {
        let mut error = |message: String| findings.push(Finding::error(path, index + 1, message));
        for word in UNFINISHED.iter().filter(|word| contains_word(line, word)) {
            error(format!("{word:?}: finish it, or describe it where plans are kept"));
        }
        for folder in MACHINE_FOLDERS.iter().filter(|folder| contains_path(line, folder)) {
            error(format!("{folder:?} is a folder of one machine"));
        }
        if line.contains(OUTSIDE) {
            error(format!("{OUTSIDE:?} leads out of the repository"));
        }
        // Documents may warn of it.
        if !is_document && line.replace(' ', "").contains(NATIVE) {
            error(format!("{NATIVE:?} builds binaries for one machine; leave it to the command line"));
        }
        for setting in MIRRORS.iter().filter(|setting| line.contains(**setting)) {
            error(format!("{setting:?} fetches packages from a place that others may not reach"));
        }
        if names_issue(line) {
            error("refers to a numbered issue: say here what the reader needs to know".to_owned());
        }
    }
    findings
}

/// Whether `word` stands in the line by itself, not as a part of a longer word.
fn contains_word(line: &str, word: &str) -> bool {
    let outside = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(start, _)| {
        outside(line[..start].chars().next_back())
            && (word.ends_with('(') || outside(line[start + word.len()..].chars().next()))
    })
}

/// Whether an absolute path begins with `folder`: nothing of a path or an address before it, and
/// the end of the name after it.
fn contains_path(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + folder.len()..].chars().next();
        !before.is_some_and(|c| c.is_alphanumeric() || "./_-~)}>*".contains(c))
            && !after.is_some_and(|c| c.is_alphanumeric() || "_-.".contains(c))
    })
}

/// `issue` and a number, with or without a `#`: numbers that mean nothing in a copy of the repository.
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
    fn unfinished_work() {
        for word in UNFINISHED {
            assert_eq!(count("a.rs", &format!("fine\n// {word} later")), 1, "{word}");
            assert_eq!(count("a.rs", &format!("let x{word}x = 1;")), 0, "{word}");
        }
        assert_eq!(check("a.rs", &format!("fine\n{}", UNFINISHED[0]))[0].line, 2);
    }

    #[test]
    fn paths_of_one_machine() {
        for folder in MACHINE_FOLDERS {
            assert_eq!(count("a.md", &format!("see {folder}/me/x")), 1, "{folder}");
            assert_eq!(count("a.md", &format!("`{folder}`")), 1, "{folder}");
            assert_eq!(count("a.md", &format!("https://example.org{folder}/x")), 0, "{folder}");
            assert_eq!(count("a.md", &format!("{folder}ing")), 0, "{folder}");
        }
        assert_eq!(count("a.md", OUTSIDE), 1);
    }

    #[test]
    fn settings_of_one_machine_are_allowed_in_documents_only() {
        assert_eq!(count(".cargo/config.toml", &format!("rustflags = [\"-C{NATIVE}\"]")), 1);
        assert_eq!(count("ARCHITECTURE.md", NATIVE), 0);
    }

    #[test]
    fn packages_come_from_where_everybody_gets_them() {
        for setting in MIRRORS {
            assert_eq!(
                count("requirements.txt", &format!("--{setting} https://example.org")),
                1,
                "{setting}"
            );
        }
    }

    #[test]
    fn drawers_and_issue_numbers() {
        assert_eq!(count("crates/core/src/util.rs", ""), 1);
        assert_eq!(count("crates/misc/src/lib.rs", ""), 1);
        assert_eq!(count("crates/core/src/utility.rs", ""), 0);
        assert_eq!(count("a.md", concat!("see issue", " #12")), 1);
        assert_eq!(count("a.md", "issue a command; issues 4"), 0);
    }
}
