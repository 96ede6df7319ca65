//! Mirrored boards.

use super::Board;
use crate::{CastlingRights, Piece, Square};

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
        let mut mirrored = self.to_builder();
        mirrored.pieces = Square::ALL.map(|square| {
            let piece = self.piece_on(square.flip_rank())?;
            Some(Piece::new(!piece.color(), piece.piece_type()))
        });
        mirrored.side_to_move = !self.side_to_move();
        mirrored.castling = CastlingRights::NONE;
        for (color, side, file) in self.castling().iter() {
            mirrored.castling.set(!color, side, Some(file));
        }
        mirrored.en_passant = self.en_passant().map(Square::flip_rank);
        mirrored.assemble()
    }
}
