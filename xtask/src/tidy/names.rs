//! Names and phrases to replace by the field's terms, and openings that a doc comment must not have.
//!
//! The lists are data: `xtask/data/home_made_names.toml`.

use super::Finding;
use super::rust_source::{RustSource, is_word};
use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::collections::HashMap;

/// Path of the lists in the repository. The file itself is not checked.
const LISTS: &str = "xtask/data/home_made_names.toml";

/// The lists.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    /// Words that must not open a doc comment, except in a question.
    doc_openings: Vec<String>,
    /// Identifiers, checked in Rust code and in code spans of comments and documents.
    identifier: Vec<Entry>,
    /// Words and phrases, checked in all text; upper and lower case are equal.
    phrase: Vec<Entry>,
}

/// A name or phrase to avoid.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Matched as whole words. A space also matches a line break in a comment.
    pattern: String,
    /// The replacement, or advice how to find one.
    use_instead: String,
    /// Prefixes of the paths that are checked; empty for all.
    #[serde(default)]
    paths: Vec<String>,
}

impl Entry {
    fn finding(&self, path: &str, line: usize) -> Finding {
        Finding::error(path, line, format!("{:?}: use {}", self.pattern, self.use_instead))
    }

    fn applies_to(&self, path: &str) -> bool {
        self.paths.is_empty() || self.paths.iter().any(|prefix| path.starts_with(prefix.as_str()))
    }
}

impl Names {
    /// Parses the lists that are compiled into this program.
    ///
    /// # Errors
    /// If the file is malformed.
    pub(super) fn read() -> Result<Names> {
        toml::from_str(include_str!("../../data/home_made_names.toml"))
            .with_context(|| format!("cannot parse {LISTS}"))
    }

    /// Checks one text file, for Rust with its tokens.
    pub(super) fn check(&self, path: &str, text: &str, rust: Option<&RustSource>) -> Vec<Finding> {
        let mut findings = Vec::new();
        if path == LISTS {
            return findings;
        }
        let code: HashMap<&str, Vec<usize>> = rust.map_or_else(HashMap::new, |source| {
            let mut lines = HashMap::<_, Vec<_>>::new();
            for token in source.tokens.iter().filter(|token| token.is_word()) {
                lines.entry(token.text.as_str()).or_default().push(token.line);
            }
            lines
        });
        for entry in self.identifier.iter().filter(|entry| entry.applies_to(path)) {
            let in_code = code.get(entry.pattern.as_str()).into_iter().flatten().copied();
            let in_spans = whole_words(text, &entry.pattern)
                .filter(|&position| text[..position].ends_with('`'))
                .map(|position| 1 + text[..position].matches('\n').count());
            findings.extend(in_code.chain(in_spans).map(|line| entry.finding(path, line)));
        }
        let prose = join_lines(&text.to_lowercase());
        for entry in self.phrase.iter().filter(|entry| entry.applies_to(path)) {
            let positions = whole_words(&prose, &entry.pattern);
            // The lower-case text may differ in length, but not in its number of lines.
            findings.extend(
                positions
                    .map(|position| entry.finding(path, 1 + prose[..position].matches(LINE_BREAK).count())),
            );
        }
        if rust.is_some() {
            findings.extend(self.check_openings(path, text));
        }
        findings
    }

    /// Reports doc comments that open like a question without being one.
    fn check_openings(&self, path: &str, text: &str) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut was_doc = false;
        for (index, line) in text.lines().enumerate() {
            let doc = doc_comment(line);
            if let (Some(first), false) = (doc, was_doc) {
                let opening = self.doc_openings.iter().find(|&opening| {
                    let after = first.strip_prefix(opening.as_str());
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
}

/// Placeholder for a line break and the comment marker after it.
const LINE_BREAK: char = '\u{2028}';

/// Replaces each line break, with the indentation and the comment marker of the next line, by one [`LINE_BREAK`].
fn join_lines(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.trim();
        let marker = ["///", "//!", "//", "> "].into_iter().find(|&marker| line.starts_with(marker));
        marker.map_or(line, |marker| line[marker.len()..].trim_start())
    });
    lines.collect::<Vec<_>>().join(&LINE_BREAK.to_string())
}

/// The text of a line of a doc comment.
fn doc_comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    // Four slashes are an ordinary comment.
    (!text.starts_with('/')).then(|| text.trim_start())
}

/// Finds the positions where `pattern` stands as whole words. A space in it also matches [`LINE_BREAK`].
fn whole_words<'a>(text: &'a str, pattern: &'a str) -> impl Iterator<Item = usize> + 'a {
    let first = pattern.split(' ').next().unwrap_or(pattern);
    text.match_indices(first).map(|(position, _)| position).filter(move |&position| {
        let rest = pattern.split(' ').enumerate().try_fold(&text[position..], |rest, (index, word)| {
            let rest = if index == 0 { rest } else { rest.strip_prefix([' ', LINE_BREAK])? };
            rest.strip_prefix(word)
        });
        rest.is_some_and(|rest| !rest.starts_with(is_word)) && !text[..position].ends_with(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"
doc_openings = ["What", "By what"]
[[identifier]]
pattern = "old_name"
use_instead = "`new_name`"
[[identifier]]
pattern = "Memory"
use_instead = "`ThreadData`"
paths = ["crates/search/"]
[[phrase]]
pattern = "old phrase"
use_instead = "the term"
"#;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let names: Names = toml::from_str(LIST).unwrap();
        let rust = path.ends_with(".rs").then(|| RustSource::parse(text).unwrap());
        names.check(path, text, rust.as_ref()).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn finds_identifiers_in_code_and_code_spans() {
        assert_eq!(lines("a.rs", "fn f() {\n    old_name();\n}\n"), [2]);
        assert_eq!(lines("a.rs", "/// See [`old_name`] and `old_name()`.\n"), [1, 1]);
        assert_eq!(lines("a.md", "the `old_name` of it\n"), [1]);
        assert!(lines("a.rs", "// old_name\nlet old_names = \"old_name\"; my_old_name();\n").is_empty());
    }

    #[test]
    fn restricts_names_to_their_paths() {
        assert_eq!(lines("crates/search/src/a.rs", "struct Memory;"), [1]);
        assert!(lines("crates/syzygy/src/a.rs", "struct Memory;").is_empty());
        assert!(lines("crates/search/src/a.rs", "// Memory in use\n").is_empty());
    }

    #[test]
    fn finds_phrases_across_line_breaks() {
        assert_eq!(lines("a.md", "one\nThe Old phrase, and an old\nphrase.\n"), [2, 2]);
        assert_eq!(lines("a.rs", "fn f() {}\n    // an old\n    // phrase\n"), [2]);
        assert!(lines("a.md", "bold phrase, old phrases, old  phrase\n").is_empty());
    }

    #[test]
    fn rejects_openings_of_doc_comments() {
        assert_eq!(lines("a.rs", "/// What it is.\nfn f() {}\n/// By what it is.\n"), [1, 3]);
        for text in [
            "/// The number.\n/// What it is.\n",
            "/// What is it?\n",
            "/// Whatever it is.\n",
            "// What it is.\n",
            "let x = \"/// What\";",
        ] {
            assert!(lines("a.rs", text).is_empty(), "{text}");
        }
    }

    #[test]
    fn parses_the_lists_of_the_repository() {
        // Concatenated so that the check does not report this file.
        const GUIDE: &str = concat!("as the ", "guide has it");
        let names = Names::read().unwrap();
        assert!(names.phrase.iter().all(|entry| entry.pattern == entry.pattern.to_lowercase()));
        assert!(names.check(LISTS, GUIDE, None).is_empty());
        assert_eq!(names.check("a.md", GUIDE, None).len(), 1);
    }
}
