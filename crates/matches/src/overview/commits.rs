//! Node counts of `bench` in commit messages.

use anyhow::Result;
use tabiya_workspace::bench::stated_nodes;
use tabiya_workspace::repository;

/// The node count that a commit states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bench {
    /// The number of the commit on the first-parent history, from 1 for the oldest.
    pub(super) number: usize,
    /// The nodes.
    pub(super) nodes: u64,
}

/// Returns the node counts of the history, the oldest first; none if there are no sources.
///
/// # Errors
/// If git fails.
pub(super) fn benches() -> Result<Vec<Bench>> {
    if repository::is_installed() {
        return Ok(Vec::new());
    }
    // Messages are separated by a zero byte, which none contains.
    Ok(parse(&repository::git(&["log", "--first-parent", "--reverse", "--format=%B%x00"])?))
}

/// Finds the nodes that each message states.
fn parse(log: &str) -> Vec<Bench> {
    (1..)
        .zip(log.split('\0'))
        .filter_map(|(number, message)| Some(Bench { number, nodes: stated_nodes(message)? }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_counts_of_messages_are_found() {
        let log = "Begin\n\nBench: 17\n\0\nNo count\n\0\nFaster\n\nBench: x\nBench: 21\n\0\n";
        assert_eq!(parse(log), [Bench { number: 1, nodes: 17 }, Bench { number: 3, nodes: 21 }]);
    }
}
