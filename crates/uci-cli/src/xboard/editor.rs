//! The `edit` command, which puts pieces on the board one by one. XBoard sends it to set up a position if the engine
//! does not accept `setboard`; it is also easy to type.

use tabiya_core::{BoardBuilder, BoardError, Color, Piece, PieceType, Square};
use tabiya_movegen::Position;

/// A position that is being edited.
pub(super) struct Editor {
    board: BoardBuilder,
    /// The colour of the pieces that are put on the board.
    color: Color,
}

/// A line in edit mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Edit {
    /// Remove all pieces (`#`).
    ClearBoard,
    /// Change the colour (`c`).
    ChangeColor,
    /// Put a piece on a square (`Pa4`), or clear the square (`xa4`).
    Set(Square, Option<PieceType>),
}

impl Editor {
    /// Starts with the pieces of `position`. White's pieces are edited first; the side to move does not change.
    pub(super) fn new(position: &Position) -> Editor {
        Editor { board: position.board().to_builder(), color: Color::White }
    }

    /// Applies a line. Returns false if it is not a valid edit.
    pub(super) fn apply(&mut self, line: &str) -> bool {
        match parse(line) {
            Some(Edit::ClearBoard) => self.board.pieces = [None; Square::COUNT],
            Some(Edit::ChangeColor) => self.color = !self.color,
            Some(Edit::Set(square, piece_type)) => {
                self.board.set(square, piece_type.map(|piece_type| Piece::new(self.color, piece_type)));
            }
            None => return false,
        }
        true
    }

    /// Ends the editing (`.`). As the protocol says, castling is allowed if king and rook are on their initial
    /// squares, and en passant is not.
    ///
    /// # Errors
    /// If the position is not legal.
    pub(super) fn finish(mut self) -> Result<Position, BoardError> {
        self.board.castling = self.board.standard_castling();
        self.board.en_passant = None;
        self.board.halfmove_clock = 0;
        self.board.build()?.try_into()
    }
}

fn parse(line: &str) -> Option<Edit> {
    match line {
        "#" => return Some(Edit::ClearBoard),
        "c" => return Some(Edit::ChangeColor),
        _ => {}
    }
    let mut chars = line.chars();
    let piece_type = match chars.next()?.to_ascii_lowercase() {
        'x' => None,
        letter => Some(PieceType::from_char(letter)?),
    };
    Some(Edit::Set(chars.as_str().parse().ok()?, piece_type))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(lines: &[&str]) -> Result<String, BoardError> {
        let mut editor = Editor::new(&Position::startpos());
        lines.iter().for_each(|line| assert!(editor.apply(line), "{line}"));
        editor.finish().map(|position| position.to_string())
    }

    #[test]
    fn puts_and_removes_pieces() {
        assert_eq!(
            edit(&["xe2", "Pe4", "c", "xh8", "xa7"]).unwrap(),
            "rnbqkbn1/1ppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQq - 0 1"
        );
        let endgame = edit(&["#", "Ke1", "ra1", "c", "Ke8", "Qd5"]).unwrap();
        assert_eq!(endgame, "4k3/8/8/3q4/8/8/8/R3K3 w Q - 0 1");
    }

    #[test]
    fn rejects_bad_lines_and_positions() {
        let mut editor = Editor::new(&Position::startpos());
        for line in ["", "e4", "Pe9", "Zd4", "P", "cc", "P e4"] {
            assert!(!editor.apply(line), "{line}");
        }
        assert!(edit(&["#", "Ke1"]).is_err());
    }
}
