//! [`TextDiagram`]: a board as text.

use crate::{Board, Color, Square};
use core::fmt;

/// A board as eight lines of text, for logs, tests and terminals; created by [`Board::diagram`].
#[derive(Clone, Copy, Debug)]
pub struct TextDiagram<'a> {
    board: &'a Board,
    bottom: Color,
    symbols: bool,
}

impl Board {
    /// Returns the board as text: letters as in a FEN, dots for empty squares, White's side at the bottom.
    ///
    /// ```
    /// use tabiya_core::{Board, Color};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/PP6/R3K3 w Q - 0 1".parse()?;
    /// let text = board.diagram().to_string();
    /// assert_eq!(text.lines().last(), Some("R . . . K . . ."));
    ///
    /// let symbols = board.diagram().with_symbols().with_bottom(Color::Black).to_string();
    /// assert_eq!(symbols.lines().last(), Some(". . . ♚ . . . ."));
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    pub const fn diagram(&self) -> TextDiagram<'_> {
        TextDiagram { board: self, bottom: Color::White, symbols: false }
    }
}

impl TextDiagram<'_> {
    /// Draws this colour's side at the bottom.
    #[must_use]
    pub const fn with_bottom(self, bottom: Color) -> Self {
        TextDiagram { bottom, ..self }
    }

    /// Draws pieces as chess symbols (♔) instead of letters.
    #[must_use]
    pub const fn with_symbols(self) -> Self {
        TextDiagram { symbols: true, ..self }
    }
}

/// The squares of a diagram, by line and column, with this colour's side at the bottom.
pub(crate) fn rows(bottom: Color) -> impl Iterator<Item = [Square; 8]> {
    let flip = if bottom == Color::White { 56 } else { 7 };
    (0..8).map(move |row| core::array::from_fn(|column| Square::wrapping((row * 8 + column as u8) ^ flip)))
}

impl fmt::Display for TextDiagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for row in rows(self.bottom) {
            for square in row {
                f.write_char(match self.board.piece_on(square) {
                    None => '.',
                    Some(piece) if self.symbols => piece.symbol(),
                    Some(piece) => piece.to_char(),
                })?;
                f.write_char(if square == row[7] { '\n' } else { ' ' })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{File, Piece, Rank};
    use alloc::string::ToString;
    use alloc::vec::Vec;

    #[test]
    fn diagrams_show_both_sides() {
        let text = Board::startpos().diagram().to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 8);
        assert_eq!((lines[0], lines[1], lines[4]), ("r n b q k b n r", "p p p p p p p p", ". . . . . . . ."));
        assert_eq!(lines[7], "R N B Q K B N R");
        let flipped = Board::startpos().diagram().with_bottom(Color::Black).with_symbols().to_string();
        assert_eq!(flipped.lines().next(), Some("♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖"));
        assert_eq!(flipped.lines().last(), Some("♜ ♞ ♝ ♚ ♛ ♝ ♞ ♜"));
        assert_eq!(
            rows(Color::Black).next(),
            Some(core::array::from_fn(|n| Square::new(File::ALL[7 - n], Rank::First)))
        );
        assert_eq!(Piece::WhiteQueen.symbol(), '♕');
    }
}
