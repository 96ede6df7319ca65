//! Variations in standard algebraic notation.

use tabiya_core::{Color, Move};
use tabiya_movegen::Position;

/// Formats moves in SAN with move numbers: `3... Nf6 4. O-O`. Stops before the first illegal move.
pub(crate) fn numbered(start: &Position, moves: &[Move]) -> String {
    numbered_moves(start, moves).join(" ")
}

/// As [`numbered`], but stops before the first move that would make the text wider than `width` columns, with `…` in its place. At
/// least one move is left.
pub(crate) fn numbered_within(start: &Position, moves: &[Move], width: usize) -> String {
    const ELLIPSIS: &str = " …";
    let mut text = String::new();
    let mut rest = numbered_moves(start, moves).into_iter().peekable();
    while let Some(mv) = rest.next() {
        let separator = if text.is_empty() { "" } else { " " };
        let ellipsis = if rest.peek().is_some() { 2 } else { 0 };
        if !text.is_empty() && text.len() + separator.len() + mv.len() + ellipsis > width {
            text.push_str(ELLIPSIS);
            break;
        }
        text = text + separator + &mv;
    }
    text
}

/// The moves in SAN, those of White and the first with their numbers.
fn numbered_moves(start: &Position, moves: &[Move]) -> Vec<String> {
    let numbered = |(index, (position, mv)): (usize, (Position, Move))| {
        let number = position.fullmove_number();
        let san = position.san(mv);
        match position.side_to_move() {
            Color::White => format!("{number}. {san}"),
            Color::Black if index == 0 => format!("{number}... {san}"),
            Color::Black => san.to_string(),
        }
    };
    played(start, moves).enumerate().map(numbered).collect()
}

/// The moves before the first illegal one, each with the position in which it is played.
pub(crate) fn played(start: &Position, moves: &[Move]) -> impl Iterator<Item = (Position, Move)> {
    let mut position = start.clone();
    moves.iter().map_while(move |&mv| {
        let next = position.play(mv).ok()?;
        Some((std::mem::replace(&mut position, next), mv))
    })
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

    #[test]
    fn long_lines_end_at_a_move() {
        let game: tabiya_movegen::Game = "1. e4 e5 2. Nf3 Nc6 *".parse().unwrap();
        let within = |width| numbered_within(game.start(), game.moves(), width);
        let whole = "1. e4 e5 2. Nf3 Nc6";
        assert_eq!(within(80), whole);
        assert_eq!(within(whole.len()), whole);
        assert_eq!(within(whole.len() - 1), "1. e4 e5 2. Nf3 …");
        assert_eq!(within(17), "1. e4 e5 2. Nf3 …");
        assert_eq!(within(16), "1. e4 e5 …");
        assert_eq!(within(0), "1. e4 …");
        assert_eq!(numbered_within(game.start(), &[], 0), "");
    }
}
