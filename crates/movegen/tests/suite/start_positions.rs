//! The 960 Chess960 start positions and their numbers.

use crate::data;
use std::collections::HashSet;
use tabiya_movegen::Position;

#[test]
fn all_960_start_positions() {
    let fens = data::lines("rules/positions/chess960_start_positions.sfens");
    assert_eq!(fens.len(), 960);
    for (number, fen) in (0..).zip(&fens) {
        let position = Position::chess960(number).unwrap_or_else(|| panic!("no position {number}"));
        assert_eq!(format!("{position:#}"), *fen, "number {number}");
        assert_eq!(Position::from_fen(fen).as_ref(), Ok(&position));
        let other = cozy_chess::Board::chess960_startpos(u32::from(number));
        assert_eq!(format!("{other:#}"), *fen, "cozy-chess, number {number}");
    }
}

#[test]
fn numbers_are_distinct_and_end_at_959() {
    let keys: HashSet<_> = (0..960).filter_map(Position::chess960).map(|position| position.key()).collect();
    assert_eq!(keys.len(), 960);
    for number in [960, 961, 1_000, u16::MAX] {
        assert_eq!(Position::chess960(number), None);
    }
}

#[test]
fn number_518_is_standard_chess() {
    let position = Position::chess960(518).expect("518 is below 960");
    assert_eq!(position, Position::startpos());
    assert_eq!(position.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}
