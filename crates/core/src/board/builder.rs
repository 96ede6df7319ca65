//! [`BoardBuilder`]: the unchecked form of a board.

use super::state::{State, Turn};
use super::{Bitboards, Board, BoardError, Keys, Mailbox, validate};
use crate::{Bitboard, CastlingRights, Color, File, Piece, PieceType, Rank, Square, zobrist};
use alloc::vec::Vec;

/// The contents of a [`Board`], which may be set to anything and are checked by [`BoardBuilder::build`].
///
/// ```
/// use tabiya_core::{BoardBuilder, BoardError, Color, Piece, Square};
///
/// let mut builder = BoardBuilder::empty();
/// builder.set(Square::E1, Some(Piece::WhiteKing));
/// assert_eq!(builder.build(), Err(BoardError::NoKing(Color::Black)));
/// builder.set(Square::E8, Some(Piece::BlackKing));
/// assert_eq!(builder.build()?.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
/// # Ok::<(), BoardError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BoardBuilder {
    /// The piece on each square, by [`Square::index`].
    pub pieces: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side_to_move: Color,
    /// The castling rights.
    pub castling: CastlingRights,
    /// The square passed over by a pawn that has just advanced two squares. [`BoardBuilder::build`] drops
    /// it if no enemy pawn attacks it.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The full-move number, starting at 1; 0 counts as 1.
    pub fullmove_number: u16,
}

impl BoardBuilder {
    /// Returns an empty board with White to move, no castling rights, and counters 0 and 1.
    pub const fn empty() -> BoardBuilder {
        BoardBuilder {
            pieces: [None; Square::COUNT],
            side_to_move: Color::White,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Puts a piece on a square, or clears the square.
    pub const fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.pieces[square.index()] = piece;
    }

    /// Returns the castling rights for which king and rook are on their initial squares of chess.
    pub fn standard_castling(&self) -> CastlingRights {
        let mut rights = CastlingRights::NONE;
        for (color, side, file) in CastlingRights::STANDARD.iter() {
            let is_on = |piece_type, file| {
                let square = Square::new(file, Rank::First.relative_to(color));
                self.pieces[square.index()] == Some(Piece::new(color, piece_type))
            };
            if is_on(PieceType::King, File::E) && is_on(PieceType::Rook, file) {
                rights.set(color, side, Some(file));
            }
        }
        rights
    }

    /// Drops the castling rights of kings off e1 and e8 and of rooks off the corners, which exist in Chess960 only.
    ///
    /// ```
    /// use tabiya_core::Board;
    ///
    /// let board: Board = "1r2k2r/8/8/8/8/8/8/4K3 b kq - 0 1".parse()?;
    /// let mut builder = board.to_builder();
    /// builder.drop_chess960_castling();
    /// assert_eq!(builder.build().unwrap().to_string(), "1r2k2r/8/8/8/8/8/8/4K3 b k - 0 1");
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    pub fn drop_chess960_castling(&mut self) {
        let standard = self.standard_castling();
        for (color, side, file) in self.castling.iter() {
            if standard.rook_file(color, side) != Some(file) {
                self.castling.set(color, side, None);
            }
        }
    }

    /// Validates the position and returns it as a [`Board`].
    ///
    /// # Errors
    /// If a condition of [`BoardError`] is violated: the first that is found.
    pub fn build(&self) -> Result<Board, BoardError> {
        self.build_valid(false)
    }

    /// Validates the position like [`build`](BoardBuilder::build), but a side may have more than sixteen pieces and more than
    /// eight pawns, as long as there are at most 32 pieces on the board: for compositions and teaching.
    ///
    /// A game cannot reach such a position, and what reads positions from text refuses it, except for
    /// [`Board::from_fen_with_extra_pieces`]. It may have more than 256 legal moves, with which a
    /// [`MoveList`](crate::MoveList) panics.
    ///
    /// ```
    /// use tabiya_core::{Board, BoardError, Color};
    ///
    /// let horde = "4k3/8/8/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1";
    /// assert!(Board::from_fen(horde).is_err());
    /// let board = Board::from_fen_with_extra_pieces(horde)?;
    /// assert_eq!(board.to_builder().build(), Err(BoardError::TooManyPieces(Color::White)));
    /// assert_eq!(board.to_builder().build_with_extra_pieces(), Ok(board));
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    ///
    /// # Errors
    /// If a condition of [`BoardError`] is violated: the first that is found.
    pub fn build_with_extra_pieces(&self) -> Result<Board, BoardError> {
        self.build_valid(true)
    }

    /// Builds a board, whose sides may have extra pieces or not.
    pub(crate) fn build_valid(&self, has_extra_pieces: bool) -> Result<Board, BoardError> {
        let board = self.assemble();
        validate::validate(&board, self.castling, self.en_passant, has_extra_pieces, Err)?;
        Ok(board)
    }

    /// Returns every condition of [`BoardError`] that is violated; empty if [`build`](BoardBuilder::build) succeeds.
    pub fn errors(&self) -> Vec<BoardError> {
        let mut errors = Vec::new();
        let push = |error| {
            errors.push(error);
            Ok(())
        };
        // `push` goes on after each error.
        validate::validate(&self.assemble(), self.castling, self.en_passant, false, push).ok();
        errors
    }

    /// Computes the bitboards and keys without validation.
    pub(super) fn assemble(&self) -> Board {
        let mut board = Board {
            by_square: Mailbox::new(&self.pieces),
            bitboards: Bitboards::EMPTY,
            keys: Keys { all: 0, pawns: 0 },
            state: State {
                castling: Bitboard::EMPTY,
                turn: Turn::new(self.side_to_move, self.halfmove_clock, self.fullmove_number.max(1)),
            },
        };
        board.gather_bitboards();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                let key = zobrist::piece(piece, square);
                board.keys.all ^= key;
                board.keys.pawns ^= if piece.piece_type() == PieceType::Pawn { key } else { 0 };
            }
        }
        let en_passant = self.en_passant.filter(|&square| board.is_attacked_by_pawn(square));
        board.state.turn = board.state.turn.with_en_passant(en_passant);
        board.state.castling = board.castling_squares(self.castling);
        board.keys.all ^= board.flags_key();
        board
    }
}

impl Default for BoardBuilder {
    fn default() -> BoardBuilder {
        BoardBuilder::empty()
    }
}
