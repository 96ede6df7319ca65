//! Words that must not be committed: marks of unfinished work, settings of one machine, and names and phrases for which the field or plain
//! English has a term.
//!
//! The first lists are concatenated from parts so that the check does not report this file; the last two do not apply to it.

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

/// Home-made identifiers that are not used in Rust, with the field's term.
const HOME_MADE_NAMES: &[(&str, &str)] = &[
    ("table_move", "`tt_move`"),
    ("table_hits", "`tt_hits` or `tb_hits`"),
    ("on_pv", "`tt_pv` or `is_pv`"),
    ("is_hopeless", "the name of the pruning method"),
    ("prune_node", "the name of the pruning method"),
    ("late_move_count", "`lmp_...`"),
    ("late_moves_count", "`lmp_...`"),
    ("Stakes", "the threat bonus of the move orderer"),
    ("Corrections", "`CorrectionHistory`"),
    ("wins_at_least", "`see_ge`"),
    ("DECISIVE", "`TB_WIN_IN_MAX_PLY` and `is_decisive`"),
    ("first_sight", "`root_static_eval`"),
    ("Monitor", "the search limits or the time check"),
    ("Blurred", "evaluation noise"),
    ("main_evaluation", "`handcrafted`"),
    ("Outlook", "the king attack cache"),
    ("Facing", "`flip_file`, `flip_rank` or mirroring"),
];

/// Phrases that are not used in any text, in lower case, with plain English or the field's term.
const HOME_MADE_PHRASES: &[(&str, &str)] = &[
    ("table move", "TT move"),
    ("ask memory", "prefetch"),
    ("late move count", "late-move pruning (LMP)"),
    ("without a word", "silently, or the standard term"),
    ("main evaluation", "handcrafted evaluation (HCE)"),
    ("the guide", "the ChessBin tutorial"),
    ("rooms", "modules"),
    ("a room", "a module"),
    ("the room", "the module or the space"),
    ("own room", "own module"),
    ("nothing for nowhere", "empty disables it"),
    ("anew", "again"),
    ("at the most", "at most"),
    ("to be had", "available"),
    ("worked off", "executed or processed"),
];

/// The path of this file, whose lists are not checked.
const THIS_FILE: &str = "xtask/src/tidy/words.rs";

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
        let lower = line.to_lowercase();
        let names =
            HOME_MADE_NAMES.iter().filter(|(name, _)| path.ends_with(".rs") && contains_word(line, name));
        let phrases = HOME_MADE_PHRASES.iter().filter(|(phrase, _)| contains_word(&lower, phrase));
        for (found, instead) in names.chain(phrases).filter(|_| path != THIS_FILE) {
            error(format!("{found:?}: use {instead}"));
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
    fn rejects_home_made_names_in_rust_and_phrases_everywhere() {
        for (name, _) in HOME_MADE_NAMES {
            assert_eq!(count("a.rs", &format!("let {name} = 1;")), 1, "{name}");
            assert_eq!(count("a.md", &format!("x{name}")), 0, "{name}");
        }
        for (phrase, _) in HOME_MADE_PHRASES {
            assert!(count("a.md", &format!("It is {} now.", phrase.to_uppercase())) >= 1, "{phrase}");
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
