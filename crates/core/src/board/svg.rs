//! [`SvgDiagram`]: a board as a picture (feature `svg`).

use super::diagram::rows;
use crate::{Bitboard, Board, Color, Move, Square};
use alloc::vec::Vec;
use core::fmt;

/// The drawings of the pieces: SVG symbols named `piece-p` to `piece-k`, 45 units wide and high, for use within a `defs` element.
/// The strokes of class `detail` and the dots of class `dot` need a colour that contrasts with the piece.
pub const PIECE_SYMBOLS: &str = include_str!("pieces.svg");

/// A board as an SVG picture, for web pages, documents and books; created by [`Board::svg`].
///
/// The picture needs no font and no other file. Its elements have classes (`square`, `light`, `dark`, `marked`, `check`, `white`,
/// `black`, `arrow`), so that a style sheet can change the colours.
#[derive(Clone, Debug)]
pub struct SvgDiagram<'a> {
    board: &'a Board,
    bottom: Color,
    size: u32,
    coordinates: bool,
    marked: Bitboard,
    check: Option<Square>,
    arrows: Vec<(Square, Square)>,
}

/// Width of a square, and of a piece's drawing, in units of the picture.
const SQUARE: u32 = 45;

/// Width of the margin with the coordinates, in units of the picture.
const MARGIN: u32 = 18;

impl Board {
    /// Returns the board as an SVG picture of 360 pixels, with White's side at the bottom and coordinates.
    ///
    /// ```
    /// use tabiya_core::{Board, Color, Square};
    ///
    /// let board = Board::startpos();
    /// let svg = board.svg().with_size(200).with_bottom(Color::Black).with_arrow(Square::E2, Square::E4);
    /// let text = svg.to_string();
    /// assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    /// assert_eq!(text.matches("<use ").count(), 32);
    /// ```
    pub const fn svg(&self) -> SvgDiagram<'_> {
        SvgDiagram {
            board: self,
            bottom: Color::White,
            size: 360,
            coordinates: true,
            marked: Bitboard::EMPTY,
            check: None,
            arrows: Vec::new(),
        }
    }
}

impl SvgDiagram<'_> {
    /// Draws this colour's side at the bottom.
    #[must_use]
    pub fn with_bottom(self, bottom: Color) -> Self {
        SvgDiagram { bottom, ..self }
    }

    /// Sets width and height, in pixels.
    #[must_use]
    pub fn with_size(self, size: u32) -> Self {
        SvgDiagram { size, ..self }
    }

    /// Leaves out the coordinates.
    #[must_use]
    pub fn without_coordinates(self) -> Self {
        SvgDiagram { coordinates: false, ..self }
    }

    /// Marks these squares, in addition to those marked before.
    #[must_use]
    pub fn with_marked(self, squares: Bitboard) -> Self {
        SvgDiagram { marked: self.marked | squares, ..self }
    }

    /// Marks the squares on which a move begins and ends, of the king if it castles.
    #[must_use]
    pub fn with_last_move(self, mv: Move) -> Self {
        self.with_marked(mv.from().bitboard() | mv.destination().bitboard())
    }

    /// Marks the square of a king in check.
    #[must_use]
    pub fn with_check(self, king: Square) -> Self {
        SvgDiagram { check: Some(king), ..self }
    }

    /// Draws an arrow.
    #[must_use]
    pub fn with_arrow(mut self, from: Square, to: Square) -> Self {
        self.arrows.push((from, to));
        self
    }

    /// The centre of a square, in units of the picture without margin.
    fn center(&self, square: Square) -> (u32, u32) {
        let flip = if self.bottom == Color::White { 56 } else { 7 };
        let index = u32::from(square as u8 ^ flip);
        (index % 8 * SQUARE + SQUARE / 2, index / 8 * SQUARE + SQUARE / 2)
    }

    fn write_squares(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, squares) in (0u32..).zip(rows(self.bottom)) {
            for (column, square) in (0u32..).zip(squares) {
                let is_marked = self.marked.contains(square);
                let (shade, fill) = match (Bitboard::LIGHT.contains(square), is_marked) {
                    (true, false) => ("light", "#f0d9b5"),
                    (true, true) => ("light marked", "#cdd26a"),
                    (false, false) => ("dark", "#b58863"),
                    (false, true) => ("dark marked", "#aaa23a"),
                };
                let (class, fill) =
                    if self.check == Some(square) { ("check", "#e05a4e") } else { (shade, fill) };
                writeln!(
                    f,
                    "<rect class=\"square {class}\" x=\"{}\" y=\"{}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>",
                    column * SQUARE,
                    row * SQUARE,
                )?;
                if let Some(piece) = self.board.piece_on(square) {
                    let fill = if piece.color() == Color::White { "#fff" } else { "#222" };
                    let contrast = if piece.color() == Color::White { "#222" } else { "#fff" };
                    writeln!(
                        f,
                        "<use class=\"{}\" href=\"#piece-{}\" x=\"{}\" y=\"{}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\" color=\"{contrast}\"/>",
                        piece.color(),
                        piece.piece_type().to_char(),
                        column * SQUARE,
                        row * SQUARE,
                    )?;
                }
            }
        }
        Ok(())
    }

    fn write_coordinates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, squares) in (0u32..).zip(rows(self.bottom)) {
            let y = row * SQUARE + SQUARE / 2 + 5;
            writeln!(f, "<text x=\"-9\" y=\"{y}\">{}</text>", squares[0].rank())?;
            let x = row * SQUARE + SQUARE / 2;
            // On the diagonal, because each row also labels the file of the same index.
            let file = squares[row as usize].file();
            writeln!(f, "<text x=\"{x}\" y=\"{}\">{file}</text>", 8 * SQUARE + 14)?;
        }
        Ok(())
    }
}

/// Writes the picture: an `svg` element.
impl fmt::Display for SvgDiagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = 8 * SQUARE;
        let margin = if self.coordinates { MARGIN } else { 0 };
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{0}\" viewBox=\"-{margin} 0 {1} {1}\">",
            self.size,
            side + margin,
        )?;
        writeln!(
            f,
            "<style>use{{stroke:#222;stroke-width:1.5;stroke-linejoin:round}} .detail{{fill:none;stroke:currentColor}} .dot{{fill:currentColor}}</style>"
        )?;
        writeln!(
            f,
            "<defs>\n{PIECE_SYMBOLS}<marker id=\"head\" viewBox=\"0 0 4 4\" refX=\"2.5\" refY=\"2\" markerWidth=\"4\" markerHeight=\"4\" orient=\"auto\"><path d=\"M0 0L4 2L0 4z\" fill=\"#15781b\"/></marker>\n</defs>"
        )?;
        self.write_squares(f)?;
        if self.coordinates {
            writeln!(
                f,
                "<g class=\"coordinates\" font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\" fill=\"#666\">"
            )?;
            self.write_coordinates(f)?;
            writeln!(f, "</g>")?;
        }
        for &(from, to) in &self.arrows {
            let ((x1, y1), (x2, y2)) = (self.center(from), self.center(to));
            writeln!(
                f,
                "<line class=\"arrow\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#15781b\" stroke-width=\"7\" stroke-opacity=\"0.8\" marker-end=\"url(#head)\"/>"
            )?;
        }
        writeln!(f, "</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PieceType;
    use alloc::string::ToString;

    #[test]
    fn every_piece_has_a_drawing() {
        for piece in PieceType::ALL {
            assert!(PIECE_SYMBOLS.contains(&alloc::format!("id=\"piece-{}\"", piece.to_char())), "{piece}");
        }
    }

    #[test]
    fn pictures_show_marks_checks_and_arrows() {
        let board: Board = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
        let castling = Move::new(Square::E1, Square::A1, crate::MoveKind::Castle(crate::CastlingSide::Queen));
        let picture =
            board.svg().with_last_move(castling).with_check(Square::E8).with_arrow(Square::A1, Square::A8);
        let text = picture.to_string();
        assert_eq!((text.matches("<use ").count(), text.matches("<rect class=\"square").count()), (3, 64));
        assert_eq!((text.matches("marked").count(), text.matches("square check").count()), (2, 1));
        assert!(text.contains("x1=\"22\" y1=\"337\" x2=\"22\" y2=\"22\""), "{text}");
        let labels = |text: &str| -> String {
            text.split("<text ").skip(1).filter_map(|label| label.split(['>', '<']).nth(1)).collect()
        };
        assert_eq!(labels(&text), "8a7b6c5d4e3f2g1h");
        assert_eq!(labels(&picture.clone().with_bottom(Color::Black).to_string()), "1h2g3f4e5d6c7b8a");
        let bare = picture.without_coordinates().with_bottom(Color::Black).to_string();
        assert!(bare.contains("viewBox=\"-0 0 360 360\"") && !bare.contains("<text"), "{bare}");
        assert!(bare.contains("x1=\"337\" y1=\"22\" x2=\"337\" y2=\"337\""), "{bare}");
    }
}
