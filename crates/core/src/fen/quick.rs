//! Reading a FEN quickly, when there is nothing unusual about it.
//!
//! This accepts less than the careful reader and explains nothing: whatever it does not take is read
//! again by that one, which has the last word.

use super::castling_right;
use crate::{BoardBuilder, CastlingSide, Color, File, Piece, Rank, Square};

/// What a byte of the placement means.
#[derive(Clone, Copy)]
struct Symbol {
    piece: Option<Piece>,
    /// How many squares it describes.
    squares: u8,
    /// All ones for a slash, else 0.
    slash: u8,
    /// 0 for what belongs into a placement.
    foreign: u8,
}

static SYMBOLS: [Symbol; 256] = {
    let mut symbols = [Symbol { piece: None, squares: 0, slash: 0, foreign: 1 }; 256];
    let mut index = 0;
    while index < Piece::COUNT {
        let piece = Piece::ALL[index];
        symbols[piece.to_char() as usize] = Symbol { piece: Some(piece), squares: 1, slash: 0, foreign: 0 };
        index += 1;
    }
    let mut digit = 1;
    while digit <= 8 {
        symbols[(b'0' + digit) as usize] = Symbol { piece: None, squares: digit, slash: 0, foreign: 0 };
        digit += 1;
    }
    symbols[b'/' as usize] = Symbol { piece: None, squares: 0, slash: !0, foreign: 0 };
    symbols
};

/// Reads a FEN of four or six fields with single spaces between them.
pub(super) fn read(text: &[u8]) -> Option<BoardBuilder> {
    let mut builder = BoardBuilder::empty();
    let rest = placement(text, &mut builder)?;
    let (side, rest) = rest.split_first()?;
    builder.side_to_move = match side {
        b'w' => Color::White,
        b'b' => Color::Black,
        _ => return None,
    };
    let rest = castling(rest.strip_prefix(b" ")?, &mut builder)?;
    let rest = match *rest {
        [b'-', ref rest @ ..] => rest,
        [file @ b'a'..=b'h', rank @ (b'3' | b'6'), ref rest @ ..] => {
            let (file, rank) = (File::wrapping(file - b'a'), Rank::wrapping(rank - b'1'));
            builder.en_passant = Some(Square::new(file, rank));
            rest
        }
        _ => return None,
    };
    if rest.is_empty() {
        return Some(builder);
    }
    let (clock, rest) = number(rest.strip_prefix(b" ")?)?;
    let (number, rest) = number(rest.strip_prefix(b" ")?)?;
    builder.halfmove_clock = clock;
    builder.fullmove_number = number.max(1);
    rest.is_empty().then_some(builder)
}

/// Reads the pieces and the space behind them, without a branch on what a byte is: it could not be
/// predicted.
fn placement<'a>(text: &'a [u8], builder: &mut BoardBuilder) -> Option<&'a [u8]> {
    // Squares are counted as they are written, a8 first. Each slash must come after eight more.
    let (mut count, mut next_slash, mut wrong) = (0usize, 8usize, 0usize);
    for (index, &byte) in text.iter().enumerate() {
        if byte == b' ' {
            let complete = wrong == 0 && count == 64 && next_slash == 64;
            return complete.then(|| &text[index + 1..]);
        }
        let symbol = SYMBOLS[usize::from(byte)];
        // Empty squares and slashes write nothing to a square that has not been described yet.
        builder.pieces[(count & 63) ^ 56] = symbol.piece;
        let slash = symbol.slash as i8 as usize;
        wrong |= usize::from(symbol.foreign) | (count ^ next_slash) & slash;
        next_slash += slash & 8;
        count += usize::from(symbol.squares);
    }
    None
}

/// Reads the castling field and the space behind it.
fn castling<'a>(text: &'a [u8], builder: &mut BoardBuilder) -> Option<&'a [u8]> {
    if let [b'-', b' ', rest @ ..] = text {
        return Some(rest);
    }
    for (index, &byte) in text.iter().enumerate() {
        if byte == b' ' {
            return (index > 0).then(|| &text[index + 1..]);
        }
        let color = if byte.is_ascii_uppercase() { Color::White } else { Color::Black };
        let (king, rook) = castling_right(builder, color, byte.to_ascii_lowercase())?;
        let side = if rook > king { CastlingSide::King } else { CastlingSide::Queen };
        if builder.castling.rook_file(color, side).is_some() {
            return None;
        }
        builder.castling.set(color, side, Some(rook));
    }
    None
}

/// Reads a number of at most four digits and returns what is behind it.
fn number(text: &[u8]) -> Option<(u16, &[u8])> {
    let digits = text.iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=4).contains(&digits) {
        return None;
    }
    let (digits, rest) = text.split_at(digits);
    Some((digits.iter().fold(0, |number, digit| number * 10 + u16::from(digit - b'0')), rest))
}
