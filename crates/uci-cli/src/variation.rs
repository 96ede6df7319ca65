//! Variations in standard algebraic notation.

use tabiya_core::{Color, Move};
use tabiya_movegen::Position;

/// Formats moves in SAN with move numbers: `3... Nf6 4. O-O`. Stops before the first illegal move.
pub(crate) fn numbered(start: &Position, moves: &[Move]) -> String {
    let mut position = start.clone();
    let mut texts = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let Ok(next) = position.play(mv) else { break };
        let number = position.fullmove_number();
        match position.side_to_move() {
            Color::White => texts.push(format!("{number}.")),
            Color::Black if index == 0 => texts.push(format!("{number}...")),
            Color::Black => {}
        }
        texts.push(position.san(mv).to_string());
        position = next;
    }
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_the_moves() {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        let start = position.clone();
        for san in ["e4", "e5", "Nf3"] {
            let mv = position.parse_san(san).unwrap();
            position = position.play(mv).unwrap();
            moves.push(mv);
        }
        assert_eq!(numbered(&start, &moves), "1. e4 e5 2. Nf3");
        assert_eq!(numbered(&start.play(moves[0]).unwrap(), &moves[1..]), "1... e5 2. Nf3");
        assert_eq!(numbered(&position, &moves), "");
    }
}
