//! `genfens`: random openings for OpenBench.

use crate::folder::Folder;
use crate::process::Tabiya;
use std::collections::HashSet;

const PREFIX: &str = "info string genfens ";

/// The openings generated for the given arguments.
fn openings(arguments: &str) -> Vec<String> {
    let exit = Tabiya::run(&[&format!("genfens {arguments}"), "quit"]);
    assert!(exit.status.success(), "{arguments}: {}", exit.errors);
    let fens = exit.lines.iter().map(|line| line.strip_prefix(PREFIX).map(str::to_owned));
    fens.collect::<Option<_>>().unwrap_or_else(|| panic!("{arguments}: {}", exit.text()))
}

#[test]
fn openings_depend_only_on_the_seed() {
    let first = openings("6 seed 1 book None");
    assert_eq!(first.len(), 6);
    assert_eq!(openings("6 seed 1 book None "), first);
    let second = openings("6 seed 2 book None");
    assert_eq!(first.iter().chain(&second).collect::<HashSet<_>>().len(), 12);
    let mut engine = Tabiya::uci();
    for fen in &first {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        engine.send(&format!("position fen {fen}"));
        assert_eq!(engine.sync(), [""; 0], "{fen}");
        assert_ne!(engine.go("depth 1").best(), "0000", "{fen}");
    }
    engine.finish_well();
    assert!(openings("0 seed 1 book None").is_empty());
}

#[test]
fn starts_from_a_book() {
    let folder = Folder::new();
    let book = folder.write("book.epd", "# pawn endings\n4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - bm Ke2;\n");
    for fen in openings(&format!("3 seed 5 book {book}")) {
        assert!(!fen.chars().any(|c| "rnqRNQ".contains(c)), "{fen}");
    }
    folder.write("book.epd", "4k3/8/8/8/8/8/8/8 w - -\n");
    for (book, message) in [(book.as_str(), "line 1"), ("no/such/book.epd", "cannot read the book")] {
        let exit = Tabiya::run(&[&format!("genfens 3 seed 1 book {book}"), "quit"]);
        assert!(exit.status.success());
        let [line] = exit.lines.as_slice() else { panic!("{}", exit.text()) };
        assert!(line.starts_with("info string genfens: ") && line.contains(message), "{line}");
    }
}

#[test]
fn answers_isready_while_generating() {
    let mut engine = Tabiya::uci();
    engine.send("genfens 1000000 seed 1 book None\nisready");
    engine.expect("readyok");
    engine.expect(PREFIX);
    engine.send("stop");
    assert_ne!(engine.go("depth 1").best(), "0000");
    engine.send("genfens x");
    let lines = engine.sync();
    assert!(lines[0].contains("genfens: expected the number of openings"), "{lines:?}");
    engine.finish_well();
}

#[test]
fn runs_uci_commands_given_as_arguments() {
    let exit = Tabiya::run(&["position startpos moves e2e4", "fen", "quit"]);
    assert!(exit.status.success(), "{}", exit.errors);
    assert_eq!(exit.lines, ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"]);
    assert!(!Tabiya::run(&["genfens", "3"]).status.success());
}
