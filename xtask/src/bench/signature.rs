//! The bench signature in the history: the newest `Bench: N` line of a commit message.

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
    // Only the last such line is a signature: earlier ones may quote previous signatures.
    let nodes = message.lines().rev().find_map(|line| line.strip_prefix("Bench: ")?.trim().parse().ok())?;
    Some(Signature { commit: commit.to_owned(), nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_last_line_of_the_message() {
        let signature = parse("abc\nSearch deeper\n\nBench: 5\nwas this.\n\nBench: 123 \n").unwrap();
        assert_eq!(signature, Signature { commit: "abc".to_owned(), nodes: 123 });
        assert_eq!(parse("abc\nNo change\n"), None);
        assert_eq!(parse("abc\nBench: many\n"), None);
        assert_eq!(parse(""), None);
    }
}
