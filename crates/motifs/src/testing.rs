//! Lines of tests.

use crate::{Finding, Line, Motif, motifs};
use alloc::string::ToString;
use alloc::vec::Vec;
use tabiya_core::Bitboard;
use tabiya_movegen::Position;

/// Returns the motifs of the side to move in a line in SAN. After "..." the first move is the opponent's.
pub(crate) fn findings(fen: &str, moves: &str) -> Vec<Finding> {
    let start: Position = fen.parse().unwrap();
    let (moves, side) = match moves.strip_prefix("... ") {
        Some(moves) => (moves, !start.side_to_move()),
        None => (moves, start.side_to_move()),
    };
    let mut position = start.clone();
    let mut played = Vec::new();
    for san in moves.split(' ') {
        let mv = position.parse_san(san).unwrap_or_else(|error| panic!("{san}: {error}"));
        position = position.play(mv).unwrap();
        played.push(mv);
    }
    motifs(&Line::new(start, &played, side).unwrap())
}

/// Returns the names of the motifs of the side to move.
pub(crate) fn themes(fen: &str, moves: &str) -> Vec<Motif> {
    findings(fen, moves).iter().map(|finding| finding.motif).collect()
}

/// Asserts that the first move shows a motif with these squares.
pub(crate) fn assert_found((fen, moves): (&str, &str), motif: Motif, actor: &str, targets: &str) {
    let found = findings(fen, moves);
    let finding = found.iter().find(|finding| finding.motif == motif);
    let finding = finding.unwrap_or_else(|| panic!("{motif:?} not in {found:?}"));
    let expected: Bitboard = targets.split(' ').map(|square| square.parse().unwrap()).collect();
    assert_eq!((finding.actor.to_string().as_str(), finding.targets), (actor, expected), "{found:?}");
}
