//! Regression test on the fuzzing corpus in `tests/data/fuzz`; see `fuzz/README.md`.

#![cfg(feature = "std")]

#[path = "../../../fuzz/src/checks/mod.rs"]
mod checks;

use std::fs;
use std::path::Path;

/// Runs a target's check on each file of its folder. When a test fails, the last file name printed is the input that
/// failed.
fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/fuzz").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        println!("{}", file.display());
        check(&fs::read(&file).expect("the file can be read"));
    }
}

#[test]
fn fen() {
    replay("fen", checks::fen);
}

#[test]
fn san() {
    replay("san", checks::san);
}

#[test]
fn uci_move() {
    replay("uci_move", checks::uci_move);
}

#[test]
fn position_play() {
    replay("position_play", checks::position_play);
}

#[test]
fn epd() {
    replay("epd", checks::epd);
}

#[test]
fn game_tree() {
    replay("game_tree", checks::game_tree);
}

#[test]
fn pgn() {
    replay("pgn", checks::pgn);
}
