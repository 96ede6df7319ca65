//! Fast path for parsing an ordinary FEN.
//!
//! It accepts a subset of what the full parser accepts and reports no errors: whatever it rejects is parsed
//! again by the full parser.

use super::castling_right;
use crate::{BoardBuilder, CastlingSide, Color, File, Piece, Rank, Square};

/// The meaning of a byte in the placement field.
#[derive(Clone, Copy)]
struct Symbol {
    piece: Option<Piece>,
    /// The number of squares it describes.
    squares: u8,
    /// All ones for a slash, otherwise 0.
    slash: u8,
    /// 0 for a byte that may occur in a placement, otherwise 1.
    invalid: u8,
}

static SYMBOLS: [Symbol; 256] = {
    let mut symbols = [Symbol { piece: None, squares: 0, slash: 0, invalid: 1 }; 256];
    let mut index = 0;
    while index < Piece::COUNT {
        let piece = Piece::ALL[index];
        symbols[piece.to_char() as usize] = Symbol { piece: Some(piece), squares: 1, slash: 0, invalid: 0 };
        index += 1;
    }
    let mut digit = 1;
    while digit <= 8 {
        symbols[(b'0' + digit) as usize] = Symbol { piece: None, squares: digit, slash: 0, invalid: 0 };
        digit += 1;
    }
    symbols[b'/' as usize] = Symbol { piece: None, squares: 0, slash: !0, invalid: 0 };
    symbols
};

/// Parses a FEN of four or six fields separated by single spaces, or returns `None`.
pub(super) fn parse(text: &[u8]) -> Option<BoardBuilder> {
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

/// Parses the pieces and the space after them, and returns the rest. It does not branch on the value of a
/// byte, because such a branch is unpredictable.
fn placement<'a>(text: &'a [u8], builder: &mut BoardBuilder) -> Option<&'a [u8]> {
    // Counts squares in the order of the text, a8 first. Each slash must follow eight more squares.
    let (mut count, mut next_slash, mut errors) = (0usize, 8usize, 0usize);
    for (index, &byte) in text.iter().enumerate() {
        if byte == b' ' {
            let complete = errors == 0 && count == 64 && next_slash == 64;
            return complete.then(|| &text[index + 1..]);
        }
        let symbol = SYMBOLS[usize::from(byte)];
        // For digits and slashes this writes `None` to a square that is still to come, which is harmless.
        builder.pieces[(count & 63) ^ 56] = symbol.piece;
        let slash = symbol.slash as i8 as usize;
        errors |= usize::from(symbol.invalid) | (count ^ next_slash) & slash;
        next_slash += slash & 8;
        count += usize::from(symbol.squares);
    }
    None
}

/// Parses the castling field and the space after it, and returns the rest.
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

/// Parses a number of at most four digits, and returns it and the rest.
fn number(text: &[u8]) -> Option<(u16, &[u8])> {
    let digits = text.iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=4).contains(&digits) {
        return None;
    }
    let (digits, rest) = text.split_at(digits);
    Some((digits.iter().fold(0, |number, digit| number * 10 + u16::from(digit - b'0')), rest))
}
