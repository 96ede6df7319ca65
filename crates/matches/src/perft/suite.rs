//! The format of perft suites: one position per line, followed by its leaf counts by depth.
//!
//! ```text
//! # default depth: 5
//! 4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;D3 1197
//! ```
//!
//! Lines that begin with `#` are comments. The comment `default depth` sets the depth of a run without `--depth` and
//! `--max-nodes`. `;illegal` instead of counts means that strict parsing must reject the position.

use std::fmt;

/// Number of leaf nodes at one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Count {
    pub(super) depth: u32,
    pub(super) nodes: u64,
}

/// A line of a suite: a position and its counts, shallowest first.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// Line number, from 1.
    pub(super) line: usize,
    pub(super) fen: String,
    /// Empty for an illegal position.
    pub(super) counts: Vec<Count>,
}

/// A perft suite.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Suite {
    /// Maximum depth of a run without `--depth` and `--max-nodes`.
    pub(super) default_depth: Option<u32>,
    pub(super) entries: Vec<Entry>,
}

/// An error in a suite file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SuiteError {
    line: usize,
    kind: SuiteErrorKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum SuiteErrorKind {
    NoCounts,
    IllegalWithCounts,
    InvalidCount(String),
    DuplicateDepth(u32),
    InvalidDefaultDepth(String),
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.kind {
            SuiteErrorKind::NoCounts => f.write_str("no counts: expected `FEN ;D1 20 ;D2 400 ...`"),
            SuiteErrorKind::IllegalWithCounts => f.write_str("an illegal position cannot have counts"),
            SuiteErrorKind::InvalidCount(text) => {
                write!(f, "invalid count {text:?} (expected a depth and a count, as in `D3 8902`)")
            }
            SuiteErrorKind::DuplicateDepth(depth) => write!(f, "depth {depth} occurs twice"),
            SuiteErrorKind::InvalidDefaultDepth(text) => {
                write!(f, "invalid default depth {text:?} (expected a number)")
            }
        }
    }
}

impl std::error::Error for SuiteError {}

impl Suite {
    /// Parses a suite. The FENs are not parsed here; that is part of the check.
    ///
    /// # Errors
    /// At the first line that is not blank, a comment, or a position with counts.
    pub(super) fn parse(text: &str) -> Result<Suite, SuiteError> {
        let mut suite = Suite { default_depth: None, entries: Vec::new() };
        for (index, line) in text.lines().enumerate() {
            let line_number = index + 1;
            let error = |kind| SuiteError { line: line_number, kind };
            let line = line.trim();
            if let Some(comment) = line.strip_prefix('#') {
                if let Some(value) = comment.trim().strip_prefix("default depth:") {
                    let value = value.trim();
                    let depth = value
                        .parse()
                        .map_err(|_| error(SuiteErrorKind::InvalidDefaultDepth(value.to_owned())))?;
                    suite.default_depth = Some(depth);
                }
            } else if !line.is_empty() {
                let mut fields = line.split(';').map(str::trim);
                let fen = fields.next().unwrap_or_default().to_owned();
                let counts = parse_counts(fields).map_err(error)?;
                suite.entries.push(Entry { line: line_number, fen, counts });
            }
        }
        Ok(suite)
    }
}

fn parse_counts<'a>(fields: impl Iterator<Item = &'a str>) -> Result<Vec<Count>, SuiteErrorKind> {
    let mut counts: Vec<Count> = Vec::new();
    let mut illegal = false;
    for field in fields.filter(|field| !field.is_empty()) {
        if field == "illegal" {
            illegal = true;
            continue;
        }
        let count = field
            .strip_prefix('D')
            .and_then(|rest| rest.split_once(' '))
            .and_then(|(depth, nodes)| {
                Some(Count { depth: depth.parse().ok()?, nodes: nodes.trim().parse().ok()? })
            })
            .ok_or_else(|| SuiteErrorKind::InvalidCount(field.to_owned()))?;
        if counts.iter().any(|other| other.depth == count.depth) {
            return Err(SuiteErrorKind::DuplicateDepth(count.depth));
        }
        counts.push(count);
    }
    match (illegal, counts.is_empty()) {
        (false, true) => return Err(SuiteErrorKind::NoCounts),
        (true, false) => return Err(SuiteErrorKind::IllegalWithCounts),
        _ => {}
    }
    counts.sort_by_key(|count| count.depth);
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_lines_comments_and_default_depth() {
        let text = "# default depth: 4\n\n# another\nFEN w - - 0 1 ;D2 400 ;D1 20\r\nother ;D3 7\n";
        let suite = Suite::parse(text).unwrap();
        assert_eq!(suite.default_depth, Some(4));
        assert_eq!(
            suite.entries,
            [
                Entry {
                    line: 4,
                    fen: "FEN w - - 0 1".to_owned(),
                    counts: vec![Count { depth: 1, nodes: 20 }, Count { depth: 2, nodes: 400 }],
                },
                Entry { line: 5, fen: "other".to_owned(), counts: vec![Count { depth: 3, nodes: 7 }] },
            ]
        );
    }

    #[test]
    fn illegal_positions_have_no_counts() {
        let suite = Suite::parse("fen ;illegal\n").unwrap();
        assert_eq!(suite.entries, [Entry { line: 1, fen: "fen".to_owned(), counts: Vec::new() }]);
    }

    #[test]
    fn errors_name_the_line_and_the_text() {
        for (text, message) in [
            ("fen ;D1 20\nfen", "line 2: no counts"),
            ("fen ;D1", "line 1: invalid count \"D1\""),
            ("fen ;D1 x", "line 1: invalid count \"D1 x\""),
            ("fen ;D1 -3", "line 1: invalid count \"D1 -3\""),
            ("fen ;E1 3", "line 1: invalid count \"E1 3\""),
            ("fen ;illegal ;D1 3", "line 1: an illegal position cannot have counts"),
            ("fen ;D1 3 ;D1 4", "line 1: depth 1 occurs twice"),
            ("# default depth: deep", "line 1: invalid default depth \"deep\""),
        ] {
            let error = Suite::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
