//! Mirrored boards.

use super::{Board, BoardBuilder};
use crate::{CastlingRights, CastlingSide, Color, Piece, Square};

impl Board {
    /// Returns the board with the colours exchanged: the ranks are reversed, and each piece, the castling rights, the en-passant
    /// square and the side to move change sides. Evaluations that treat both sides alike give the same value for both.
    ///
    /// ```
    /// use tabiya_core::Board;
    ///
    /// let board: Board = "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1".parse()?;
    /// assert_eq!(board.mirror().to_string(), "4k2r/8/8/8/3Pp3/8/8/4K3 b k d3 0 1");
    /// assert_eq!(board.mirror().mirror(), board);
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    #[must_use]
    pub fn mirror(&self) -> Board {
        self.to_builder().mirror().assemble()
    }

    /// Returns the board with its files reversed, a to h and h to a. Castling rights are dropped, because castling is not
    /// symmetrical; without any, the moves are reversed, too.
    ///
    /// ```
    /// use tabiya_core::Board;
    ///
    /// let board: Board = "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1".parse()?;
    /// assert_eq!(board.flip_files().to_string(), "3k4/8/8/3Pp3/8/8/8/R2K4 w - e6 0 1");
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    #[must_use]
    pub fn flip_files(&self) -> Board {
        let builder = BoardBuilder { castling: CastlingRights::NONE, ..self.to_builder() };
        builder.move_squares(|square| Square::wrapping(square as u8 ^ 7)).assemble()
    }
}

impl BoardBuilder {
    /// Exchanges the colours, as [`Board::mirror`] does.
    #[must_use]
    pub fn mirror(&self) -> BoardBuilder {
        let mut mirrored = self.move_squares(|square| Square::wrapping(square as u8 ^ 56));
        for piece in mirrored.pieces.iter_mut().flatten() {
            *piece = Piece::new(!piece.color(), piece.piece_type());
        }
        mirrored.side_to_move = !self.side_to_move;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                mirrored.castling.set(!color, side, self.castling.rook_file(color, side));
            }
        }
        mirrored
    }

    /// Moves the pieces and the en-passant square to other squares.
    fn move_squares(&self, map: impl Fn(Square) -> Square) -> BoardBuilder {
        let mut moved = self.clone();
        for square in Square::ALL {
            moved.pieces[map(square).index()] = self.pieces[square.index()];
        }
        moved.en_passant = self.en_passant.map(map);
        moved
    }
}
