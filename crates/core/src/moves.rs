//! [`Move`] and [`MoveKind`].

use crate::ascii_buffer::AsciiBuffer;
use crate::parse_error::parse_error;
use crate::{CastlingSide, PieceType, Square};
use core::fmt;
use core::num::NonZeroU16;
use core::str::FromStr;

/// The kind of a move: the high four bits of a [`Move`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MoveKind {
    /// A move to an empty square that is none of the kinds below.
    Quiet,
    /// A pawn's advance of two squares.
    DoublePush,
    /// Castling; the target square is that of the castling rook.
    Castle(CastlingSide),
    /// A capture that is none of the kinds below.
    Capture,
    /// An en-passant capture.
    EnPassant,
    /// A promotion on an empty square.
    Promotion(PieceType),
    /// A promotion with a capture.
    PromotionCapture(PieceType),
}

impl MoveKind {
    /// All kinds.
    pub const ALL: [MoveKind; 14] = [
        MoveKind::Quiet,
        MoveKind::DoublePush,
        MoveKind::Castle(CastlingSide::King),
        MoveKind::Castle(CastlingSide::Queen),
        MoveKind::Capture,
        MoveKind::EnPassant,
        MoveKind::Promotion(PieceType::Knight),
        MoveKind::Promotion(PieceType::Bishop),
        MoveKind::Promotion(PieceType::Rook),
        MoveKind::Promotion(PieceType::Queen),
        MoveKind::PromotionCapture(PieceType::Knight),
        MoveKind::PromotionCapture(PieceType::Bishop),
        MoveKind::PromotionCapture(PieceType::Rook),
        MoveKind::PromotionCapture(PieceType::Queen),
    ];
}

/// Writes a name such as `quiet`, `en-passant`, `castle-king` or `promotion-capture-queen`.
impl fmt::Display for MoveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, promotion) = match self {
            MoveKind::Quiet => ("quiet", ""),
            MoveKind::DoublePush => ("double-push", ""),
            MoveKind::Castle(CastlingSide::King) => ("castle-king", ""),
            MoveKind::Castle(CastlingSide::Queen) => ("castle-queen", ""),
            MoveKind::Capture => ("capture", ""),
            MoveKind::EnPassant => ("en-passant", ""),
            MoveKind::Promotion(piece) => ("promotion-", piece.name()),
            MoveKind::PromotionCapture(piece) => ("promotion-capture-", piece.name()),
        };
        let mut text = AsciiBuffer::<24>::new();
        text.push_str(name);
        text.push_str(promotion);
        f.pad(text.as_str())
    }
}

/// Parses the name that [`Display`](fmt::Display) writes.
impl FromStr for MoveKind {
    type Err = ParseMoveKindError;

    fn from_str(text: &str) -> Result<MoveKind, ParseMoveKindError> {
        let promotion = |name: &str| {
            PieceType::PROMOTIONS.into_iter().find(|piece| piece.name() == name).ok_or(ParseMoveKindError)
        };
        match text {
            "quiet" => Ok(MoveKind::Quiet),
            "double-push" => Ok(MoveKind::DoublePush),
            "castle-king" => Ok(MoveKind::Castle(CastlingSide::King)),
            "castle-queen" => Ok(MoveKind::Castle(CastlingSide::Queen)),
            "capture" => Ok(MoveKind::Capture),
            "en-passant" => Ok(MoveKind::EnPassant),
            _ => {
                if let Some(name) = text.strip_prefix("promotion-capture-") {
                    promotion(name).map(MoveKind::PromotionCapture)
                } else {
                    let name = text.strip_prefix("promotion-").ok_or(ParseMoveKindError)?;
                    promotion(name).map(MoveKind::Promotion)
                }
            }
        }
    }
}

parse_error! {
    /// The error for text that is not a move kind.
    ParseMoveKindError,
    "invalid move kind: expected quiet, double-push, castle-king, castle-queen, capture, en-passant, or promotion- or promotion-capture- followed by a piece name"
}

// The four kind bits: 8 = promotion, 4 = capture. The low two bits are the promotion piece, or without
// promotion a flag for special moves: 2 = the move changes more squares than its own two.
const QUIET: u16 = 0;
const DOUBLE_PUSH: u16 = 1;
const CASTLE_KING: u16 = 2;
const CASTLE_QUEEN: u16 = 3;
const CAPTURE: u16 = 4;
const EN_PASSANT: u16 = 6;
const PROMOTION: u16 = 8;

/// A move in 16 bits: from (bits 0-5), to (bits 6-11), kind (bits 12-15).
///
/// A move is meaningful only together with the position it was generated for. Castling is encoded as "king
/// takes own rook", which is unambiguous in Chess960 too. An `Option<Move>` also takes two bytes. Moves are
/// ordered by their bits, which serves sorted collections but has no chess meaning.
///
/// ```
/// use tabiya_core::{Move, MoveKind, PieceType, Square};
///
/// let mv = Move::new(Square::E7, Square::D8, MoveKind::PromotionCapture(PieceType::Queen));
/// assert_eq!((mv.from(), mv.to()), (Square::E7, Square::D8));
/// assert!(mv.is_capture());
/// assert_eq!(mv.promotion(), Some(PieceType::Queen));
/// assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// Creates a move from its parts. A promotion to a pawn or king becomes one to a queen.
    ///
    /// # Panics
    /// Panics if `from` and `to` are both a1 and the kind is quiet: no piece moves like that, and the bit
    /// pattern 0 is reserved for "no move".
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let kind = match kind {
            MoveKind::Quiet => QUIET,
            MoveKind::DoublePush => DOUBLE_PUSH,
            MoveKind::Castle(CastlingSide::King) => CASTLE_KING,
            MoveKind::Castle(CastlingSide::Queen) => CASTLE_QUEEN,
            MoveKind::Capture => CAPTURE,
            MoveKind::EnPassant => EN_PASSANT,
            MoveKind::Promotion(piece) => PROMOTION | promotion_bits(piece),
            MoveKind::PromotionCapture(piece) => PROMOTION | CAPTURE | promotion_bits(piece),
        };
        match NonZeroU16::new(from as u16 | (to as u16) << 6 | kind << 12) {
            Some(bits) => Move(bits),
            None => panic!("a1a1 is not a move"),
        }
    }

    /// The 16 bits, never 0.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// Creates a move from its 16 bits, or returns `None` for 0.
    ///
    /// The result may be illegal in every position: check it with `Position::is_legal` of `tabiya-movegen`
    /// before playing it.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The square the piece moves from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::wrapping(self.to_bits() as u8)
    }

    /// The square the piece moves to; for castling, the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::wrapping((self.to_bits() >> 6) as u8)
    }

    /// The kind of the move. The two bit patterns that [`Move::new`] never produces (kinds 5 and 7) are
    /// reported as captures; see [`Move::is_canonical`].
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.to_bits() >> 12 {
            QUIET => MoveKind::Quiet,
            DOUBLE_PUSH => MoveKind::DoublePush,
            CASTLE_KING => MoveKind::Castle(CastlingSide::King),
            CASTLE_QUEEN => MoveKind::Castle(CastlingSide::Queen),
            EN_PASSANT => MoveKind::EnPassant,
            bits if bits & PROMOTION == 0 => MoveKind::Capture,
            bits if bits & CAPTURE == 0 => MoveKind::Promotion(promotion_piece(bits)),
            bits => MoveKind::PromotionCapture(promotion_piece(bits)),
        }
    }

    /// Returns true if [`Move::new`] can produce these bits.
    #[inline]
    pub const fn is_canonical(self) -> bool {
        !matches!(self.to_bits() >> 12, 5 | 7)
    }

    /// Returns true for captures, including en passant and promotions with capture.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.to_bits() & CAPTURE << 12 != 0
    }

    /// Returns true for castling.
    #[inline]
    pub const fn is_castle(self) -> bool {
        matches!(self.to_bits() >> 12, CASTLE_KING | CASTLE_QUEEN)
    }

    /// The side the king castles to, or `None` if the move is not castling.
    #[inline]
    pub const fn castling_side(self) -> Option<CastlingSide> {
        match self.to_bits() >> 12 {
            CASTLE_KING => Some(CastlingSide::King),
            CASTLE_QUEEN => Some(CastlingSide::Queen),
            _ => None,
        }
    }

    /// Returns true for a pawn's advance of two squares.
    #[inline]
    pub const fn is_double_push(self) -> bool {
        self.to_bits() >> 12 == DOUBLE_PUSH
    }

    /// Returns true for en-passant captures.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.to_bits() >> 12 == EN_PASSANT
    }

    /// The type a pawn promotes to, or `None` if the move is not a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        let bits = self.to_bits() >> 12;
        if bits & PROMOTION != 0 { Some(promotion_piece(bits)) } else { None }
    }

    /// Returns true for quiet moves, double pushes and ordinary captures: one piece moves unchanged, and at
    /// most the piece on its target square disappears.
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        const _: () = assert!(CASTLE_KING & CASTLE_QUEEN & EN_PASSANT == 2);
        self.to_bits() & (PROMOTION | 2) << 12 == 0
    }

    /// [`is_double_push`](Move::is_double_push) for a plain move, where testing one bit is enough.
    #[inline]
    pub(crate) const fn is_plain_double_push(self) -> bool {
        self.to_bits() & DOUBLE_PUSH << 12 != 0
    }

    /// Returns true if the move is neither a capture nor a promotion.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        self.to_bits() & (CAPTURE | PROMOTION) << 12 == 0
    }

    /// The square the moving piece ends on: the king's square after castling, otherwise [`Move::to`].
    #[inline]
    pub const fn destination(self) -> Square {
        match self.kind() {
            MoveKind::Castle(side) => Square::new(side.king_file(), self.from().rank()),
            _ => self.to(),
        }
    }
}

#[inline]
const fn promotion_bits(piece: PieceType) -> u16 {
    match piece {
        PieceType::Knight => 0,
        PieceType::Bishop => 1,
        PieceType::Rook => 2,
        _ => 3,
    }
}

#[inline]
const fn promotion_piece(bits: u16) -> PieceType {
    PieceType::PROMOTIONS[(bits & 3) as usize]
}

/// Writes the coordinates in UCI notation, with castling as it is encoded, "king takes rook". To read a move, use
/// [`UciMove`](crate::notation::UciMove) and `Position::parse_uci` of `tabiya-movegen`: the kind of a move, which the text lacks, follows
/// from the position.
///
/// ```
/// use tabiya_core::{Move, MoveKind, PieceType, Square};
///
/// let mv = Move::new(Square::A7, Square::A8, MoveKind::Promotion(PieceType::Queen));
/// assert_eq!(mv.to_string(), "a7a8q");
/// ```
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_uci(true), f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Castling is written as it is encoded, as "king takes rook", so mark it as castling.
        write!(f, "{}{}", self.to_uci(true), if self.is_castle() { " (castles)" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_kinds_round_trip() {
        for kind in MoveKind::ALL {
            let mv = Move::new(Square::A1, Square::H8, kind);
            assert_eq!(mv.kind(), kind);
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert!(mv.is_canonical());
            assert_eq!((mv.from(), mv.to()), (Square::A1, Square::H8));
            let captures =
                matches!(kind, MoveKind::Capture | MoveKind::EnPassant | MoveKind::PromotionCapture(_));
            assert_eq!(mv.is_capture(), captures);
        }
        assert_eq!(size_of::<Option<Move>>(), 2);
        let promotion = MoveKind::PromotionCapture(PieceType::Knight);
        assert_eq!(format!("{promotion:<25}|"), "promotion-capture-knight |");
        assert_eq!(format!("{:>6}", Move::new(Square::A1, Square::H8, MoveKind::Quiet)), "  a1h8");
        for bad in ["", "Quiet", "promotion", "promotion-king", "promotion-capture-", "castle"] {
            assert_eq!(bad.parse::<MoveKind>(), Err(ParseMoveKindError), "{bad}");
        }
    }

    #[test]
    fn castling_is_written_in_both_uci_forms() {
        let mv = Move::new(Square::E8, Square::A8, MoveKind::Castle(CastlingSide::Queen));
        assert_eq!(mv.to_uci(false).to_string(), "e8c8");
        assert_eq!(mv.to_uci(true).to_string(), "e8a8");
    }
}
