use crate::notation::UciMove;
use crate::parse_error::parse_error;
use crate::{CastlingSide, File, PieceType, Square};
use core::fmt;
use core::num::NonZeroU16;
use core::str::FromStr;

/// What sort of move it is: the high four bits of a [`Move`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A move to an empty square that is none of the kinds below.
    Quiet,
    /// A pawn's first move of two squares.
    DoublePush,
    /// Castling; the target square is that of the castling rook.
    Castle(CastlingSide),
    /// A capture that is none of the kinds below.
    Capture,
    /// A pawn captures a pawn that has just passed it by.
    EnPassant,
    /// A pawn reaches the last rank on an empty square.
    Promotion(PieceType),
    /// A pawn captures on the last rank.
    PromotionCapture(PieceType),
}

impl MoveKind {
    /// Every kind there is.
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

/// A word such as `quiet`, `en-passant`, `castle-king` or `promotion-capture-queen`.
impl fmt::Display for MoveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveKind::Quiet => f.pad("quiet"),
            MoveKind::DoublePush => f.pad("double-push"),
            MoveKind::Castle(CastlingSide::King) => f.pad("castle-king"),
            MoveKind::Castle(CastlingSide::Queen) => f.pad("castle-queen"),
            MoveKind::Capture => f.pad("capture"),
            MoveKind::EnPassant => f.pad("en-passant"),
            MoveKind::Promotion(piece) => write!(f, "promotion-{piece}"),
            MoveKind::PromotionCapture(piece) => write!(f, "promotion-capture-{piece}"),
        }
    }
}

/// The word that [`Display`](fmt::Display) writes.
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
    /// The text is not a kind of move.
    ParseMoveKindError,
    "not a kind of move: expected quiet, double-push, castle-king, castle-queen, capture, en-passant, or promotion- or promotion-capture- with the piece behind it"
}

// The four kind bits: 8 = promotion, 4 = capture; the low two bits tell the promotion piece, or
// which of the moves without promotion it is. There, 2 = more happens than that a piece goes from one
// square to another.
const QUIET: u16 = 0;
const DOUBLE_PUSH: u16 = 1;
const CASTLE_KING: u16 = 2;
const CASTLE_QUEEN: u16 = 3;
const CAPTURE: u16 = 4;
const EN_PASSANT: u16 = 6;
const PROMOTION: u16 = 8;

/// A move in 16 bits: from (bits 0-5), to (bits 6-11), kind (bits 12-15).
///
/// It means something only together with the position it was generated for. Castling is encoded
/// as "king takes own rook", which is unambiguous in Chess960 too. An `Option<Move>` takes two
/// bytes as well. Moves are ordered by their bits, which is good for sorted collections and means
/// nothing else.
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
    /// Puts a move together.
    ///
    /// # Panics
    /// If `from` and `to` are both a1: no piece moves like that, and the bit pattern 0 is kept
    /// free for "no move".
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

    /// A move from any 16 bits; `None` for 0. The result need not make sense anywhere: ask
    /// `Position::is_legal` of `tabiya-movegen` before playing it.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The square the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::wrapping(self.to_bits() as u8)
    }

    /// The square the piece goes to; for castling, the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::wrapping((self.to_bits() >> 6) as u8)
    }

    /// The kind of move. The two bit patterns that [`Move::new`] never makes (kinds 5 and 7) read as
    /// captures; see [`Move::is_canonical`].
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

    /// Could [`Move::new`] have made these bits?
    #[inline]
    pub const fn is_canonical(self) -> bool {
        !matches!(self.to_bits() >> 12, 5 | 7)
    }

    /// Does the move take a piece, en passant included?
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.to_bits() & CAPTURE << 12 != 0
    }

    /// Is it castling?
    #[inline]
    pub const fn is_castle(self) -> bool {
        matches!(self.to_bits() >> 12, CASTLE_KING | CASTLE_QUEEN)
    }

    /// The side it castles to, if it is castling.
    #[inline]
    pub const fn castling_side(self) -> Option<CastlingSide> {
        match self.to_bits() >> 12 {
            CASTLE_KING => Some(CastlingSide::King),
            CASTLE_QUEEN => Some(CastlingSide::Queen),
            _ => None,
        }
    }

    /// Is it a pawn's first move of two squares?
    #[inline]
    pub const fn is_double_push(self) -> bool {
        self.to_bits() >> 12 == DOUBLE_PUSH
    }

    /// Is it an en-passant capture?
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.to_bits() >> 12 == EN_PASSANT
    }

    /// The piece a pawn promotes to.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        let bits = self.to_bits() >> 12;
        if bits & PROMOTION != 0 { Some(promotion_piece(bits)) } else { None }
    }

    /// Does one piece go from one square to another and nothing else happen, but perhaps that it
    /// takes what stands there?
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        const _: () = assert!(CASTLE_KING & CASTLE_QUEEN & EN_PASSANT == 2);
        self.to_bits() & (PROMOTION | 2) << 12 == 0
    }

    /// [`is_double_push`](Move::is_double_push) for a plain move, where one bit tells.
    #[inline]
    pub(crate) const fn is_plain_double_push(self) -> bool {
        self.to_bits() & DOUBLE_PUSH << 12 != 0
    }

    /// Neither a capture nor a promotion: the moves a quiescence search leaves out.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        self.to_bits() & (CAPTURE | PROMOTION) << 12 == 0
    }

    /// The square a king ends on when it castles, or [`Move::to`] for any other move.
    #[inline]
    pub const fn destination(self) -> Square {
        match self.kind() {
            MoveKind::Castle(side) => Square::new(side.king_file(), self.from().rank()),
            _ => self.to(),
        }
    }

    /// The move in UCI coordinates. `chess960` chooses how castling is written: as "king takes
    /// rook" (`e1h1`) or as the king's two-square step (`e1g1`).
    pub const fn to_uci(self, chess960: bool) -> UciMove {
        let to = if chess960 { self.to() } else { self.destination() };
        UciMove::Normal { from: self.from(), to, promotion: self.promotion() }
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

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Castling is shown as it is stored, so that a dump of the bits can be read back.
        let castle = matches!(self.from().file(), File::E) && self.is_castle();
        write!(f, "{}{}", self.to_uci(true), if castle { " (castles)" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_round_trip() {
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
        for bad in ["", "Quiet", "promotion", "promotion-king", "promotion-capture-", "castle"] {
            assert_eq!(bad.parse::<MoveKind>(), Err(ParseMoveKindError), "{bad}");
        }
    }

    #[test]
    fn castling_in_both_notations() {
        let mv = Move::new(Square::E8, Square::A8, MoveKind::Castle(CastlingSide::Queen));
        assert_eq!(mv.to_uci(false).to_string(), "e8c8");
        assert_eq!(mv.to_uci(true).to_string(), "e8a8");
    }
}
