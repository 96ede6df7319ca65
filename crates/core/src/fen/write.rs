//! Writes a board as FEN.

use crate::ascii_buffer::AsciiBuffer;
use crate::{Board, CastlingRights, CastlingSide, Color, File, PieceType, Rank, Square};
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
        let mut text = AsciiBuffer::<CAPACITY>::new();
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_on(Square::new(file, rank)) {
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
            text.push(if rank == Rank::First { b' ' } else { b'/' });
        }
        text.push(self.side_to_move().to_char() as u8);
        text.push(b' ');
        if self.castling() == CastlingRights::NONE {
            text.push(b'-');
        }
        for (color, side, file) in self.castling().iter() {
            let letter = match side {
                _ if f.alternate() || !is_outermost(self, color, side, file) => file.to_char(),
                CastlingSide::King => 'k',
                CastlingSide::Queen => 'q',
            };
            let letter = if color == Color::White { letter.to_ascii_uppercase() } else { letter };
            text.push(letter as u8);
        }
        text.push(b' ');
        match self.en_passant() {
            Some(square) => {
                text.push(square.file().to_char() as u8);
                text.push(square.rank().to_char() as u8);
            }
            None => text.push(b'-'),
        }
        for number in [self.halfmove_clock(), self.fullmove_number()] {
            text.push(b' ');
            push_number(&mut text, number);
        }
        f.write_str(text.as_str())
    }
}

/// The maximum length of a FEN, rounded up: 64 squares, 8 separators, and 2 + 5 + 2 + 6 + 6 for the other fields.
const CAPACITY: usize = 96;

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
