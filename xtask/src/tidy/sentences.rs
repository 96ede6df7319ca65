//! Limits of Markdown documents: words of a sentence and of a table cell.

use super::Finding;

/// Maximum number of words of a sentence.
const MAX_SENTENCE: usize = 35;

/// Maximum number of words of a table cell.
const MAX_CELL: usize = 25;

/// Checks one document. Code blocks and headings are not limited; a code span counts as one word.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut limit = |line: usize, what: &str, part: &str, max: usize| {
        let words = part.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
        if words > max {
            let start: Vec<_> = part.split_whitespace().take(6).collect();
            let message = format!("{what} of {words} words (at most {max}): {} ...", start.join(" "));
            findings.push(Finding::error(path, line, message));
        }
    };
    let mut paragraph = String::new();
    let mut start = 0;
    let mut in_code = false;
    for (index, line) in text.lines().chain([""]).enumerate() {
        let line = line.trim();
        let is_fence = line.starts_with("```");
        let is_cells = line.starts_with('|');
        let item =
            line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['.', '-', '*', '+']);
        let is_item = item.len() < line.len() && item.starts_with(' ');
        if in_code || is_fence || is_cells || is_item || line.is_empty() || line.starts_with('#') {
            for sentence in sentences(&plain(&paragraph)) {
                limit(start, "a sentence", sentence, MAX_SENTENCE);
            }
            paragraph.clear();
        }
        in_code ^= is_fence;
        if in_code || is_fence || line.is_empty() || line.starts_with('#') {
            continue;
        }
        if is_cells {
            for cell in plain(line).replace("\\|", "").split('|') {
                limit(index + 1, "a table cell", cell, MAX_CELL);
            }
            continue;
        }
        if paragraph.is_empty() {
            start = index + 1;
        }
        paragraph.push_str(if is_item { item } else { line });
        paragraph.push(' ');
    }
    findings
}

/// Replaces code spans by one word and removes the addresses of links.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for (index, part) in text.split('`').enumerate() {
        plain.push_str(if index % 2 == 0 { part } else { "code" });
    }
    while let Some(open) = plain.find("](") {
        let close = plain[open..].find(')').map_or(plain.len(), |close| open + close + 1);
        plain.replace_range(open..close, "");
    }
    plain
}

/// Splits a paragraph after `.`, `!` and `?`, and the brackets and quotes that follow them, before a space.
fn sentences(paragraph: &str) -> impl Iterator<Item = &str> {
    paragraph
        .split_inclusive(' ')
        .scan(0, |end, word| {
            *end += word.len();
            let is_end = word
                .trim_end()
                .trim_end_matches([')', '"', '\'', '*', '_', '”', '’'])
                .ends_with(['.', '!', '?']);
            Some((*end, is_end))
        })
        .filter(|&(end, is_end)| is_end || end == paragraph.len())
        .scan(0, move |start, (end, _)| Some(&paragraph[std::mem::replace(start, end)..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        check("a.md", text).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn limits_sentences() {
        let long = |count| format!("{}end.", "word\n".repeat(count - 1));
        assert!(lines(&format!("{} {}", long(MAX_SENTENCE), long(MAX_SENTENCE))).is_empty());
        assert_eq!(lines(&format!("# Title\n\n{}", long(MAX_SENTENCE + 1))), [3]);
        assert_eq!(lines(&format!("Short. ({}) Short.", long(MAX_SENTENCE + 1))), [1]);
        assert!(lines(&format!("- {}\n", "word\n- ".repeat(40))).is_empty());
        assert!(lines(&format!("```\n{}\n```\n`{}`", long(40), long(40))).is_empty());
        assert!(lines(&format!("[one]({}).", long(40))).is_empty());
    }

    #[test]
    fn limits_table_cells() {
        let row = |count| format!("| {} | b |", "word ".repeat(count));
        assert!(lines(&row(MAX_CELL)).is_empty());
        assert_eq!(lines(&format!("| a | b |\n{}", row(MAX_CELL + 1))), [2]);
    }
}
