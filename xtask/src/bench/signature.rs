//! The bench signature in the history: the newest `Bench: N` line of a commit message.

use tabiya_workspace::bench::stated_nodes;
use tabiya_workspace::repository;

/// A bench signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Signature {
    /// Hash of the commit whose message contains the line.
    pub(super) commit: String,
    pub(super) nodes: u64,
}

/// Finds the newest signature; `None` if there is no history, it is shallow, or it has no such line.
pub(super) fn newest() -> Option<Signature> {
    let log =
        repository::git(&["log", "-1", "--extended-regexp", "--grep=^Bench: [0-9]+ *$", "--format=%H%n%B"]);
    parse(&log.ok()?)
}

/// Parses a commit hash on the first line, followed by the commit message.
fn parse(log: &str) -> Option<Signature> {
    let (commit, message) = log.split_once('\n')?;
    Some(Signature { commit: commit.to_owned(), nodes: stated_nodes(message)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commit_and_nodes_are_read() {
        let signature = parse("abc\nSearch deeper\n\nBench: 123 \n").unwrap();
        assert_eq!(signature, Signature { commit: "abc".to_owned(), nodes: 123 });
        assert_eq!(parse("abc\nNo change\n"), None);
        assert_eq!(parse(""), None);
    }
}
