//! The node count that the history promises: the newest line `Bench: N` of a commit message.

use tabiya_workspace::repository;

/// A promise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Signature {
    /// The commit whose message holds the line.
    pub(super) commit: String,
    pub(super) nodes: u64,
}

/// Looks through the history for the newest signature. `None` where there is no history (or only a
/// part of it: a shallow clone) or no such line in it.
pub(super) fn newest() -> Option<Signature> {
    let log =
        repository::git(&["log", "-1", "--extended-regexp", "--grep=^Bench: [0-9]+ *$", "--format=%H%n%B"]);
    read(&log.ok()?)
}

/// Reads a commit's hash, on the first line, and its message.
fn read(log: &str) -> Option<Signature> {
    let (commit, message) = log.split_once('\n')?;
    // The last one: earlier ones may quote the count before the change.
    let nodes = message.lines().rev().find_map(|line| line.strip_prefix("Bench: ")?.trim().parse().ok())?;
    Some(Signature { commit: commit.to_owned(), nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_the_message_counts() {
        let signature = read("abc\nSearch deeper\n\nBench: 5\nwas this.\n\nBench: 123 \n").unwrap();
        assert_eq!(signature, Signature { commit: "abc".to_owned(), nodes: 123 });
        assert_eq!(read("abc\nNo change\n"), None);
        assert_eq!(read("abc\nBench: many\n"), None);
        assert_eq!(read(""), None);
    }
}
