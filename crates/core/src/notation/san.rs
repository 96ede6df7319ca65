//! [`San`]: moves in Standard Algebraic Notation.

use super::decode;
#[cfg(feature = "std")]
use super::nag::Nag;
use super::nag::split_sign;
use crate::ascii_buffer::AsciiBuffer;
use crate::{CastlingSide, File, PieceType, Rank, Square};
#[cfg(feature = "std")]
use alloc::borrow::Cow;
use core::fmt;
use core::str::FromStr;

/// A move in Standard Algebraic Notation (SAN), with its check mark if any: `Nbd7`, `exd8=Q+`, `O-O-O#`.
///
/// Parsing is lenient where the meaning is clear. It accepts zeros for the letter O in castling, also without hyphens, `e.p.`,
/// promotions such as `e8Q`, `e8(Q)`, `e8=(Q)` and `e8=q`, long algebraic notation (`Ng1-f3`), figurines and other
/// symbols used in print (`♘×d4†`), lower-case piece letters (except `b`, which is a file), annotation marks
/// (`!?`) and evaluation signs (`+-`, `±`), and wrong or missing check marks. Plain coordinates (`g1f3`, `e7e8q`) and moves that lack
/// their first letter (`xg5`, `2f4`) are read as a pawn move; code that knows the position may reinterpret them as the move of any piece.
///
/// ```
/// use tabiya_core::notation::{San, SanMove, SanSuffix};
/// use tabiya_core::{File, PieceType, Square};
///
/// let san: San = "Nbxd7+".parse()?;
/// assert_eq!(
///     san.mv,
///     SanMove::Normal {
///         piece: PieceType::Knight,
///         file: Some(File::B),
///         rank: None,
///         capture: true,
///         to: Square::D7,
///         promotion: None
///     }
/// );
/// assert_eq!(san.suffix, Some(SanSuffix::Check));
/// assert_eq!(san.to_string(), "Nbxd7+");
/// # Ok::<(), tabiya_core::notation::ParseSanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct San {
    /// The move without its check mark.
    pub mv: SanMove,
    /// The check mark, `+` or `#`.
    pub suffix: Option<SanSuffix>,
}

/// The move part of a [`San`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SanMove {
    /// Any move except castling.
    Normal {
        /// The type of the moving piece.
        piece: PieceType,
        /// The origin file, if given.
        file: Option<File>,
        /// The origin rank, if given.
        rank: Option<Rank>,
        /// True if the move is written with an `x`.
        capture: bool,
        /// The target square.
        to: Square,
        /// The type a pawn promotes to.
        promotion: Option<PieceType>,
    },
    /// `O-O` or `O-O-O`.
    Castle(CastlingSide),
    /// `--`: a null move, which some annotators use in variations.
    Null,
}

/// The check mark after a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SanSuffix {
    /// `+`
    #[cfg_attr(feature = "serde", serde(rename = "+"))]
    Check,
    /// `#`
    #[cfg_attr(feature = "serde", serde(rename = "#"))]
    Checkmate,
}

impl San {
    /// Parses a move from bytes. Those that are not valid UTF-8 are decoded as Windows-1252.
    ///
    /// # Errors
    /// Returns an error that names the invalid part of the move.
    #[inline]
    pub fn from_bytes(text: &[u8]) -> Result<San, ParseSanError> {
        match canonical(text) {
            Some(san) => Ok(san),
            None => lenient_with_sign(text),
        }
    }

    /// Splits an evaluation sign or `N` (novelty) from the end of a word, if the word is a move only without it.
    #[cfg(feature = "std")]
    #[cold]
    pub(super) fn split_sign(word: &[u8]) -> Option<(&[u8], Nag)> {
        if canonical(word).is_some() || lenient(word).is_ok() {
            return None;
        }
        let text = decode(word);
        let (mv, nag) = split_sign(&text)?;
        let length = match text {
            Cow::Borrowed(_) => mv.len(),
            // Each byte is a character of Windows-1252.
            Cow::Owned(_) => mv.chars().count(),
        };
        without_sign(mv).map(|_| (&word[..length], nag))
    }
}

impl FromStr for San {
    type Err = ParseSanError;

    fn from_str(text: &str) -> Result<San, ParseSanError> {
        San::from_bytes(text.as_bytes())
    }
}

/// Parses a move in canonical SAN: the fast path, which covers nearly all moves.
#[inline]
fn canonical(text: &[u8]) -> Option<San> {
    let (body, suffix) = match text {
        [body @ .., b'+'] => (body, Some(SanSuffix::Check)),
        [body @ .., b'#'] => (body, Some(SanSuffix::Checkmate)),
        _ => (text, None),
    };
    let (body, promotion) = match body {
        [.., b'O'] => return castling(body).map(|side| San { mv: SanMove::Castle(side), suffix }),
        [.., b'=', letter] if body[0].is_ascii_lowercase() => {
            (&body[..body.len() - 2], Some(promotion_piece(*letter)?))
        }
        _ => (body, None),
    };
    // Piece and length change from move to move, so branches on them would be predicted badly.
    let [before @ .., to_file, to_rank] = body else { return None };
    let to = Square::new(file(*to_file)?, rank(*to_rank)?);
    let piece = PIECES[usize::from(body[0])]?;
    let capture = before.last() == Some(&b'x');
    let origin = before.get(usize::from(piece != PieceType::Pawn)..before.len() - usize::from(capture))?;
    let (file, rank) = match *origin {
        [] => (None, None),
        [byte @ b'1'..=b'8'] => (None, rank(byte)),
        [byte] => (Some(file(byte)?), None),
        [first, second] => (Some(file(first)?), Some(rank(second)?)),
        _ => return None,
    };
    Some(San { mv: SanMove::Normal { piece, file, rank, capture, to, promotion }, suffix })
}

/// The side of a castling move in canonical SAN.
fn castling(text: &[u8]) -> Option<CastlingSide> {
    match text {
        b"O-O" => Some(CastlingSide::King),
        b"O-O-O" => Some(CastlingSide::Queen),
        _ => None,
    }
}

/// The piece whose moves begin with this byte.
static PIECES: [Option<PieceType>; 256] = {
    let mut pieces = [None; 256];
    let mut file = b'a';
    while file <= b'h' {
        pieces[file as usize] = Some(PieceType::Pawn);
        file += 1;
    }
    pieces[b'N' as usize] = Some(PieceType::Knight);
    pieces[b'B' as usize] = Some(PieceType::Bishop);
    pieces[b'R' as usize] = Some(PieceType::Rook);
    pieces[b'Q' as usize] = Some(PieceType::Queen);
    pieces[b'K' as usize] = Some(PieceType::King);
    pieces
};

#[inline]
fn file(byte: u8) -> Option<File> {
    File::from_char(char::from(byte))
}

#[inline]
fn rank(byte: u8) -> Option<Rank> {
    Rank::from_char(char::from(byte))
}

/// The promotion piece with this upper-case letter.
#[inline]
fn promotion_piece(letter: u8) -> Option<PieceType> {
    match letter {
        b'N' => Some(PieceType::Knight),
        b'B' => Some(PieceType::Bishop),
        b'R' => Some(PieceType::Rook),
        b'Q' => Some(PieceType::Queen),
        _ => None,
    }
}

/// The maximum length of a move in characters, without marks: more than `Qa1xb2` and `a7xb8=Q` need, to allow
/// for non-canonical forms.
const MAX_LENGTH: usize = 16;

/// Parses a move in any of the forms described at [`San`].
#[cold]
fn lenient_with_sign(text: &[u8]) -> Result<San, ParseSanError> {
    lenient(text).or_else(|error| {
        let text = decode(text);
        split_sign(text.trim_end_matches(is_annotation)).and_then(|(mv, _)| without_sign(mv)).ok_or(error)
    })
}

/// Parses a word from which a sign has been split. In `e8=` the sign is not one of equality: the piece is missing.
fn without_sign(text: &str) -> Option<San> {
    let lacks_promotion = |san: &San| match san.mv {
        SanMove::Normal { piece: PieceType::Pawn, to, promotion: None, .. } => {
            matches!(to.rank(), Rank::First | Rank::Eighth)
        }
        _ => false,
    };
    lenient(text.as_bytes()).ok().filter(|san| !lacks_promotion(san))
}

/// Parses a move without evaluation sign.
#[cold]
fn lenient(text: &[u8]) -> Result<San, ParseSanError> {
    let text = decode(text);
    let mut text = text.trim_end_matches(is_annotation);
    let mut suffix = None;
    loop {
        let shorter = if let Some(shorter) = text.strip_suffix(['#', '‡']) {
            suffix = Some(SanSuffix::Checkmate);
            shorter
        } else if let Some(shorter) = text.strip_suffix(['+', '†']) {
            // `++` is an old notation for double check or mate.
            suffix = suffix.or(Some(SanSuffix::Check));
            shorter
        } else {
            break;
        };
        text = shorter.trim_end_matches(is_annotation);
    }
    let text = text.trim_end_matches("e.p.").trim_end_matches("ep").trim_end();

    // Translate to ASCII.
    let mut buffer = [0; MAX_LENGTH];
    let mut length = 0;
    for c in text.chars() {
        *buffer.get_mut(length).ok_or(ParseSanError::Origin)? = to_ascii(c);
        length += 1;
    }
    let body = &mut buffer[..length];
    if body.first().is_some_and(|first| matches!(first, b'O' | b'o' | b'0')) {
        body.iter_mut().filter(|byte| matches!(byte, b'o' | b'0')).for_each(|byte| *byte = b'O');
    }
    let mv = match &body[..] {
        b"" => return Err(ParseSanError::Empty),
        b"O-O" | b"OO" => SanMove::Castle(CastlingSide::King),
        b"O-O-O" | b"OOO" => SanMove::Castle(CastlingSide::Queen),
        b"--" | b"Z0" | b"OOOO" | b"@@@@" | b"null" => SanMove::Null,
        body => normal(body)?,
    };
    Ok(San { mv, suffix })
}

fn is_annotation(c: char) -> bool {
    matches!(c, '!' | '?' | ' ')
}

/// The ASCII equivalent of a character used in print, or `?`, which occurs in no move, for any other
/// non-ASCII character.
fn to_ascii(c: char) -> u8 {
    match c {
        '♔' | '♚' => b'K',
        '♕' | '♛' => b'Q',
        '♖' | '♜' => b'R',
        '♗' | '♝' => b'B',
        '♘' | '♞' => b'N',
        '♙' | '♟' => b'P',
        '×' | 'X' | ':' => b'x',
        '‐' | '‑' | '–' | '—' | '−' => b'-',
        _ if c.is_ascii() => c as u8,
        _ => b'?',
    }
}

/// Parses `[piece][file][rank][x or -]square[=piece]`, from both ends inwards.
fn normal(body: &[u8]) -> Result<SanMove, ParseSanError> {
    let (piece, rest) = match *body {
        [b'P', ref rest @ ..] => (PieceType::Pawn, rest),
        [b'a'..=b'h', ..] => (PieceType::Pawn, body),
        // The file of a capture or the piece's letter is missing.
        [b'x', ..] | [b'1'..=b'8', b'a'..=b'h' | b'x', ..] => (PieceType::Pawn, body),
        // A lower-case b is a file; the other letters can only be pieces.
        [letter @ (b'N' | b'n' | b'B' | b'R' | b'r' | b'Q' | b'q' | b'K' | b'k'), ref rest @ ..] => {
            (PieceType::from_char(char::from(letter)).ok_or(ParseSanError::Piece)?, rest)
        }
        _ => return Err(ParseSanError::Piece),
    };

    let promotes_to =
        |letter: u8| promotion_piece(letter.to_ascii_uppercase()).ok_or(ParseSanError::Promotion);
    let (rest, promotion) = match rest {
        [rest @ .., b'=', b'(', letter, b')']
        | [rest @ .., b'(', letter, b')']
        | [rest @ .., b'=' | b'/', letter] => (rest, Some(promotes_to(*letter)?)),
        // `e8Q`; on other ranks, as in `e4N`, the letter is no promotion.
        [rest @ .., letter] if letter.is_ascii_alphabetic() && matches!(rest.last(), Some(b'1' | b'8')) => {
            (rest, Some(promotes_to(*letter)?))
        }
        [.., b'=' | b')'] => return Err(ParseSanError::Promotion),
        _ => (rest, None),
    };
    if promotion.is_some() && piece != PieceType::Pawn {
        return Err(ParseSanError::Promotion);
    }

    let [origin @ .., to_file, to_rank] = rest else { return Err(ParseSanError::Target) };
    let (Some(to_file), Some(to_rank)) = (file(*to_file), rank(*to_rank)) else {
        return Err(ParseSanError::Target);
    };
    let (origin, capture) = match origin {
        [origin @ .., b'x'] => (origin, true),
        [origin @ .., b'-'] => (origin, false),
        _ => (origin, false),
    };
    let (from_file, from_rank) = match *origin {
        [] => (None, None),
        [byte] => (file(byte), rank(byte)),
        [first, second] => (file(first), rank(second)),
        _ => return Err(ParseSanError::Origin),
    };
    if usize::from(from_file.is_some()) + usize::from(from_rank.is_some()) != origin.len() {
        return Err(ParseSanError::Origin);
    }
    Ok(SanMove::Normal {
        piece,
        file: from_file,
        rank: from_rank,
        capture,
        to: Square::new(to_file, to_rank),
        promotion,
    })
}

/// Returns the text of a move. The longest is `Qa1xb2=Q+`.
fn write(mv: SanMove, suffix: Option<SanSuffix>) -> AsciiBuffer<12> {
    let mut text = AsciiBuffer::new();
    match mv {
        SanMove::Normal { piece, file, rank, capture, to, promotion } => {
            // Omit the pawn's letter, unless the text would then start with a rank or an x.
            if piece != PieceType::Pawn || (file.is_none() && (rank.is_some() || capture)) {
                text.push(piece.to_char().to_ascii_uppercase() as u8);
            }
            if let Some(file) = file {
                text.push(file.to_char() as u8);
            }
            if let Some(rank) = rank {
                text.push(rank.to_char() as u8);
            }
            if capture {
                text.push(b'x');
            }
            text.push_square(to);
            if let Some(piece) = promotion {
                text.push(b'=');
                text.push(piece.to_char().to_ascii_uppercase() as u8);
            }
        }
        SanMove::Castle(CastlingSide::King) => text.push_str("O-O"),
        SanMove::Castle(CastlingSide::Queen) => text.push_str("O-O-O"),
        SanMove::Null => text.push_str("--"),
    }
    match suffix {
        Some(SanSuffix::Check) => text.push(b'+'),
        Some(SanSuffix::Checkmate) => text.push(b'#'),
        None => {}
    }
    text
}

impl fmt::Display for SanMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(write(*self, None).as_str())
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(write(self.mv, self.suffix).as_str())
    }
}

/// The reason why a text is not a move in Standard Algebraic Notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseSanError {
    /// The text is empty, or has only check and annotation marks.
    Empty,
    /// The move starts with neither a piece letter `N B R Q K` nor a file.
    Piece,
    /// The move does not end with a target square.
    Target,
    /// The text before the target square is not a file, a rank, or both.
    Origin,
    /// The promotion piece is not one of `N B R Q`, or the moving piece is not a pawn.
    Promotion,
}

impl fmt::Display for ParseSanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseSanError::Empty => "the move is empty",
            ParseSanError::Piece => "expected a move that starts with N, B, R, Q, K, a file a-h, or O-O",
            ParseSanError::Target => "the target square (a1 to h8) is missing",
            ParseSanError::Origin => "only a file, a rank and an x may precede the target square",
            ParseSanError::Promotion => "only a pawn promotes, and only to N, B, R or Q, as in e8=Q",
        })
    }
}

impl core::error::Error for ParseSanError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_text_round_trips() {
        for text in [
            "e4", "exd5", "e8=Q", "exd8=N#", "Nf3", "Nbd7", "N1f3", "Nb1d2", "Qxh7#", "O-O", "O-O-O+", "--",
            "Kxa1", "R1a3", "Qa1xb2+", "P2e4", "Pxd5",
        ] {
            assert_eq!(text.parse::<San>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn parses_noncanonical_forms() {
        for (text, canonical) in [
            ("0-0", "O-O"),
            ("0-0-0+", "O-O-O+"),
            ("e8Q", "e8=Q"),
            ("e8(Q)+", "e8=Q+"),
            ("gxh8=(q)", "gxh8=Q"),
            ("Ng1-f3", "Ng1f3"),
            ("e2-e4", "e2e4"),
            ("e2:d3", "e2xd3"),
            ("exd6e.p.", "exd6"),
            ("exd6 e.p.", "exd6"),
            ("Nf3!?", "Nf3"),
            ("Qh7++", "Qh7+"),
            ("Pe4", "e4"),
            ("Z0", "--"),
            ("0000", "--"),
            ("o-o", "O-O"),
            ("O–O–O", "O-O-O"),
            ("e8=q", "e8=Q"),
            ("e8/N", "e8=N"),
            ("e7e8q", "e7e8=Q"),
            ("nf3", "Nf3"),
            ("bxc3", "bxc3"),
            ("♘f3", "Nf3"),
            ("♞b8×d7†", "Nb8xd7+"),
            ("♙e4", "e4"),
            ("Qh7‡", "Qh7#"),
            ("Qh7+!", "Qh7+"),
            ("Qh7!+", "Qh7+"),
            ("Qh7+#", "Qh7#"),
            ("N-f3", "Nf3"),
            ("NXd4", "Nxd4"),
            ("R1:a3", "R1xa3"),
            ("xg5", "Pxg5"),
            ("2f4", "P2f4"),
            ("OO+", "O-O+"),
            ("000", "O-O-O"),
        ] {
            assert_eq!(text.parse::<San>().unwrap().to_string(), canonical, "{text}");
        }
        for (bytes, canonical) in [(&b"N\xd7d4"[..], "Nxd4"), (b"O\x96O", "O-O"), (b"Nf3\xb1", "Nf3")] {
            assert_eq!(San::from_bytes(bytes).unwrap().to_string(), canonical, "{bytes:?}");
        }
    }

    #[test]
    fn rejects_malformed_moves() {
        for (text, error) in [
            ("", ParseSanError::Empty),
            ("+", ParseSanError::Empty),
            ("!?", ParseSanError::Empty),
            ("é4", ParseSanError::Piece),
            ("Ze4", ParseSanError::Piece),
            ("9e4", ParseSanError::Piece),
            ("e", ParseSanError::Target),
            ("Né", ParseSanError::Target),
            ("N", ParseSanError::Target),
            ("e9", ParseSanError::Target),
            ("Nzzf3", ParseSanError::Origin),
            ("Nf3f4f5", ParseSanError::Origin),
            ("e8=K", ParseSanError::Promotion),
            ("e8=", ParseSanError::Promotion),
            ("Nf8=Q", ParseSanError::Promotion),
            ("N@f3", ParseSanError::Origin),
            ("Nf33", ParseSanError::Target),
            ("N1bd7", ParseSanError::Origin),
            ("e8()", ParseSanError::Promotion),
            ("exd", ParseSanError::Target),
            ("e8K", ParseSanError::Promotion),
            ("Sf3", ParseSanError::Piece),
            ("O-O-O-O", ParseSanError::Piece),
            ("Nb1b1b1b1b1b1b1b1b1b1b1f3", ParseSanError::Origin),
        ] {
            assert_eq!(text.parse::<San>(), Err(error), "{text}");
        }
    }
}
