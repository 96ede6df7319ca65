//! [`PackedBoard`]: a position in 24 bytes.

use crate::{Bitboard, Board, BoardBuilder, BoardError, CastlingSide, Color, Piece, PieceType, Rank, Square};
use core::fmt;

/// A position in 24 bytes, without the two counters: for keys of maps, sorting and files.
///
/// Positions that are the same under the repetition rule have the same bytes, and different positions have different bytes,
/// so unlike a [`key`](Board::key) a packed board needs no second look. As with keys, the en-passant square counts: pack the
/// board of a `Position` of `tabiya-movegen`, which has one only if the capture is legal.
///
/// # Layout
///
/// | Bytes | Content |
/// | --- | --- |
/// | 0 to 7 | the occupied squares, little-endian; bit 0 is a1, bit 7 is h1, bit 63 is h8 |
/// | 8 to 23 | a half-byte for each of these squares in ascending order, low half first; the rest is 0 |
///
/// | Half-byte | Meaning |
/// | --- | --- |
/// | 0 to 11 | a piece, by [`Piece::index`]: 0 is a white pawn, 1 a black pawn, 2 a white knight … 11 a black king |
/// | 12, 13 | a rook with castling rights, White's or Black's |
/// | 14 | a pawn of the side not to move that can be captured en passant |
/// | 15 | the black king if Black is to move |
///
/// The order of packed boards is that of their bytes. The layout does not change between versions.
///
/// ```
/// use tabiya_core::{Board, PackedBoard};
///
/// let board = Board::from_fen("4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 20")?;
/// let packed = board.pack();
/// assert_eq!(packed.to_bytes().len(), 24);
/// assert_eq!(PackedBoard::from_bytes(packed.to_bytes()).unpack()?.epd(), board.epd());
///
/// // With the counters, which the caller keeps.
/// let mut builder = packed.to_builder()?;
/// builder.fullmove_number = 20;
/// assert_eq!(builder.build()?, board);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PackedBoard([u8; PackedBoard::SIZE]);

/// Half-byte of White's rook with castling rights. Black's is one more.
const CASTLING_ROOK: u8 = 12;
/// Half-byte of a pawn that can be captured en passant.
const EN_PASSANT_PAWN: u8 = 14;
/// Half-byte of the black king if Black is to move.
const BLACK_TO_MOVE: u8 = 15;

/// The maximum number of pieces in a packed board, and on a [`Board`].
const MAX_PIECES: usize = 32;

/// The reason why bytes are not a [`PackedBoard`] of a legal position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UnpackError {
    /// There are more than 32 pieces; the value is their number.
    TooManyPieces(u32),
    /// Bits after the last piece are not 0.
    TrailingBits,
    /// The rook on this square has a castling right, but it is not on its first rank, there is no king, or another rook has
    /// the right.
    InvalidCastlingRook(Square),
    /// The pawn on this square can be captured en passant, but it is not on the fourth rank of the side not to move, or
    /// there is another such pawn.
    InvalidEnPassantPawn(Square),
    /// The position is illegal.
    Board(BoardError),
}

impl fmt::Display for UnpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid packed board: ")?;
        match self {
            UnpackError::TooManyPieces(count) => write!(f, "{count} pieces (expected at most {MAX_PIECES})"),
            UnpackError::TrailingBits => f.write_str("the bits after the last piece are not 0"),
            UnpackError::InvalidCastlingRook(square) => {
                write!(f, "the rook on {square} cannot have a castling right")
            }
            UnpackError::InvalidEnPassantPawn(square) => {
                write!(f, "the pawn on {square} cannot be captured en passant")
            }
            UnpackError::Board(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for UnpackError {}

impl From<BoardError> for UnpackError {
    fn from(error: BoardError) -> UnpackError {
        UnpackError::Board(error)
    }
}

impl Board {
    /// Returns the position in 24 bytes, without the counters.
    pub fn pack(&self) -> PackedBoard {
        let mut codes = [0; MAX_PIECES];
        let castling = self.castling_rooks(Color::White) | self.castling_rooks(Color::Black);
        let en_passant = self.en_passant().map_or(Bitboard::EMPTY, |square| pushed_pawn(square).bitboard());
        let is_black_to_move = self.side_to_move() == Color::Black;
        for (code, square) in codes.iter_mut().zip(self.occupied()) {
            *code = match self.piece_on(square) {
                Some(Piece::BlackKing) if is_black_to_move => BLACK_TO_MOVE,
                Some(piece) if castling.contains(square) => CASTLING_ROOK + piece.color().index() as u8,
                Some(_) if en_passant.contains(square) => EN_PASSANT_PAWN,
                piece => piece.map_or(0, |piece| piece.index() as u8),
            };
        }
        let mut bytes = [0; PackedBoard::SIZE];
        let (occupied, pieces) = bytes.split_at_mut(8);
        occupied.copy_from_slice(&self.occupied().0.to_le_bytes());
        for (byte, pair) in pieces.iter_mut().zip(codes.chunks_exact(2)) {
            *byte = pair[0] | pair[1] << 4;
        }
        PackedBoard(bytes)
    }
}

impl PackedBoard {
    /// The size in bytes.
    pub const SIZE: usize = 24;

    /// Takes the bytes of [`to_bytes`](PackedBoard::to_bytes). They are checked when they are unpacked.
    pub const fn from_bytes(bytes: [u8; PackedBoard::SIZE]) -> PackedBoard {
        PackedBoard(bytes)
    }

    /// Returns the bytes.
    pub const fn to_bytes(self) -> [u8; PackedBoard::SIZE] {
        self.0
    }

    /// Returns the position with the counters 0 and 1.
    ///
    /// # Errors
    /// If the bytes are not those of a legal position. That of a side with more than sixteen pieces is legal only for
    /// [`BoardBuilder::build_with_extra_pieces`].
    pub fn unpack(self) -> Result<Board, UnpackError> {
        Ok(self.to_builder()?.build()?)
    }

    /// Returns the position with the counters 0 and 1, not validated yet.
    ///
    /// # Errors
    /// If the bytes do not have the layout of a packed board.
    pub fn to_builder(self) -> Result<BoardBuilder, UnpackError> {
        let (occupied, pieces) = self.0.split_at(8);
        let occupied = occupied.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        let count = occupied.count_ones();
        if count as usize > MAX_PIECES {
            return Err(UnpackError::TooManyPieces(count));
        }
        let mut builder = BoardBuilder::empty();
        let (mut castling, mut en_passant, mut kings) = (Bitboard::EMPTY, None, [None; 2]);
        let mut codes = pieces.iter().flat_map(|&byte| [byte & 15, byte >> 4]);
        for (square, code) in Bitboard(occupied).into_iter().zip(&mut codes) {
            let piece = match code {
                BLACK_TO_MOVE => {
                    builder.side_to_move = Color::Black;
                    Piece::BlackKing
                }
                EN_PASSANT_PAWN => {
                    if en_passant.replace(square).is_some() {
                        return Err(UnpackError::InvalidEnPassantPawn(square));
                    }
                    // The side to move may not be known yet.
                    if square.rank() == Rank::Fourth { Piece::WhitePawn } else { Piece::BlackPawn }
                }
                CASTLING_ROOK.. => {
                    castling |= square.bitboard();
                    if code == CASTLING_ROOK { Piece::WhiteRook } else { Piece::BlackRook }
                }
                _ => Piece::ALL[usize::from(code)],
            };
            if piece.piece_type() == PieceType::King {
                kings[piece.color().index()] = Some(square);
            }
            builder.set(square, Some(piece));
        }
        if codes.any(|code| code != 0) {
            return Err(UnpackError::TrailingBits);
        }
        for rook in castling {
            let color = if builder.pieces[rook.index()] == Some(Piece::WhiteRook) {
                Color::White
            } else {
                Color::Black
            };
            let king = kings[color.index()].filter(|_| rook.rank() == Rank::First.relative_to(color));
            let side = king.map(|king| if rook > king { CastlingSide::King } else { CastlingSide::Queen });
            match side {
                Some(side) if builder.castling.rook_file(color, side).is_none() => {
                    builder.castling.set(color, side, Some(rook.file()));
                }
                _ => return Err(UnpackError::InvalidCastlingRook(rook)),
            }
        }
        if let Some(pawn) = en_passant {
            if pawn.rank() != Rank::Fourth.relative_to(!builder.side_to_move) {
                return Err(UnpackError::InvalidEnPassantPawn(pawn));
            }
            let rank = Rank::Third.relative_to(!builder.side_to_move);
            builder.en_passant = Some(Square::new(pawn.file(), rank));
        }
        Ok(builder)
    }
}

/// Returns the square of the pawn that has just passed over this square.
fn pushed_pawn(en_passant: Square) -> Square {
    let rank = if en_passant.rank() == Rank::Third { Rank::Fourth } else { Rank::Fifth };
    Square::new(en_passant.file(), rank)
}
