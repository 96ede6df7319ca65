//! Text diagrams of a board.

use crate::style;
use std::fmt;
use tabiya_core::{Board, Color, File, Piece, Rank, Square};

/// The appearance of a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct DiagramStyle {
    /// Chess symbols instead of letters.
    pub(crate) symbols: bool,
    /// Pieces in the colour of their side, for a terminal.
    pub(crate) colors: bool,
}

/// A diagram of a board. Letters of white pieces are in upper case.
pub(crate) struct Diagram<'a> {
    pub(crate) board: &'a Board,
    /// Black's side at the bottom.
    pub(crate) flipped: bool,
    pub(crate) style: DiagramStyle,
}

impl<'a> Diagram<'a> {
    /// A diagram with letters, White's side at the bottom.
    pub(crate) fn new(board: &'a Board) -> Diagram<'a> {
        Diagram { board, flipped: false, style: DiagramStyle::default() }
    }

    fn piece(&self, square: Square) -> String {
        let Some(piece) = self.board.piece_on(square) else { return " ".to_owned() };
        let text = if self.style.symbols { symbol(piece) } else { piece.to_char() };
        match (self.style.colors, piece.color()) {
            (false, _) => text.to_string(),
            (true, Color::White) => style::bold_yellow(text),
            (true, Color::Black) => style::bold_cyan(text),
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
                write!(f, " | {}", self.piece(Square::new(file, rank)))?;
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
    fn draws_the_board_from_both_sides() {
        let board: Board = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
        let text = Diagram::new(&board).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 18);
        assert_eq!(lines[1], " |   |   |   |   | k |   |   |   | 8");
        assert_eq!(lines[15], " | R |   |   |   | K |   |   |   | 1");
        assert_eq!(lines[17], "   a   b   c   d   e   f   g   h");
        let style = DiagramStyle { symbols: true, colors: false };
        let text = Diagram { board: &board, flipped: true, style }.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], " |   |   |   | ♔ |   |   |   | ♖ | 1");
        assert_eq!(lines[15], " |   |   |   | ♚ |   |   |   |   | 8");
        assert_eq!(lines[17], "   h   g   f   e   d   c   b   a");
    }

    #[test]
    fn colours_only_the_pieces() {
        let board = Board::startpos();
        let style = DiagramStyle { symbols: false, colors: true };
        let text = Diagram { style, ..Diagram::new(&board) }.to_string();
        assert_eq!(text.matches("\u{1b}[1;33m").count(), 16);
        assert_eq!(text.matches("\u{1b}[1;36m").count(), 16);
        assert_eq!(console::strip_ansi_codes(&text), Diagram::new(&board).to_string());
    }
}
