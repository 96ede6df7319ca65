//! Lines of moves as people read them.

use tabiya_core::{Color, Move};
use tabiya_movegen::Position;

/// The moves in standard algebraic notation with their numbers: `3... Nf6 4. O-O`. Ends before the
/// first move that is not legal.
pub(crate) fn numbered(start: &Position, moves: &[Move]) -> String {
    let mut position = start.clone();
    let mut words = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let Ok(next) = position.play(mv) else { break };
        let number = position.fullmove_number();
        match position.side_to_move() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if index == 0 => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(position.san(mv).to_string());
        position = next;
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_with_numbers() {
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
