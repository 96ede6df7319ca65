mod quick;
mod write;

use crate::{Board, BoardBuilder, BoardError, CastlingSide, Color, File, Piece, PieceType};
use crate::{Rank, Square};
use core::fmt;
use core::str::FromStr;

/// One of the six fields of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenField {
    /// The pieces, rank 8 first.
    Placement,
    /// `w` or `b`.
    SideToMove,
    /// `KQkq`, a part of it, files of rooks, or `-`.
    Castling,
    /// A square or `-`.
    EnPassant,
    /// Half-moves since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move.
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
            FenField::FullmoveNumber => "move number",
        })
    }
}

/// Why a text is not a FEN: what is wrong, in which field, at which byte of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FenError {
    /// The field that could not be read. For [`FenErrorKind::Board`] the castling or en-passant field
    /// if that is what does not fit the pieces, otherwise the placement.
    pub field: FenField,
    /// Where in the text, in bytes from its start. For [`FenErrorKind::Board`] the start of the field.
    pub position: usize,
    /// What is wrong.
    pub kind: FenErrorKind,
}

/// What is wrong with a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FenErrorKind {
    /// The text ends before this field.
    MissingField,
    /// There is text after the last field.
    TrailingText,
    /// Fields must be separated by exactly one space, with none around them (strict reading only).
    Spacing,
    /// Not a piece letter, a digit 1 to 8 or a slash.
    InvalidPiece(char),
    /// Two digits side by side, where one digit should say their sum (strict reading only).
    AdjacentDigits,
    /// The rank describes more than eight squares.
    RankTooLong(Rank),
    /// The rank describes fewer than eight squares.
    RankTooShort(Rank),
    /// There are more than eight ranks.
    TooManyRanks,
    /// There are fewer than eight ranks.
    TooFewRanks(u8),
    /// The side to move is neither `w` nor `b`.
    InvalidSide,
    /// Not one of `KQkq`, a file letter of either case, or a lone `-`.
    InvalidCastling(char),
    /// The same right twice, or two rooks for one right.
    DuplicateCastling(char),
    /// The castling letters are not in the order White before Black, king's side before queen's
    /// (strict reading only).
    CastlingOrder,
    /// The letter stands for a castling right, but that king or rook is not where it must be.
    UnavailableCastling(char),
    /// Not a square of rank 3 or 6, or `-`.
    InvalidEnPassant,
    /// Not a whole number from 0 (move number: 1) to 65535.
    InvalidNumber,
    /// Everything can be read, but it is not a position of chess.
    Board(BoardError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let FenErrorKind::Board(error) = self.kind {
            return write!(f, "illegal position: {error}");
        }
        write!(f, "bad FEN, {} field, at byte {}: ", self.field, self.position)?;
        match self.kind {
            FenErrorKind::MissingField => f.write_str("the field is missing"),
            FenErrorKind::TrailingText => f.write_str("unexpected text after the last field"),
            FenErrorKind::Spacing => f.write_str("fields must be separated by exactly one space"),
            FenErrorKind::InvalidPiece(c) => {
                write!(f, "{c:?} is not one of PNBRQKpnbrqk, a digit 1-8 or a slash")
            }
            FenErrorKind::AdjacentDigits => {
                f.write_str("two digits side by side; write the number of empty squares as one digit")
            }
            FenErrorKind::RankTooLong(rank) => write!(f, "rank {rank} has more than 8 squares"),
            FenErrorKind::RankTooShort(rank) => write!(f, "rank {rank} has fewer than 8 squares"),
            FenErrorKind::TooManyRanks => f.write_str("there are more than 8 ranks"),
            FenErrorKind::TooFewRanks(count) => write!(f, "there are only {count} of 8 ranks"),
            FenErrorKind::InvalidSide => f.write_str("expected w or b"),
            FenErrorKind::InvalidCastling(c) => {
                write!(f, "{c:?} is not one of KQkq, a rook file A-H or a-h, or a lone -")
            }
            FenErrorKind::DuplicateCastling(c) => write!(f, "{c:?} gives the same castling right again"),
            FenErrorKind::CastlingOrder => f.write_str("castling rights must be in the order KQkq"),
            FenErrorKind::UnavailableCastling(c) => {
                write!(f, "{c:?} needs the king on its first rank and a rook of its own there")
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

impl core::error::Error for FenError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            FenErrorKind::Board(error) => Some(error),
            _ => None,
        }
    }
}

impl Board {
    /// Reads a FEN as people and programs write it.
    ///
    /// Beyond the standard this accepts: extra white space; a missing castling, en-passant or
    /// counter field (`-`, `-`, 0, 1), so that the four fields of an EPD are enough; the move
    /// number 0; castling letters in any order; digits side by side; an en-passant square that no
    /// pawn can have passed, which is ignored. Castling may be in FEN, X-FEN or Shredder-FEN form.
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
    /// What is wrong, in which field and at which byte.
    pub fn from_fen(fen: &str) -> Result<Board, FenError> {
        if let Some(Ok(board)) = quick::read(fen.as_bytes()).map(|builder| builder.build()) {
            return Ok(board);
        }
        Reader { text: fen, strict: false }.read()
    }

    /// Reads a FEN that keeps to the standard in every detail: six fields, single spaces, rights
    /// in order, an en-passant square only behind a pawn that can just have moved there. X-FEN and
    /// Shredder-FEN castling count as standard.
    ///
    /// As everywhere, the en-passant square is kept only if an enemy pawn attacks it.
    ///
    /// # Errors
    /// What is wrong, in which field and at which byte.
    pub fn from_fen_strict(fen: &str) -> Result<Board, FenError> {
        Reader { text: fen, strict: true }.read()
    }
}

/// The same as [`Board::from_fen`].
impl FromStr for Board {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Board, FenError> {
        Board::from_fen(fen)
    }
}

struct Reader<'a> {
    text: &'a str,
    strict: bool,
}

/// The fields of the text, one after the other.
struct Fields<'a> {
    text: &'a str,
    position: usize,
    strict: bool,
}

impl<'a> Fields<'a> {
    /// The next field, which is to be `field`, if there is one.
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
            {
                return Err(FenError { field, position: start, kind: FenErrorKind::Spacing });
            }
        } else {
            start += bytes[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        }
        let length = bytes[start..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        self.position = start + length;
        // White space is ASCII, so both ends are character boundaries.
        Ok((length > 0).then(|| (start, &self.text[start..self.position])))
    }
}

/// A field's text and where it starts.
type Field<'a> = (usize, &'a str);

impl<'a> Reader<'a> {
    fn read(&self) -> Result<Board, FenError> {
        let mut fields = Fields { text: self.text, position: 0, strict: self.strict };
        let mut next = |field, default: Option<&'static str>| match fields.next(field)? {
            Some(found) => Ok(found),
            None => match default.filter(|_| !self.strict) {
                Some(text) => Ok((self.text.len(), text)),
                None => Err(FenError { field, position: self.text.len(), kind: FenErrorKind::MissingField }),
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
        builder.en_passant = en_passant(en_passant_field)?;
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

        let board = match builder.build() {
            Err(BoardError::ImpossibleEnPassant(_)) if !self.strict => {
                builder.en_passant = None;
                builder.build()
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
                    return Err(error(position, FenErrorKind::RankTooShort(rank)));
                }
                if rank_index == 0 {
                    return Err(error(position, FenErrorKind::TooManyRanks));
                }
                rank_index -= 1;
                file_index = 0;
                after_digit = false;
            } else {
                // All before it was ASCII, so this is where a character starts.
                let c = text[offset..].chars().next().unwrap_or_default();
                return Err(error(position, FenErrorKind::InvalidPiece(c)));
            }
            if file_index > 8 {
                return Err(error(position, FenErrorKind::RankTooLong(rank)));
            }
        }
        let end = start + text.len();
        if file_index < 8 {
            return Err(error(end, FenErrorKind::RankTooShort(Rank::wrapping(rank_index))));
        }
        if rank_index > 0 {
            return Err(error(end, FenErrorKind::TooFewRanks(8 - rank_index)));
        }
        Ok(())
    }

    fn castling(&self, (start, text): Field<'_>, builder: &mut BoardBuilder) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let mut last = 0;
        for (offset, c) in text.char_indices() {
            let error = |kind| FenError { field: FenField::Castling, position: start + offset, kind };
            let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
            let (king, wanted) = match c.to_ascii_lowercase() {
                'k' | 'q' | 'a'..='h' => castling_right(builder, color, c.to_ascii_lowercase() as u8)
                    .ok_or_else(|| error(FenErrorKind::UnavailableCastling(c)))?,
                _ => return Err(error(FenErrorKind::InvalidCastling(c))),
            };
            let side = if wanted > king { CastlingSide::King } else { CastlingSide::Queen };
            if builder.castling.rook_file(color, side).is_some() {
                return Err(error(FenErrorKind::DuplicateCastling(c)));
            }
            builder.castling.set(color, side, Some(wanted));
            let order = 1 + color.index() * 2 + side.index();
            if self.strict && order < last {
                return Err(error(FenErrorKind::CastlingOrder));
            }
            last = order;
        }
        Ok(())
    }

    fn number(&self, field: FenField, (position, text): Field<'_>, least: u16) -> Result<u16, FenError> {
        let error = FenError { field, position, kind: FenErrorKind::InvalidNumber };
        if !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(error);
        }
        let number: u16 = text.parse().map_err(|_| error)?;
        if number < least && self.strict { Err(error) } else { Ok(number.max(least)) }
    }
}

fn en_passant((position, text): Field<'_>) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    match text.parse::<Square>() {
        Ok(square) if matches!(square.rank(), Rank::Third | Rank::Sixth) => Ok(Some(square)),
        _ => Err(FenError { field: FenField::EnPassant, position, kind: FenErrorKind::InvalidEnPassant }),
    }
}

/// The king's file and the rook's file that a castling letter (in lower case) stands for: `k` and
/// `q` for the outermost rook on that side of the king, a file letter for the rook there.
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
