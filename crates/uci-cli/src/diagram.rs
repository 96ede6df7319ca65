//! A board drawn in text.

use std::fmt;
use tabiya_core::{Board, Color, File, Piece, Rank, Square};

/// A drawing of a board with letters for the pieces, White's in upper case.
pub(crate) struct Diagram<'a> {
    pub(crate) board: &'a Board,
    /// Draw it as Black sees it.
    pub(crate) flipped: bool,
    /// Draw chess symbols in place of letters.
    pub(crate) symbols: bool,
}

impl<'a> Diagram<'a> {
    /// Letters, White's side below.
    pub(crate) fn new(board: &'a Board) -> Diagram<'a> {
        Diagram { board, flipped: false, symbols: false }
    }

    fn sign(&self, square: Square) -> char {
        match self.board.piece_on(square) {
            None => ' ',
            Some(piece) if self.symbols => symbol(piece),
            Some(piece) => piece.to_char(),
        }
    }
}

fn symbol(piece: Piece) -> char {
    let symbols = match piece.color() {
        Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
        Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
    };
    symbols[piece.piece_type().index()]
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LINE: &str = " +---+---+---+---+---+---+---+---+";
        let (mut files, mut ranks) = (File::ALL, Rank::ALL);
        if self.flipped {
            files.reverse();
        } else {
            ranks.reverse();
        }
        writeln!(f, "{LINE}")?;
        for rank in ranks {
            for file in files {
                write!(f, " | {}", self.sign(Square::new(file, rank)))?;
            }
            writeln!(f, " | {rank}\n{LINE}")?;
        }
        files.into_iter().try_for_each(|file| write!(f, "   {file}"))?;
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_from_both_sides() {
        let board: Board = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
        let text = Diagram::new(&board).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 18);
        assert_eq!(lines[1], " |   |   |   |   | k |   |   |   | 8");
        assert_eq!(lines[15], " | R |   |   |   | K |   |   |   | 1");
        assert_eq!(lines[17], "   a   b   c   d   e   f   g   h");
        let text = Diagram { board: &board, flipped: true, symbols: true }.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], " |   |   |   | ♔ |   |   |   | ♖ | 1");
        assert_eq!(lines[15], " |   |   |   | ♚ |   |   |   |   | 8");
        assert_eq!(lines[17], "   h   g   f   e   d   c   b   a");
    }
}
