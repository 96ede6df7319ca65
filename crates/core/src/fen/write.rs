//! Writes a board as FEN.

use crate::ascii_buffer::AsciiBuffer;
use crate::{Board, CastlingRights, CastlingSide, Color, File, Piece, PieceType, Rank, Square};
use alloc::string::String;
use core::fmt;

/// Writes the six fields of the FEN.
///
/// Castling is written as X-FEN: `KQkq` if the rook is the outermost one on that side of the king, as always
/// in standard chess, otherwise the file of the rook. The alternate form, `{:#}`, writes Shredder-FEN: always
/// the file. The en-passant square is written if a pawn attacks it.
///
/// ```
/// use tabiya_core::Board;
///
/// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// assert_eq!(Board::startpos().to_string(), fen);
/// assert_eq!(format!("{:#}", Board::startpos()), fen.replace("KQkq", "HAha"));
/// ```
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = position_fields(self, f.alternate());
        for number in [self.halfmove_clock(), self.fullmove_number()] {
            text.push(b' ');
            push_number(&mut text, number);
        }
        f.write_str(text.as_str())
    }
}

/// Returns the first four fields of the FEN; with `shredder`, castling rights are always files.
fn position_fields(board: &Board, shredder: bool) -> AsciiBuffer<CAPACITY> {
    let mut text = AsciiBuffer::<CAPACITY>::new();
    push_placement(&mut text, |square| board.piece_on(square));
    text.push(b' ');
    text.push(board.side_to_move().to_char() as u8);
    text.push(b' ');
    if board.castling() == CastlingRights::NONE {
        text.push(b'-');
    }
    for (color, side, file) in board.castling().iter() {
        let letter = match side {
            _ if shredder || !is_outermost(board, color, side, file) => file.to_char(),
            CastlingSide::King => 'k',
            CastlingSide::Queen => 'q',
        };
        let letter = if color == Color::White { letter.to_ascii_uppercase() } else { letter };
        text.push(letter as u8);
    }
    text.push(b' ');
    match board.en_passant() {
        Some(square) => {
            text.push(square.file().to_char() as u8);
            text.push(square.rank().to_char() as u8);
        }
        None => text.push(b'-'),
    }
    text
}

impl Board {
    /// Returns the first four fields of the FEN, without the counters: the position of an EPD record.
    ///
    /// As in FEN, the en-passant square is written if a pawn attacks it. That of a `Position` of `tabiya-movegen` is written
    /// if the capture is legal, so there the text is the same for all positions that are the same under the repetition rule.
    ///
    /// ```
    /// use tabiya_core::Board;
    ///
    /// let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 8 40")?;
    /// assert_eq!(board.epd(), "4k3/8/8/8/8/8/8/4K2R w K -");
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    pub fn epd(&self) -> String {
        position_fields(self, false).as_str().into()
    }

    /// Writes the text of [`epd`](Board::epd), with `{:#}` castling rights as in Shredder-FEN.
    #[cfg(feature = "epd")]
    pub(crate) fn write_epd(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(position_fields(self, f.alternate()).as_str())
    }
}

/// The maximum length of a FEN, rounded up: 64 squares, 8 separators, and 2 + 5 + 2 + 6 + 6 for the other fields.
const CAPACITY: usize = 96;

/// Appends the first field: the pieces, from a8 to h1.
#[inline(always)]
fn push_placement(text: &mut AsciiBuffer<CAPACITY>, piece_on: impl Fn(Square) -> Option<Piece>) {
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            match piece_on(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text.push(b'0' + empty);
                        empty = 0;
                    }
                    text.push(piece.to_char() as u8);
                }
            }
        }
        if empty > 0 {
            text.push(b'0' + empty);
        }
        if rank != Rank::First {
            text.push(b'/');
        }
    }
}

/// The first field of a FEN.
#[cfg(feature = "serde")]
pub(crate) fn placement(pieces: &[Option<Piece>; Square::COUNT]) -> AsciiBuffer<CAPACITY> {
    let mut text = AsciiBuffer::new();
    push_placement(&mut text, |square| pieces[square.index()]);
    text
}

fn push_number(text: &mut AsciiBuffer<CAPACITY>, number: u16) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(b'0' + (number % 10) as u8);
}

/// Returns true if the rook on `file` is the outermost one on its side of the king.
fn is_outermost(board: &Board, color: Color, side: CastlingSide, file: File) -> bool {
    let rank = Rank::First.relative_to(color);
    let rooks = board.pieces(color, PieceType::Rook) & rank.bitboard();
    let outermost = match side {
        CastlingSide::King => rooks.last(),
        CastlingSide::Queen => rooks.first(),
    };
    outermost == Some(Square::new(file, rank))
}
