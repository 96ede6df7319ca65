//! The format of perft suites: a position a line, followed by the numbers of leaves by depth.
//!
//! ```text
//! # default depth: 5
//! 4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;D3 1197
//! ```
//!
//! Lines that begin with `#` are comments. The one above says how deep a run goes that is given no
//! limit of its own. `;illegal` in the place of counts says that the position must be refused.

use std::fmt;

/// The number of leaves at one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Count {
    pub(super) depth: u32,
    pub(super) nodes: u64,
}

/// One line: a position and its counts, shallowest first.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) fen: String,
    /// None: the position is illegal.
    pub(super) counts: Vec<Count>,
}

/// A file of positions with their counts.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Suite {
    /// How deep to go where nobody says otherwise.
    pub(super) default_depth: Option<u32>,
    pub(super) entries: Vec<Entry>,
}

/// Why a line is not a line of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SuiteError {
    line: usize,
    kind: SuiteErrorKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum SuiteErrorKind {
    NoCounts,
    IllegalWithCounts,
    BadCount(String),
    SameDepthTwice(u32),
    BadDefaultDepth(String),
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.kind {
            SuiteErrorKind::NoCounts => f.write_str("no counts: expected `FEN ;D1 20 ;D2 400 ...`"),
            SuiteErrorKind::IllegalWithCounts => f.write_str("an illegal position has no counts"),
            SuiteErrorKind::BadCount(text) => write!(f, "{text:?} is not a count such as `D3 8902`"),
            SuiteErrorKind::SameDepthTwice(depth) => write!(f, "depth {depth} is there twice"),
            SuiteErrorKind::BadDefaultDepth(text) => write!(f, "{text:?} is not a number of plies"),
        }
    }
}

impl std::error::Error for SuiteError {}

impl Suite {
    /// Reads a suite. Positions are not looked at: whether they can be is part of the check.
    ///
    /// # Errors
    /// At the first line that is neither empty, a comment nor a position with counts.
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
                        .map_err(|_| error(SuiteErrorKind::BadDefaultDepth(value.to_owned())))?;
                    suite.default_depth = Some(depth);
                }
            } else if !line.is_empty() {
                let mut fields = line.split(';').map(str::trim);
                let fen = fields.next().unwrap_or_default().to_owned();
                let counts = read_counts(fields).map_err(error)?;
                suite.entries.push(Entry { line: line_number, fen, counts });
            }
        }
        Ok(suite)
    }
}

fn read_counts<'a>(fields: impl Iterator<Item = &'a str>) -> Result<Vec<Count>, SuiteErrorKind> {
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
            .ok_or_else(|| SuiteErrorKind::BadCount(field.to_owned()))?;
        if counts.iter().any(|other| other.depth == count.depth) {
            return Err(SuiteErrorKind::SameDepthTwice(count.depth));
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
    fn lines_comments_and_the_default_depth() {
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
            ("fen ;D1", "line 1: \"D1\" is not a count"),
            ("fen ;D1 x", "line 1: \"D1 x\" is not a count"),
            ("fen ;D1 -3", "line 1: \"D1 -3\" is not a count"),
            ("fen ;E1 3", "line 1: \"E1 3\" is not a count"),
            ("fen ;illegal ;D1 3", "line 1: an illegal position has no counts"),
            ("fen ;D1 3 ;D1 4", "line 1: depth 1 is there twice"),
            ("# default depth: deep", "line 1: \"deep\" is not a number of plies"),
        ] {
            let error = Suite::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
