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
    read(&log.ok()?)
}

/// Parses a commit hash on the first line, followed by the commit message.
fn read(log: &str) -> Option<Signature> {
    let (commit, message) = log.split_once('\n')?;
    // The last line counts: earlier ones may quote the previous signature.
    let nodes = message.lines().rev().find_map(|line| line.strip_prefix("Bench: ")?.trim().parse().ok())?;
    Some(Signature { commit: commit.to_owned(), nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_last_line_of_the_message() {
        let signature = read("abc\nSearch deeper\n\nBench: 5\nwas this.\n\nBench: 123 \n").unwrap();
        assert_eq!(signature, Signature { commit: "abc".to_owned(), nodes: 123 });
        assert_eq!(read("abc\nNo change\n"), None);
        assert_eq!(read("abc\nBench: many\n"), None);
        assert_eq!(read(""), None);
    }
}
