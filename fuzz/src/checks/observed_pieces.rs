//! A board observer for tests.

use tabiya_core::{Board, BoardObserver, Piece, Square};

/// The pieces on a board, kept up to date by the board's notifications alone. Asserts that each notification is possible.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct ObservedPieces([Option<Piece>; Square::COUNT]);

impl ObservedPieces {
    /// The pieces on a board.
    pub(super) fn of(board: &Board) -> ObservedPieces {
        ObservedPieces(Square::ALL.map(|square| board.piece_on(square)))
    }
}

impl BoardObserver for ObservedPieces {
    fn put(&mut self, piece: Piece, square: Square) {
        let replaced = self.0[square.index()].replace(piece);
        assert_eq!(replaced, None, "{piece} is put on the occupied square {square}");
    }

    fn remove(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].take(), Some(piece), "{piece} is removed from {square}");
    }
}
