//! Text diagrams of a board.

use crate::style;
use std::fmt;
use tabiya_core::{Bitboard, Board, Color, File, Move, Piece, Rank, Square};

/// The appearance of a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DiagramStyle {
    /// Chess symbols instead of letters.
    pub symbols: bool,
    /// Pieces in the colour of their side, for a terminal.
    pub colors: bool,
}

/// A diagram of a board. Letters of white pieces are in upper case.
pub struct Diagram<'a> {
    /// The board to draw.
    pub board: &'a Board,
    /// Black's side at the bottom.
    pub flipped: bool,
    /// Squares to highlight: in reverse video, or in parentheses without colours.
    pub marked: Bitboard,
    /// The appearance.
    pub style: DiagramStyle,
}

impl<'a> Diagram<'a> {
    /// A diagram with letters, White's side at the bottom.
    pub fn new(board: &'a Board) -> Diagram<'a> {
        Diagram { board, flipped: false, marked: Bitboard::EMPTY, style: DiagramStyle::default() }
    }

    /// Three columns.
    fn cell(&self, square: Square) -> String {
        let piece = self.board.piece_on(square);
        let text =
            piece.map_or(' ', |piece| if self.style.symbols { piece.symbol() } else { piece.to_char() });
        let is_marked = self.marked.contains(square);
        match (self.style.colors, is_marked, piece.map(Piece::color)) {
            (false, false, _) | (true, false, None) => format!(" {text} "),
            (false, true, _) => format!("({text})"),
            (true, false, Some(Color::White)) => format!(" {} ", style::bold_yellow(text)),
            (true, false, Some(Color::Black)) => format!(" {} ", style::bold_cyan(text)),
            (true, true, None) => style::reversed("   "),
            (true, true, Some(Color::White)) => style::reversed_yellow(format_args!(" {text} ")),
            (true, true, Some(Color::Black)) => style::reversed_cyan(format_args!(" {text} ")),
        }
    }
}

/// The squares on which a move begins and ends, of the king if it castles.
pub(crate) fn squares_of(mv: Move) -> Bitboard {
    mv.from().bitboard() | mv.destination().bitboard()
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
            let cells = files.map(|file| self.cell(Square::new(file, rank)));
            writeln!(f, " |{}| {rank}\n{LINE}", cells.join("|"))?;
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
        let text = Diagram { flipped: true, style, ..Diagram::new(&board) }.to_string();
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

    #[test]
    fn marks_the_squares_of_a_move() {
        let position: tabiya_movegen::Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
        let castling = position.parse_san("O-O-O").unwrap();
        let next = position.play(castling).unwrap();
        let diagram = Diagram { marked: squares_of(castling), ..Diagram::new(next.board()) };
        assert_eq!(diagram.to_string().lines().nth(15), Some(" |   |   |(K)| R |( )|   |   |   | 1"));
        let colored = Diagram { style: DiagramStyle { symbols: false, colors: true }, ..diagram };
        let text = colored.to_string();
        assert!(text.contains("\u{1b}[1;7;33m K \u{1b}[0m") && text.contains("\u{1b}[7m   "), "{text:?}");
        assert_eq!(console::strip_ansi_codes(&text), Diagram::new(next.board()).to_string());
    }
}
