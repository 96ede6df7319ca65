//! The steps of continuous integration: one list for `.ci/run` and for developers.

use super::archive;
use super::browser;
use super::client;
use super::examples;
use super::line::{FEATURES, Line, cargo, engine, line, matches, programs, xtask};
use super::preparation::Preparation;
use super::scripts;
use anyhow::Result;

/// A CI step.
pub(super) struct Step {
    /// Name on the command line and in the summary.
    pub(super) name: &'static str,
    /// Short description for `--list`.
    pub(super) purpose: &'static str,
    /// The builds and downloads that it needs.
    pub(super) preparations: &'static [Preparation],
    /// True if it waits more than it computes, so that it runs beside others of this kind, after all other steps.
    pub(super) is_waiting: bool,
    /// Returns the command lines. A function, because some depend on the state of the repository.
    pub(super) lines: fn() -> Result<Vec<Line>>,
}

/// All steps in order: those that need no preparation first, while builds and downloads are made beside them, and those that wait last.
pub(super) const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        purpose: "formatting",
        preparations: &[],
        is_waiting: false,
        lines: || Ok(vec![cargo("fmt --all --check")]),
    },
    Step {
        name: "clippy",
        purpose: "no compiler or clippy warnings",
        preparations: &[],
        is_waiting: false,
        lines: || {
            // With the features that the tests have, too.
            let targets = format!("--workspace --all-targets --locked --features {FEATURES}");
            Ok(vec![cargo(&format!("clippy {targets} -- -D warnings"))])
        },
    },
    Step {
        name: "features",
        purpose: "libraries without std, without PGN and with all features; the programs without a network",
        preparations: &[],
        is_waiting: false,
        lines: || {
            let check = "clippy -p tabiya-core -p tabiya-movegen --locked";
            Ok(vec![
                cargo(&format!("{check} --no-default-features -- -D warnings")),
                cargo(&format!("{check} --no-default-features --features serde -- -D warnings")),
                cargo(&format!("{check} --no-default-features --features pgn,serde -- -D warnings")),
                cargo(
                    "clippy -p tabiya-movegen --no-default-features --features text,serde --locked -- -D warnings",
                ),
                // Alone, so that no other crate turns their features on.
                cargo(
                    "clippy -p tabiya-motifs -p tabiya-syzygy -p tabiya-book -p tabiya-eval -p tabiya-search -p tabiya-player \
                     -p uci-conformance --locked -- -D warnings",
                ),
                // The step `clippy` has their tests.
                cargo(concat!(
                    "clippy -p tabiya-core -p tabiya-movegen -p tabiya-syzygy -p tabiya-book -p tabiya-eval -p tabiya-search ",
                    "--all-features --lib --test tunables --locked -- -D warnings"
                )),
                cargo("clippy -p tabiya --no-default-features --all-targets --locked -- -D warnings"),
                cargo("clippy -p tabiya-web --no-default-features --all-targets --locked -- -D warnings"),
            ])
        },
    },
    Step {
        name: "test",
        purpose: "all tests, also of features of the libraries and of tunable search parameters",
        preparations: &[],
        is_waiting: false,
        lines: || {
            let tests = format!("test --workspace --locked --features {FEATURES}");
            // The parameters have the same values, so other tests would find the same again. With --workspace, cargo uses the builds of the
            // crates below the search that the other tests have made.
            let tunables = format!("{tests},tabiya/tune --bin tabiya --test tunables");
            Ok(vec![cargo(&tests), cargo(&tunables)])
        },
    },
    Step {
        name: "perft",
        purpose: "suites of known counts",
        preparations: &[],
        is_waiting: false,
        lines: || Ok(vec![programs(), line(&matches(), &["perft"])]),
    },
    Step {
        name: "doc",
        purpose: "documentation builds without warnings",
        preparations: &[],
        is_waiting: false,
        lines: || {
            let variables = vec![("RUSTDOCFLAGS".to_owned(), "-D warnings".to_owned())];
            Ok(vec![Line { variables, ..cargo("doc --workspace --no-deps --locked") }])
        },
    },
    Step {
        name: "api",
        purpose: "the public interface of the libraries is the documented one",
        preparations: &[],
        is_waiting: false,
        lines: || Ok(vec![xtask("api")]),
    },
    Step {
        name: "tidy",
        purpose: "sizes, layers, names, forbidden words",
        preparations: &[],
        is_waiting: false,
        lines: || Ok(vec![xtask("tidy")]),
    },
    Step {
        name: "scripts",
        purpose: "types, rules and unit tests of the pages' scripts",
        preparations: &[Preparation::NodePackages],
        is_waiting: false,
        lines: scripts::lines,
    },
    Step {
        name: "package",
        purpose: "the published crates have what their packages need",
        preparations: &[],
        is_waiting: false,
        // Hosted CI also builds each crate from its package alone, which takes as long as the tests.
        lines: || Ok(vec![package()]),
    },
    Step {
        name: "examples",
        purpose: "every example of the libraries runs",
        preparations: &[],
        is_waiting: false,
        lines: examples::lines,
    },
    Step {
        name: "bench",
        purpose: "bench signature of the search",
        preparations: &[],
        is_waiting: false,
        lines: || Ok(vec![programs(), bench()]),
    },
    Step {
        name: "archive",
        purpose: "release archive with manual pages, completions and licences",
        preparations: &[],
        is_waiting: false,
        lines: archive::lines,
    },
    Step {
        name: "selfplay",
        purpose: "games of the engine against itself",
        preparations: &[],
        is_waiting: false,
        lines: || Ok(selfplay()),
    },
    Step {
        name: "client",
        purpose: "sessions driven by python-chess and xboard",
        preparations: &[Preparation::PythonPackages],
        // Its games are at a clock, and a move over time fails it.
        is_waiting: false,
        lines: client::lines,
    },
    Step {
        name: "conformance",
        purpose: "conformance to the UCI and xboard protocols",
        preparations: &[],
        is_waiting: true,
        lines: || {
            // Shared CI machines can be slow. Most checks take a given time, also while others run.
            let options = ["--patience", "3", "--concurrency", "4"];
            let (matches, engine) = (matches(), engine());
            let check = |protocol| {
                let arguments = ["conformance", &engine, "--protocol", protocol];
                line(&matches, &[&arguments[..], &options].concat())
            };
            Ok(vec![programs(), check("uci"), check("xboard")])
        },
    },
    Step {
        name: "browser",
        purpose: "the page in Chromium, with a server and without",
        preparations: &[Preparation::NodePackages, Preparation::Page],
        is_waiting: true,
        lines: browser::lines,
    },
];

/// The packages that are not published.
const UNPUBLISHED: &[&str] = &[
    "tabiya-api-list", "tabiya-lab-common", "tabiya-matches", "tabiya-training", "tabiya-wasm",
    "tabiya-wasm-builder", "tabiya-workspace", "xtask",
];

/// The command line that packs the published crates, of the working tree.
fn package() -> Line {
    let mut package =
        cargo("package --workspace --no-verify --allow-dirty --locked --quiet --target-dir target/packages");
    for name in UNPUBLISHED {
        package.arguments.extend(["--exclude".to_owned(), (*name).to_owned()]);
    }
    package
}

/// The command line that compares the bench's node count with the history.
fn bench() -> Line {
    let mut check = xtask("bench --check --engine");
    // Not split at white space, which the path may contain.
    check.arguments.push(engine());
    check
}

/// The command lines of a short match of the engine against itself. A crash, an illegal move or a loss on time fails the step. Hosted CI
/// plays one with more nodes a move against the previous version every night.
fn selfplay() -> Vec<Line> {
    let player = |name| format!("name={name},cmd={}", engine());
    let arguments = ["selfplay", "--engine", &player("one"), "--engine", &player("two")];
    // Enough games for castling, promotion and every kind of ending, in a minute.
    let options = ["--games", "200", "--nodes", "1000", "--max-moves", "300", "--strict"];
    vec![programs(), line(&matches(), &[&arguments[..], &options].concat())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::fs;
    use tabiya_workspace::repository;

    /// The packages that cargo would publish are those that the step packs.
    #[test]
    fn packages_that_are_not_published_say_so() {
        let root = repository::root();
        let workspace: toml::Table = fs::read_to_string(root.join("Cargo.toml")).unwrap().parse().unwrap();
        let members = workspace["workspace"]["members"].as_array().unwrap();
        let mut unpublished = Vec::new();
        for member in members {
            let manifest = root.join(member.as_str().unwrap()).join("Cargo.toml");
            let package: toml::Table = fs::read_to_string(manifest).unwrap().parse().unwrap();
            let package = &package["package"];
            if package.get("publish").and_then(toml::Value::as_bool) == Some(false) {
                unpublished.push(package["name"].as_str().unwrap().to_owned());
            }
        }
        unpublished.sort();
        assert_eq!(unpublished, UNPUBLISHED);
    }

    #[test]
    fn names_are_unique() {
        let names: HashSet<_> = STEPS.iter().map(|step| step.name).collect();
        assert_eq!(names.len(), STEPS.len());
    }
}
