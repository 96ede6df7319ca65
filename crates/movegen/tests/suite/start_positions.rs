//! The 960 Chess960 start positions and their numbers.

use crate::data;
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
