//! Reads and writes Forsyth-Edwards Notation (FEN), X-FEN and Shredder-FEN.

mod fast;
mod write;

#[cfg(feature = "serde")]
pub(crate) use write::placement;

use crate::{Board, BoardBuilder, BoardError, CastlingSide, Color, File, Piece, PieceType};
use crate::{Rank, Square};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// One of the six fields of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenField {
    /// The pieces, rank 8 first.
    Placement,
    /// `w` or `b`.
    SideToMove,
    /// Some of the letters `KQkq`, or rook files, or `-`.
    Castling,
    /// A square or `-`.
    EnPassant,
    /// Half-moves since the last capture or pawn move.
    HalfmoveClock,
    /// The full-move number.
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Placement => "piece placement",
            FenField::SideToMove => "side to move",
            FenField::Castling => "castling",
            FenField::EnPassant => "en passant",
            FenField::HalfmoveClock => "half-move clock",
            FenField::FullmoveNumber => "full-move number",
        })
    }
}

/// The reason why a text is not a FEN, with its field and byte position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FenError {
    /// The field that cannot be parsed. For [`FenErrorKind::Board`], the castling or en-passant field if it
    /// contradicts the pieces, otherwise the placement field.
    pub field: FenField,
    /// The position of the error in the text, in bytes from its start. For [`FenErrorKind::Board`], the
    /// start of the field.
    pub position: usize,
    /// The kind of error.
    pub kind: FenErrorKind,
}

/// The kind of a [`FenError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FenErrorKind {
    /// The text ends before this field.
    MissingField,
    /// There is text after the last field.
    TrailingText,
    /// The fields are not separated by exactly one space, or there is leading or trailing white space
    /// (strict parsing only).
    Spacing,
    /// The character is not a piece letter, a digit 1 to 8 or a slash.
    InvalidPiece(char),
    /// Two digits are adjacent and should be replaced by their sum (strict parsing only).
    AdjacentDigits,
    /// The rank has more than eight files; the second value is their number.
    RankTooLong(Rank, u32),
    /// The rank has fewer than eight files; the second value is their number.
    RankTooShort(Rank, u32),
    /// There are more than eight ranks.
    TooManyRanks,
    /// There are fewer than eight ranks; the value is their number.
    TooFewRanks(u8),
    /// The side to move is neither `w` nor `b`.
    InvalidSide,
    /// The character is not one of `KQkq`, a file letter in either case, or a `-` that stands alone.
    InvalidCastling(char),
    /// A castling right is given twice, or with two rooks.
    DuplicateCastling(char),
    /// The castling letters are not ordered White before Black, king side before queen side (strict
    /// parsing only).
    CastlingOrder,
    /// The letter denotes a castling right whose king or rook is not on its square.
    UnavailableCastling(char),
    /// The field is not a square on rank 3 or 6, or `-`.
    InvalidEnPassant,
    /// The field is not a whole number from 0 (full-move number: 1) to 65535; a full-move number of up to nine
    /// digits is an error in strict parsing only.
    InvalidNumber,
    /// The syntax is valid, but the position is illegal.
    Board(BoardError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let FenErrorKind::Board(error) = self.kind {
            return write!(f, "illegal position: {error}");
        }
        write!(f, "invalid FEN, {}, byte {}: ", self.field, self.position)?;
        match self.kind {
            FenErrorKind::MissingField => f.write_str("the field is missing"),
            FenErrorKind::TrailingText => f.write_str("unexpected text after the last field"),
            FenErrorKind::Spacing => f.write_str("fields must be separated by exactly one space"),
            FenErrorKind::InvalidPiece(c) => {
                write!(f, "unexpected {c:?} (expected one of PNBRQKpnbrqk, a digit 1-8 or a slash)")
            }
            FenErrorKind::AdjacentDigits => {
                f.write_str("two adjacent digits (expected one digit, their sum)")
            }
            FenErrorKind::RankTooLong(rank, files) | FenErrorKind::RankTooShort(rank, files) => {
                write!(f, "rank {rank} has {files} files (expected 8)")
            }
            FenErrorKind::TooManyRanks => f.write_str("there are more than 8 ranks"),
            FenErrorKind::TooFewRanks(1) => f.write_str("there is 1 rank (expected 8)"),
            FenErrorKind::TooFewRanks(count) => write!(f, "there are {count} ranks (expected 8)"),
            FenErrorKind::InvalidSide => f.write_str("expected w or b"),
            FenErrorKind::InvalidCastling(c) => {
                write!(f, "unexpected {c:?} (expected letters of KQkq, rook files A-H or a-h, or just -)")
            }
            FenErrorKind::DuplicateCastling(c) => write!(f, "{c:?} repeats a castling right"),
            FenErrorKind::CastlingOrder => f.write_str("castling rights must be in the order KQkq"),
            FenErrorKind::UnavailableCastling(c) => {
                write!(f, "{c:?} needs this side's king and rook on its first rank")
            }
            FenErrorKind::InvalidEnPassant => f.write_str("expected a square on rank 3 or 6, or -"),
            FenErrorKind::InvalidNumber if self.field == FenField::FullmoveNumber => {
                f.write_str("expected a whole number from 1 to 65535")
            }
            FenErrorKind::InvalidNumber => f.write_str("expected a whole number from 0 to 65535"),
            FenErrorKind::Board(_) => Ok(()),
        }
    }
}

impl core::error::Error for FenError {}

impl Board {
    /// Parses a FEN leniently.
    ///
    /// Beyond the standard, this accepts: extra white space; missing castling, en-passant and counter fields
    /// (defaults `-`, `-`, 0, 1), so that the four fields of an EPD are enough; full-move numbers 0 and 65536 to 999999999,
    /// read as 1 and 65535; castling letters in any order; adjacent digits; and an en-passant square on rank 3 or 6 that does not follow a
    /// possible double push, which is ignored. Castling rights may be in FEN, X-FEN or Shredder-FEN form.
    ///
    /// ```
    /// use tabiya_core::{Board, FenErrorKind};
    ///
    /// let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K -")?;
    /// assert_eq!(board.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    ///
    /// let error = Board::from_fen("4k3/8/8/9/8/8/8/4K2R w K -").unwrap_err();
    /// assert_eq!(error.kind, FenErrorKind::InvalidPiece('9'));
    /// assert_eq!(error.position, 8);
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first error, with its field and byte position.
    pub fn from_fen(fen: &str) -> Result<Board, FenError> {
        if let Some(Ok(board)) = fast::parse(fen.as_bytes()).map(|builder| builder.build()) {
            return Ok(board);
        }
        Parser::new(fen, false).parse()
    }

    /// Parses a FEN like [`from_fen`](Board::from_fen), but drops castling rights and en-passant squares that contradict the
    /// pieces instead of rejecting the FEN.
    ///
    /// The second value has one error for each castling right or en-passant square that was dropped.
    ///
    /// ```
    /// use tabiya_core::{Board, FenErrorKind};
    ///
    /// let (board, dropped) = Board::from_fen_lossy("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1")?;
    /// assert_eq!(board.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// assert_eq!(dropped[0].kind, FenErrorKind::UnavailableCastling('Q'));
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first error, with its field and byte position.
    pub fn from_fen_lossy(fen: &str) -> Result<(Board, Vec<FenError>), FenError> {
        let mut parser = Parser { dropped: Some(Vec::new()), ..Parser::new(fen, false) };
        let board = parser.parse()?;
        Ok((board, parser.dropped.unwrap_or_default()))
    }

    /// Parses a FEN like [`from_fen`](Board::from_fen), but a side may have more than sixteen pieces; see
    /// [`BoardBuilder::build_with_extra_pieces`].
    ///
    /// # Errors
    /// Returns the first error, with its field and byte position.
    pub fn from_fen_with_extra_pieces(fen: &str) -> Result<Board, FenError> {
        Parser { has_extra_pieces: true, ..Parser::new(fen, false) }.parse()
    }

    /// Parses a FEN that must follow the standard exactly: six fields, single spaces, castling rights in
    /// order, and an en-passant square only after a possible double push. X-FEN and Shredder-FEN castling
    /// rights count as standard.
    ///
    /// As in [`from_fen`](Board::from_fen), the en-passant square is kept only if an enemy pawn attacks it.
    ///
    /// # Errors
    /// Returns the first error, with its field and byte position.
    pub fn from_fen_strict(fen: &str) -> Result<Board, FenError> {
        Parser::new(fen, true).parse()
    }
}

/// Parses like [`Board::from_fen`].
impl FromStr for Board {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Board, FenError> {
        Board::from_fen(fen)
    }
}

/// Parses the first field alone.
#[cfg(feature = "serde")]
pub(crate) fn parse_placement(text: &str) -> Result<[Option<Piece>; Square::COUNT], FenError> {
    let mut builder = BoardBuilder::empty();
    Parser::new(text, true).placement((0, text), &mut builder)?;
    Ok(builder.pieces)
}

struct Parser<'a> {
    text: &'a str,
    strict: bool,
    /// Allows more than sixteen pieces a side.
    has_extra_pieces: bool,
    /// The errors of castling rights and en-passant squares that have been dropped; `None` if they must not be.
    dropped: Option<Vec<FenError>>,
}

/// A cursor over the fields of the text.
struct Fields<'a> {
    text: &'a str,
    /// The end of the last field.
    position: usize,
    strict: bool,
}

impl<'a> Fields<'a> {
    /// Returns the next field, or `None` at the end of the text. `field` is reported in errors.
    fn next(&mut self, field: FenField) -> Result<Option<Field<'a>>, FenError> {
        let bytes = self.text.as_bytes();
        let mut start = self.position;
        if self.strict {
            // Exactly one space before each field but the first, and none after the last.
            if start > 0 && start < bytes.len() {
                start += 1;
            }
            if !self.text.is_empty() && (start == bytes.len()) != (self.position == bytes.len())
                || bytes.get(start).is_some_and(u8::is_ascii_whitespace)
                || bytes[self.position..start].iter().any(|&byte| byte != b' ')
            {
                return Err(FenError { field, position: start, kind: FenErrorKind::Spacing });
            }
        } else {
            start += bytes[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        }
        let length = bytes[start..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        self.position = start + length;
        // The separators are ASCII, so both ends are character boundaries.
        Ok((length > 0).then(|| (start, &self.text[start..self.position])))
    }
}

/// The start position and the text of a field.
type Field<'a> = (usize, &'a str);

impl<'a> Parser<'a> {
    fn new(text: &'a str, strict: bool) -> Parser<'a> {
        Parser { text, strict, has_extra_pieces: false, dropped: None }
    }

    fn parse(&mut self) -> Result<Board, FenError> {
        let (text, strict) = (self.text, self.strict);
        let mut fields = Fields { text, position: 0, strict };
        let mut next = |field, default: Option<&'static str>| match fields.next(field)? {
            Some(next_field) => Ok(next_field),
            None => match default.filter(|_| !strict) {
                Some(default) => Ok((text.len(), default)),
                None => Err(FenError { field, position: text.len(), kind: FenErrorKind::MissingField }),
            },
        };

        let mut builder = BoardBuilder::empty();
        let placement_field = next(FenField::Placement, None)?;
        self.placement(placement_field, &mut builder)?;
        let (position, side) = next(FenField::SideToMove, None)?;
        builder.side_to_move = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => {
                return Err(FenError {
                    field: FenField::SideToMove,
                    position,
                    kind: FenErrorKind::InvalidSide,
                });
            }
        };
        let castling_field = next(FenField::Castling, Some("-"))?;
        self.castling(castling_field, &mut builder)?;
        let en_passant_field = next(FenField::EnPassant, Some("-"))?;
        builder.en_passant = self.en_passant(en_passant_field)?;
        builder.halfmove_clock =
            self.number(FenField::HalfmoveClock, next(FenField::HalfmoveClock, Some("0"))?, 0)?;
        builder.fullmove_number =
            self.number(FenField::FullmoveNumber, next(FenField::FullmoveNumber, Some("1"))?, 1)?;
        if let Some((position, _)) = fields.next(FenField::FullmoveNumber)? {
            return Err(FenError {
                field: FenField::FullmoveNumber,
                position,
                kind: FenErrorKind::TrailingText,
            });
        }

        let board = match builder.build_valid(self.has_extra_pieces) {
            Err(error @ BoardError::ImpossibleEnPassant(_)) if !self.strict => {
                let (field, position) = (FenField::EnPassant, en_passant_field.0);
                self.drop_or_fail(FenError { field, position, kind: FenErrorKind::Board(error) }).ok();
                builder.en_passant = None;
                builder.build_valid(self.has_extra_pieces)
            }
            result => result,
        };
        board.map_err(|error| {
            let (field, position) = match error {
                BoardError::CastlingWithoutKing(_) | BoardError::CastlingWithoutRook(..) => {
                    (FenField::Castling, castling_field.0)
                }
                BoardError::ImpossibleEnPassant(_) => (FenField::EnPassant, en_passant_field.0),
                _ => (FenField::Placement, placement_field.0),
            };
            FenError { field, position, kind: FenErrorKind::Board(error) }
        })
    }

    fn placement(&self, (start, text): Field<'_>, builder: &mut BoardBuilder) -> Result<(), FenError> {
        let error = |position, kind| FenError { field: FenField::Placement, position, kind };
        let mut rank_index = 7;
        let mut file_index = 0;
        let mut after_digit = false;
        for (offset, byte) in text.bytes().enumerate() {
            let position = start + offset;
            let rank = Rank::wrapping(rank_index);
            if let Some(piece) = Piece::from_char(byte as char) {
                if file_index < 8 {
                    builder.set(Square::new(File::wrapping(file_index), rank), Some(piece));
                }
                file_index += 1;
                after_digit = false;
            } else if matches!(byte, b'1'..=b'8') {
                if after_digit && self.strict {
                    return Err(error(position, FenErrorKind::AdjacentDigits));
                }
                file_index += byte - b'0';
                after_digit = true;
            } else if byte == b'/' {
                if file_index < 8 {
                    return Err(error(position, FenErrorKind::RankTooShort(rank, file_index.into())));
                }
                if rank_index == 0 {
                    return Err(error(position, FenErrorKind::TooManyRanks));
                }
                rank_index -= 1;
                file_index = 0;
                after_digit = false;
            } else {
                // Everything before it is ASCII, so `offset` is a character boundary.
                let c = text[offset..].chars().next().unwrap_or_default();
                return Err(error(position, FenErrorKind::InvalidPiece(c)));
            }
            if file_index > 8 {
                let rank_text = text.split('/').nth(7 - usize::from(rank_index)).unwrap_or_default();
                return Err(error(position, FenErrorKind::RankTooLong(rank, count_files(rank_text))));
            }
        }
        let end = start + text.len();
        if file_index < 8 {
            let rank = Rank::wrapping(rank_index);
            return Err(error(end, FenErrorKind::RankTooShort(rank, file_index.into())));
        }
        if rank_index > 0 {
            return Err(error(end, FenErrorKind::TooFewRanks(8 - rank_index)));
        }
        Ok(())
    }

    /// Records the error of a dropped castling right or en-passant square, or returns it if the parser is not lossy.
    fn drop_or_fail(&mut self, error: FenError) -> Result<(), FenError> {
        self.dropped.as_mut().map(|dropped| dropped.push(error)).ok_or(error)
    }

    fn castling(&mut self, (start, text): Field<'_>, builder: &mut BoardBuilder) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let mut last_order = 0;
        for (offset, c) in text.char_indices() {
            let error = |kind| FenError { field: FenField::Castling, position: start + offset, kind };
            let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
            if !matches!(c.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h') {
                return Err(error(FenErrorKind::InvalidCastling(c)));
            }
            let Some((king, rook)) = castling_right(builder, color, c.to_ascii_lowercase() as u8) else {
                self.drop_or_fail(error(FenErrorKind::UnavailableCastling(c)))?;
                continue;
            };
            let side = if rook > king { CastlingSide::King } else { CastlingSide::Queen };
            if builder.castling.rook_file(color, side).is_some() {
                self.drop_or_fail(error(FenErrorKind::DuplicateCastling(c)))?;
                continue;
            }
            builder.castling.set(color, side, Some(rook));
            let order = 1 + color.index() * 2 + side.index();
            if self.strict && order < last_order {
                return Err(error(FenErrorKind::CastlingOrder));
            }
            last_order = order;
        }
        Ok(())
    }

    fn en_passant(&mut self, (position, text): Field<'_>) -> Result<Option<Square>, FenError> {
        if text == "-" {
            return Ok(None);
        }
        let error = FenError { field: FenField::EnPassant, position, kind: FenErrorKind::InvalidEnPassant };
        match text.parse::<Square>() {
            Ok(square) if matches!(square.rank(), Rank::Third | Rank::Sixth) => Ok(Some(square)),
            Ok(_) => self.drop_or_fail(error).map(|()| None),
            Err(_) => Err(error),
        }
    }

    fn number(&self, field: FenField, (position, text): Field<'_>, min: u16) -> Result<u16, FenError> {
        let error = FenError { field, position, kind: FenErrorKind::InvalidNumber };
        if !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(error);
        }
        let number = match text.parse::<u16>() {
            Ok(number) => number,
            // Long computer games and joined games exceed the range of the board, which saturates, too.
            Err(_) if field == FenField::FullmoveNumber && !self.strict && (5..10).contains(&text.len()) => {
                u16::MAX
            }
            Err(_) => return Err(error),
        };
        if number < min && self.strict { Err(error) } else { Ok(number.max(min)) }
    }
}

/// The number of files that one rank of the placement field describes.
fn count_files(rank: &str) -> u32 {
    let files = |byte: u8| if byte.is_ascii_digit() { u32::from(byte - b'0') } else { 1 };
    rank.bytes().fold(0, |sum, byte| sum.saturating_add(files(byte)))
}

/// Returns the files of the king and the rook that a lower-case castling letter denotes: `k` and `q` denote
/// the outermost rook on that side of the king, a file letter the rook on that file.
fn castling_right(builder: &BoardBuilder, color: Color, letter: u8) -> Option<(File, File)> {
    let (king, rook) = (Piece::new(color, PieceType::King), Piece::new(color, PieceType::Rook));
    let rank = &builder.pieces[Rank::First.relative_to(color).index() * 8..][..8];
    let king_file = rank.iter().position(|&piece| piece == Some(king))?;
    let is_rook = |&piece: &Option<Piece>| piece == Some(rook);
    let rook_file = match letter {
        b'k' => rank.iter().rposition(is_rook).filter(|&file| file > king_file)?,
        b'q' => rank.iter().position(is_rook).filter(|&file| file < king_file)?,
        b'a'..=b'h' => Some(usize::from(letter - b'a')).filter(|&file| is_rook(&rank[file]))?,
        _ => return None,
    };
    Some((File::wrapping(king_file as u8), File::wrapping(rook_file as u8)))
}
