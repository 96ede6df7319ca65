//! Regression test on the fuzzing corpus in `tests/data/fuzz`; see `fuzz/README.md`.

#![cfg(feature = "std")]

#[path = "../../../fuzz/src/checks/mod.rs"]
mod checks;
#[path = "../../../fuzz/src/replay.rs"]
mod replay;

use replay::replay;

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
