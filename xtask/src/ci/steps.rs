//! The steps of continuous integration, declared once: `.ci/run` and developers run this same list.

use super::client;
use super::line::{Line, cargo, words, xtask};
use anyhow::Result;
use tabiya_workspace::{build, repository};

/// One step.
pub(super) struct Step {
    /// For the command line and the summary.
    pub(super) name: &'static str,
    /// What it is good for.
    pub(super) purpose: &'static str,
    /// What it runs. A function, because some of it depends on what is found in the repository.
    pub(super) lines: fn() -> Result<Vec<Line>>,
}

/// All steps, in their order: the quick ones first, and nothing that needs the engine's binary before it
/// has been built.
pub(super) const STEPS: &[Step] = &[
    Step { name: "fmt", purpose: "the source is formatted", lines: || Ok(vec![cargo("fmt --all --check")]) },
    Step {
        name: "clippy",
        purpose: "no warning from the compiler or clippy",
        lines: || Ok(vec![cargo("clippy --workspace --all-targets --locked -- -D warnings")]),
    },
    Step {
        name: "features",
        purpose: "the libraries without std, and with every feature; the engine with all its numbers as options",
        lines: || {
            let libraries = "-p tabiya-core -p tabiya-movegen";
            let serde = "tabiya-core/serde,tabiya-movegen/serde";
            let check = format!("clippy {libraries} --locked");
            Ok(vec![
                cargo(&format!("{check} --no-default-features -- -D warnings")),
                cargo(&format!("{check} --no-default-features --features serde -- -D warnings")),
                cargo(&format!("{check} --all-features --all-targets -- -D warnings")),
                cargo(&format!("test {libraries} --features {serde} --lib --locked serialization")),
                // Alone, so that no other crate turns their features on.
                cargo("clippy -p tabiya-syzygy -p tabiya-book -p tabiya-eval --locked -- -D warnings"),
                cargo(
                    "clippy -p tabiya-syzygy -p tabiya-eval --all-features --all-targets --locked -- -D warnings",
                ),
                cargo("test -p tabiya-search -p tabiya --features tabiya/tune --locked"),
            ])
        },
    },
    Step { name: "test", purpose: "the tests", lines: || Ok(vec![cargo("test --workspace")]) },
    Step {
        name: "doc",
        purpose: "the documentation builds without a warning",
        lines: || {
            let variables = vec![("RUSTDOCFLAGS", "-D warnings")];
            Ok(vec![Line { variables, ..cargo("doc --workspace --no-deps --locked") }])
        },
    },
    Step { name: "tidy", purpose: "sizes, layers, words", lines: || Ok(vec![xtask("tidy")]) },
    Step { name: "perft", purpose: "the suites of known counts", lines: || Ok(vec![xtask("perft")]) },
    Step { name: "bench", purpose: "the search's signature", lines: || Ok(vec![xtask("bench --check")]) },
    Step { name: "client", purpose: "sessions driven by python-chess and xboard", lines: client::lines },
    Step {
        name: "conformance",
        purpose: "the UCI protocol",
        // Shared machines are slow at times.
        lines: || Ok(vec![xtask("conformance --patience 3")]),
    },
    Step { name: "selfplay", purpose: "games against the last version", lines: selfplay },
];

/// A few games between the last version and this one. The score proves nothing and is not judged; a crash,
/// an illegal move or a loss on time fails the step.
fn selfplay() -> Result<Vec<Line>> {
    let opponent = match base() {
        Some(revision) => format!("--base {revision}"),
        None => {
            let binary = build::worktree()?;
            return Ok(vec![Line {
                arguments: vec![
                    "selfplay".to_owned(),
                    "--engine".to_owned(),
                    format!("name=one,cmd={}", binary.display()),
                    "--engine".to_owned(),
                    format!("name=two,cmd={}", binary.display()),
                ]
                .into_iter()
                .chain(words(GAMES))
                .collect(),
                ..xtask("")
            }]);
        }
    };
    Ok(vec![xtask(&format!("selfplay {opponent} --new worktree {GAMES}"))])
}

/// Enough games to meet castling, promotion and every kind of ending, in well under a minute.
const GAMES: &str = "--games 200 --nodes 3000 --max-moves 300 --strict";

/// The newest release or, before there is one, the commit before this one; `None` where the history holds
/// neither, or the engine cannot be built there.
fn base() -> Option<String> {
    let newest_release = || repository::git(&["describe", "--tags", "--abbrev=0", "HEAD"]);
    let before = || repository::git(&["rev-parse", "--verify", "--quiet", "HEAD~1"]);
    let revision = newest_release().or_else(|_| before()).ok()?;
    match build::revision(&revision) {
        Ok(_) => Some(revision),
        Err(error) => {
            println!("{error:#}; the engine plays against itself instead");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique() {
        let names: HashSet<_> = STEPS.iter().map(|step| step.name).collect();
        assert_eq!(names.len(), STEPS.len());
    }
}
