//! The CI step that runs the examples of the libraries.

use super::line::{Line, engine, line, programs, programs_folder};
use anyhow::Result;

/// An example with arguments for a short run.
struct Example {
    name: &'static str,
    arguments: &'static [&'static str],
}

/// The engine program, as an argument.
const ENGINE: &str = "ENGINE";
const GAMES: &str = "tests/data/pgn/standard.pgn";

/// Every example that is not one of `TOOLS`.
const EXAMPLES: &[Example] = &[
    Example { name: "fen_validator", arguments: &["4k3/8/8/8/8/8/8/4K2R w K - 0 1"] },
    Example { name: "perft", arguments: &["3", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"] },
    Example { name: "pgn_statistics", arguments: &[GAMES] },
    Example { name: "opening_tree", arguments: &[GAMES, "e4"] },
    Example { name: "pgn_limits", arguments: &["variations", "tree", "1000"] },
    Example { name: "puzzle_finder", arguments: &[GAMES] },
    // Its input is empty.
    Example { name: "random_bot", arguments: &[] },
    Example { name: "uci_client", arguments: &[ENGINE, "1"] },
    Example { name: "measure", arguments: &["tests/data/motifs/puzzles.tsv"] },
    Example { name: "explorer", arguments: &[GAMES, "e4"] },
    Example { name: "probe", arguments: &["tests/data/syzygy", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"] },
    // The end of its input stops the search.
    Example { name: "analyse", arguments: &["8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"] },
    Example { name: "progress", arguments: &["8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", "8"] },
    Example { name: "engine_pool", arguments: &["2", "64", "4"] },
    Example { name: "tokio_adapter", arguments: &[] },
];

/// Examples that make constants of the repository, take long, write files, or need files that it does not have.
#[cfg(test)]
const TOOLS: &[&str] = &["find_magics", "most_moves", "opening_table", "reasons"];

/// Returns the command lines. An example that fails exits with an error.
pub(super) fn lines() -> Result<Vec<Line>> {
    let (engine, folder) = (engine(), programs_folder().join("examples"));
    let run = |example: &Example| {
        let file = format!("{}{}", example.name, std::env::consts::EXE_SUFFIX);
        let argument = |&argument: &&'static str| if argument == ENGINE { engine.as_str() } else { argument };
        let arguments: Vec<_> = example.arguments.iter().map(argument).collect();
        line(&folder.join(file).display().to_string(), &arguments)
    };
    Ok(std::iter::once(programs()).chain(EXAMPLES.iter().map(run)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use tabiya_workspace::repository;

    #[test]
    fn every_example_runs_or_is_a_tool() {
        let mut found = BTreeSet::new();
        for package in fs::read_dir(repository::root().join("crates")).unwrap() {
            let Ok(examples) = fs::read_dir(package.unwrap().path().join("examples")) else { continue };
            for example in examples {
                let path = example.unwrap().path();
                found.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
            }
        }
        let listed = EXAMPLES.iter().map(|example| example.name).chain(TOOLS.iter().copied());
        assert_eq!(found, listed.map(str::to_owned).collect());
    }
}
