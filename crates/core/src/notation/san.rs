use crate::{CastlingSide, File, PieceType, Rank, Square};
use core::fmt;
use core::str::FromStr;

/// A move in standard algebraic notation, with the mark behind it if there is one: `Nbd7`,
/// `exd8=Q+`, `O-O-O#`.
///
/// Reading is forgiving where the meaning is plain: zeros for the letter O in castling, `e.p.`,
/// promotions such as `e8Q`, `e8(Q)` and `e8=q`, long algebraic notation (`Ng1-f3`), figurines and
/// the other signs of printed books (`♘×d4†`), small letters for pieces (but `b` is a pawn's file),
/// annotation marks (`!?`), and wrong or missing check marks, which no reader of a game wants to
/// stumble over. Coordinates alone (`g1f3`, `e7e8q`) are read as a pawn's move from that square;
/// whoever knows the position may take them for the move of any piece.
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct San {
    /// The move itself.
    pub mv: SanMove,
    /// `+` or `#`.
    pub suffix: Option<SanSuffix>,
}

/// The move part of a [`San`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SanMove {
    /// A piece goes to a square.
    Normal {
        /// The kind of piece.
        piece: PieceType,
        /// The file it comes from, where that is written.
        file: Option<File>,
        /// The rank it comes from, where that is written.
        rank: Option<Rank>,
        /// Is there an `x`?
        capture: bool,
        /// The square it goes to.
        to: Square,
        /// The piece a pawn becomes.
        promotion: Option<PieceType>,
    },
    /// `O-O` or `O-O-O`.
    Castle(CastlingSide),
    /// `--`: the side passes, as some annotators let it in variations.
    Null,
}

/// The mark behind a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SanSuffix {
    /// `+`
    Check,
    /// `#`
    Checkmate,
}

impl San {
    /// Reads a move from bytes, as a reader of PGN has them.
    ///
    /// # Errors
    /// What is wrong with it.
    #[inline]
    pub fn from_bytes(text: &[u8]) -> Result<San, ParseSanError> {
        match canonical(text) {
            Some(san) => Ok(san),
            None => forgiving(text),
        }
    }
}

impl FromStr for San {
    type Err = ParseSanError;

    fn from_str(text: &str) -> Result<San, ParseSanError> {
        San::from_bytes(text.as_bytes())
    }
}

/// Reads a move as the standard has it, which nearly all are. Anything else is `None`.
#[inline]
fn canonical(text: &[u8]) -> Option<San> {
    let (body, suffix) = match text {
        [body @ .., b'+'] => (body, Some(SanSuffix::Check)),
        [body @ .., b'#'] => (body, Some(SanSuffix::Checkmate)),
        _ => (text, None),
    };
    let (piece, rest, promotion) = match body {
        [b'a'..=b'h', .., b'=', letter] => {
            (PieceType::Pawn, &body[..body.len() - 2], Some(promoted(*letter)?))
        }
        [b'a'..=b'h', ..] => (PieceType::Pawn, body, None),
        [b'N', rest @ ..] => (PieceType::Knight, rest, None),
        [b'B', rest @ ..] => (PieceType::Bishop, rest, None),
        [b'R', rest @ ..] => (PieceType::Rook, rest, None),
        [b'Q', rest @ ..] => (PieceType::Queen, rest, None),
        [b'K', rest @ ..] => (PieceType::King, rest, None),
        b"O-O" => return Some(San { mv: SanMove::Castle(CastlingSide::King), suffix }),
        b"O-O-O" => return Some(San { mv: SanMove::Castle(CastlingSide::Queen), suffix }),
        _ => return None,
    };
    let [origin @ .., to_file, to_rank] = rest else { return None };
    let to = Square::new(file(*to_file)?, rank(*to_rank)?);
    let (origin, capture) = match origin {
        [origin @ .., b'x'] => (origin, true),
        _ => (origin, false),
    };
    let (file, rank) = match *origin {
        [] => (None, None),
        [byte @ b'1'..=b'8'] => (None, rank(byte)),
        [byte] => (Some(file(byte)?), None),
        [first, second] => (Some(file(first)?), Some(rank(second)?)),
        _ => return None,
    };
    Some(San { mv: SanMove::Normal { piece, file, rank, capture, to, promotion }, suffix })
}

#[inline]
fn file(byte: u8) -> Option<File> {
    File::from_char(char::from(byte))
}

#[inline]
fn rank(byte: u8) -> Option<Rank> {
    Rank::from_char(char::from(byte))
}

/// The piece of a capital letter, if a pawn may become it.
#[inline]
fn promoted(letter: u8) -> Option<PieceType> {
    match letter {
        b'N' => Some(PieceType::Knight),
        b'B' => Some(PieceType::Bishop),
        b'R' => Some(PieceType::Rook),
        b'Q' => Some(PieceType::Queen),
        _ => None,
    }
}

/// The longest move there is, `Qa1xb2` or `a7xb8=Q`, and room for what the forms that are only
/// read put between its parts.
const LONGEST: usize = 16;

/// Reads a move that people and programs write in other ways: see [`San`].
#[cold]
fn forgiving(text: &[u8]) -> Result<San, ParseSanError> {
    let text = core::str::from_utf8(text).map_err(|_| ParseSanError::Piece)?;
    let mut text = text.trim_end_matches(is_annotation);
    let mut suffix = None;
    loop {
        let shorter = if let Some(shorter) = text.strip_suffix(['#', '‡']) {
            suffix = Some(SanSuffix::Checkmate);
            shorter
        } else if let Some(shorter) = text.strip_suffix(['+', '†']) {
            // `++` is an old way to write a double check or mate.
            suffix = suffix.or(Some(SanSuffix::Check));
            shorter
        } else {
            break;
        };
        text = shorter.trim_end_matches(is_annotation);
    }
    let text = text.trim_end_matches("e.p.").trim_end_matches("ep").trim_end();

    // In plain letters.
    let mut buffer = [0; LONGEST];
    let mut length = 0;
    for c in text.chars() {
        *buffer.get_mut(length).ok_or(ParseSanError::Origin)? = plain(c);
        length += 1;
    }
    let body = &mut buffer[..length];
    if body.first().is_some_and(|first| matches!(first, b'O' | b'o' | b'0')) {
        body.iter_mut().filter(|byte| matches!(byte, b'o' | b'0')).for_each(|byte| *byte = b'O');
    }
    let mv = match &body[..] {
        b"" => return Err(ParseSanError::Empty),
        b"O-O" => SanMove::Castle(CastlingSide::King),
        b"O-O-O" => SanMove::Castle(CastlingSide::Queen),
        b"--" | b"Z0" | b"OOOO" | b"@@@@" | b"null" => SanMove::Null,
        body => normal(body)?,
    };
    Ok(San { mv, suffix })
}

fn is_annotation(c: char) -> bool {
    matches!(c, '!' | '?' | ' ')
}

/// The plain character for one that printed books use, and `?`, which is part of no move, for any
/// that has no place in one.
fn plain(c: char) -> u8 {
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

/// Reads `[piece][file][rank][x or -]square[=piece]`, from the ends inwards.
fn normal(body: &[u8]) -> Result<SanMove, ParseSanError> {
    let (piece, rest) = match *body {
        [b'P', ref rest @ ..] => (PieceType::Pawn, rest),
        [b'a'..=b'h', ..] => (PieceType::Pawn, body),
        // A small b is a pawn's file, the others can only be pieces.
        [letter @ (b'N' | b'n' | b'B' | b'R' | b'r' | b'Q' | b'q' | b'K' | b'k'), ref rest @ ..] => {
            (PieceType::from_char(char::from(letter)).ok_or(ParseSanError::Piece)?, rest)
        }
        _ => return Err(ParseSanError::Piece),
    };

    let promotes_to = |letter: u8| promoted(letter.to_ascii_uppercase()).ok_or(ParseSanError::Promotion);
    let (rest, promotion) = match rest {
        [rest @ .., b'(', letter, b')'] | [rest @ .., b'=' | b'/', letter] => {
            (rest, Some(promotes_to(*letter)?))
        }
        // `e8Q`
        [rest @ .., letter]
            if letter.is_ascii_alphabetic() && rest.last().is_some_and(u8::is_ascii_digit) =>
        {
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

/// The text of a move, put together on the stack: `Qa1xb2=Q+` would be the longest.
struct Text {
    bytes: [u8; 12],
    length: usize,
}

impl Text {
    fn of(mv: SanMove, suffix: Option<SanSuffix>) -> Text {
        let mut text = Text { bytes: [0; 12], length: 0 };
        match mv {
            SanMove::Normal { piece, file, rank, capture, to, promotion } => {
                // A pawn's letter is left out, unless what follows could not begin a move.
                if piece != PieceType::Pawn || (file.is_none() && (rank.is_some() || capture)) {
                    text.push(piece.to_char().to_ascii_uppercase());
                }
                if let Some(file) = file {
                    text.push(file.to_char());
                }
                if let Some(rank) = rank {
                    text.push(rank.to_char());
                }
                if capture {
                    text.push('x');
                }
                text.push(to.file().to_char());
                text.push(to.rank().to_char());
                if let Some(piece) = promotion {
                    text.push('=');
                    text.push(piece.to_char().to_ascii_uppercase());
                }
            }
            SanMove::Castle(CastlingSide::King) => "O-O".chars().for_each(|c| text.push(c)),
            SanMove::Castle(CastlingSide::Queen) => "O-O-O".chars().for_each(|c| text.push(c)),
            SanMove::Null => "--".chars().for_each(|c| text.push(c)),
        }
        match suffix {
            Some(SanSuffix::Check) => text.push('+'),
            Some(SanSuffix::Checkmate) => text.push('#'),
            None => {}
        }
        text
    }

    fn push(&mut self, c: char) {
        self.bytes[self.length] = c as u8;
        self.length += 1;
    }

    fn as_str(&self) -> &str {
        // Only ASCII was pushed.
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl fmt::Display for SanMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Text::of(*self, None).as_str())
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Text::of(self.mv, self.suffix).as_str())
    }
}

/// Why a text is not a move in standard algebraic notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseSanError {
    /// There is nothing before the marks.
    Empty,
    /// It starts with neither a piece letter `N B R Q K` nor a file of a pawn.
    Piece,
    /// There is no target square at its end.
    Target,
    /// What stands before the target square is not a file, a rank, or both.
    Origin,
    /// What a pawn becomes is not one of `N B R Q`, or it is not a pawn.
    Promotion,
}

impl fmt::Display for ParseSanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseSanError::Empty => "the move is empty",
            ParseSanError::Piece => "a move starts with N, B, R, Q, K, a pawn's file a-h, or castling O-O",
            ParseSanError::Target => "the target square a1-h8 is missing",
            ParseSanError::Origin => "before the target square only a file, a rank and an x may stand",
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
    fn forgiving_reading() {
        for (text, canonical) in [
            ("0-0", "O-O"),
            ("0-0-0+", "O-O-O+"),
            ("e8Q", "e8=Q"),
            ("e8(Q)+", "e8=Q+"),
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
        ] {
            assert_eq!(text.parse::<San>().unwrap().to_string(), canonical, "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        for (text, error) in [
            ("", ParseSanError::Empty),
            ("+", ParseSanError::Empty),
            ("!?", ParseSanError::Empty),
            ("é4", ParseSanError::Piece),
            ("Xe4", ParseSanError::Piece),
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
