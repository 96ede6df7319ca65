//! Resolution of UCI and SAN text to legal moves, and SAN for a move.

use crate::attacks;
use crate::filter::Filter;
use crate::position::Position;
use alloc::vec::Vec;
use core::fmt;
use tabiya_core::notation::{ParseSanError, ParseUciMoveError, San, SanMove, SanSuffix, UciMove};
use tabiya_core::{Bitboard, CastlingSide, Color, File, Move, MoveKind, Piece, PieceType, Rank, Square};

/// Error from resolving a UCI move in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResolveUciError {
    /// The text is not a UCI move.
    Syntax(ParseUciMoveError),
    /// The move is the null move `0000`.
    Null,
    /// This origin square is empty.
    NoPiece(Square),
    /// The piece on this origin square does not belong to the side to move, which is given.
    WrongSide(Square, Color),
    /// A pawn reaches the last rank, but the promotion piece is missing.
    MissingPromotion,
    /// A promotion piece is given, but no pawn reaches the last rank.
    UnexpectedPromotion,
    /// The piece cannot move there, or would leave its king in check.
    Illegal(UciMove),
}

impl fmt::Display for ResolveUciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResolveUciError::Syntax(error) => write!(f, "not a move: {error}"),
            ResolveUciError::Null => f.write_str("the null move 0000 cannot be played"),
            ResolveUciError::NoPiece(square) => write!(f, "there is no piece on {square}"),
            ResolveUciError::WrongSide(square, color) => {
                write!(f, "the piece on {square} is not {color}'s, but {color} is to move")
            }
            ResolveUciError::MissingPromotion => {
                f.write_str("the pawn promotes; add n, b, r or q, as in e7e8q")
            }
            ResolveUciError::UnexpectedPromotion => {
                f.write_str("a promotion piece is given, but no pawn reaches the last rank")
            }
            ResolveUciError::Illegal(mv) => write!(f, "{mv} is not a legal move here"),
        }
    }
}

impl core::error::Error for ResolveUciError {}

/// Error from resolving a SAN move in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResolveSanError {
    /// The text is not a SAN move.
    Syntax(ParseSanError),
    /// The move is a null move.
    Null,
    /// No legal move matches.
    Illegal,
    /// More than one legal move matches.
    Ambiguous,
    /// A pawn reaches the last rank, but the promotion piece is missing.
    MissingPromotion,
}

impl fmt::Display for ResolveSanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResolveSanError::Syntax(error) => write!(f, "not a move: {error}"),
            ResolveSanError::Null => f.write_str("a null move cannot be played"),
            ResolveSanError::Illegal => f.write_str("no legal move fits"),
            ResolveSanError::Ambiguous => {
                f.write_str("more than one legal move fits; add the file or rank of the origin square")
            }
            ResolveSanError::MissingPromotion => {
                f.write_str("the pawn promotes; add =N, =B, =R or =Q, as in e8=Q")
            }
        }
    }
}

impl core::error::Error for ResolveSanError {}

impl Position {
    /// Parses a move in UCI notation and returns the legal move it stands for.
    ///
    /// Castling is accepted both as a two-square king move (`e1g1`) and as "king takes own rook" (`e1h1`).
    ///
    /// ```
    /// use tabiya_core::Square;
    /// use tabiya_movegen::{Position, ResolveUciError};
    ///
    /// let position = Position::startpos();
    /// assert_eq!(position.parse_uci("g1f3")?.to(), Square::F3);
    /// assert_eq!(position.parse_uci("e4e5"), Err(ResolveUciError::NoPiece(Square::E4)));
    /// # Ok::<(), ResolveUciError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not a UCI move, or the move is not legal.
    pub fn parse_uci(&self, text: &str) -> Result<Move, ResolveUciError> {
        self.resolve_uci(text.parse().map_err(ResolveUciError::Syntax)?)
    }

    /// Returns the legal move that a UCI move stands for.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn resolve_uci(&self, uci: UciMove) -> Result<Move, ResolveUciError> {
        let UciMove::Normal { from, to, promotion } = uci else { return Err(ResolveUciError::Null) };
        let us = self.side_to_move();
        let piece = self.piece_on(from).ok_or(ResolveUciError::NoPiece(from))?;
        if piece.color() != us {
            return Err(ResolveUciError::WrongSide(from, us));
        }
        if from == to {
            return Err(ResolveUciError::Illegal(uci));
        }
        let mv = self.move_from_uci(piece, from, to, promotion);
        if self.is_legal(mv) {
            return Ok(mv);
        }
        let queening = self.move_from_uci(piece, from, to, Some(PieceType::Queen));
        let without_promotion = self.move_from_uci(piece, from, to, None);
        Err(match promotion {
            None if piece.piece_type() == PieceType::Pawn && self.is_legal(queening) => {
                ResolveUciError::MissingPromotion
            }
            Some(_) if self.is_legal(without_promotion) => ResolveUciError::UnexpectedPromotion,
            _ => ResolveUciError::Illegal(uci),
        })
    }

    /// Returns the move, legal or not, that UCI coordinates stand for.
    fn move_from_uci(&self, piece: Piece, from: Square, to: Square, promotion: Option<PieceType>) -> Move {
        if piece.piece_type() == PieceType::King
            && promotion.is_none()
            && let Some((side, rook)) = self.castling_from_uci(from, to)
        {
            return Move::new(from, rook, MoveKind::Castle(side));
        }
        self.normal_move(piece, from, to, promotion)
    }

    /// Returns the move, legal or not and other than castling, of `piece` between these squares.
    fn normal_move(&self, piece: Piece, from: Square, to: Square, promotion: Option<PieceType>) -> Move {
        let is_pawn = piece.piece_type() == PieceType::Pawn;
        let kind = match (promotion, self.piece_on(to)) {
            (Some(piece), None) => MoveKind::Promotion(piece),
            (Some(piece), Some(_)) => MoveKind::PromotionCapture(piece),
            (None, Some(_)) => MoveKind::Capture,
            (None, None) if is_pawn && from.file() != to.file() => MoveKind::EnPassant,
            (None, None) if is_pawn && from.distance(to) == 2 => MoveKind::DoublePush,
            (None, None) => MoveKind::Quiet,
        };
        Move::new(from, to, kind)
    }

    /// Returns the side and the rook if a king move from `from` to `to` denotes castling.
    fn castling_from_uci(&self, from: Square, to: Square) -> Option<(CastlingSide, Square)> {
        let us = self.side_to_move();
        CastlingSide::ALL.into_iter().find_map(|side| {
            let rook = self.castling_rook(us, side)?;
            let king_to = Square::new(side.king_file(), from.rank());
            // A step to a neighbouring square is a king move, even if castling would end there (Chess960).
            (to == rook || to == king_to && from.distance(to) > 1).then_some((side, rook))
        })
    }

    /// Parses a move in standard algebraic notation (SAN) and returns the legal move it stands for.
    ///
    /// Check and mate suffixes are ignored. [`San`] documents which other deviations are accepted.
    ///
    /// ```
    /// use tabiya_movegen::{Position, ResolveSanError};
    ///
    /// let position = Position::startpos();
    /// assert_eq!(position.parse_san("Nf3"), position.parse_san("Ng1-f3"));
    /// assert_eq!(position.parse_san("Nf4"), Err(ResolveSanError::Illegal));
    /// ```
    ///
    /// # Errors
    /// If the text is not a SAN move, or not exactly one legal move matches.
    pub fn parse_san(&self, text: &str) -> Result<Move, ResolveSanError> {
        self.resolve_san(text.parse().map_err(ResolveSanError::Syntax)?)
    }

    /// Returns the legal move that a SAN move stands for. The capture mark `x` is optional, and plain
    /// coordinates (`g1f3`) are accepted for every piece. A king's move to the square where castling ends, or to the rook's, is castling
    /// if the king cannot step there. Without its first letter, a move is that of a pawn or else of the only piece (`xg5`, `2f4`).
    ///
    /// # Errors
    /// If not exactly one legal move matches.
    #[inline]
    pub fn resolve_san(&self, san: San) -> Result<Move, ResolveSanError> {
        let us = self.side_to_move();
        match san.mv {
            SanMove::Null => Err(ResolveSanError::Null),
            SanMove::Castle(side) => {
                let rook = self.castling_rook(us, side).ok_or(ResolveSanError::Illegal)?;
                let mv = Move::new(self.king(us), rook, MoveKind::Castle(side));
                if self.is_legal(mv) { Ok(mv) } else { Err(ResolveSanError::Illegal) }
            }
            SanMove::Normal { piece, file, rank, to, promotion, .. } => {
                let piece = Piece::new(us, piece);
                let mut origins = self.legal_origins(piece, file, to);
                if let Some(file) = file {
                    origins &= file.bitboard();
                }
                if let Some(rank) = rank {
                    origins &= rank.bitboard();
                }
                let Some(from) = origins.first() else { return self.resolve_unusual(san) };
                if origins.more_than_one() {
                    return Err(ResolveSanError::Ambiguous);
                }
                let promotes =
                    piece.piece_type() == PieceType::Pawn && to.rank() == Rank::Eighth.relative_to(us);
                match promotion {
                    None if promotes => Err(ResolveSanError::MissingPromotion),
                    Some(_) if !promotes => Err(ResolveSanError::Illegal),
                    _ => Ok(self.normal_move(piece, from, to, promotion)),
                }
            }
        }
    }

    /// Returns the legal move that stands in one of the unusual forms: castling written as a king's move (`Kg1`, `Kh1`),
    /// plain coordinates of any piece (`g1f3`), or a move without its first letter (`xg5`, `2f4`). The SAN parser reads all but the
    /// first as pawn moves.
    #[cold]
    fn resolve_unusual(&self, san: San) -> Result<Move, ResolveSanError> {
        let SanMove::Normal { piece, file, rank, capture, to, promotion } = san.mv else {
            return Err(ResolveSanError::Illegal);
        };
        let from = match (piece, file, rank) {
            (PieceType::King, ..) if promotion.is_none() => {
                let king = self.king(self.side_to_move());
                let fits =
                    file.unwrap_or(king.file()) == king.file() && rank.unwrap_or(king.rank()) == king.rank();
                Some(king).filter(|&king| fits && self.castling_from_uci(king, to).is_some())
            }
            (PieceType::Pawn, Some(file), Some(rank)) if promotion.is_none() => Some(Square::new(file, rank)),
            (PieceType::Pawn, None, _) if capture || rank.is_some() => {
                return self.resolve_by_target(to, rank, capture, promotion);
            }
            _ => None,
        };
        let from = from.ok_or(ResolveSanError::Illegal)?;
        self.resolve_uci(UciMove::Normal { from, to, promotion: None }).map_err(|_| ResolveSanError::Illegal)
    }

    /// Returns the only legal move to a square, of a pawn if one can move there, otherwise of any piece.
    fn resolve_by_target(
        &self,
        to: Square,
        rank: Option<Rank>,
        capture: bool,
        promotion: Option<PieceType>,
    ) -> Result<Move, ResolveSanError> {
        let is_pawn =
            |mv: &Move| self.piece_on(mv.from()).is_some_and(|piece| piece.piece_type() == PieceType::Pawn);
        let fits = |mv: &Move| {
            !mv.is_castle()
                && (mv.is_capture() || !capture)
                && rank.is_none_or(|rank| rank == mv.from().rank())
        };
        let mut moves: Vec<Move> =
            self.moves(Filter::ALL.to(to.bitboard())).into_iter().filter(fits).collect();
        if moves.iter().any(is_pawn) {
            moves.retain(is_pawn);
        }
        if promotion.is_none() && moves.iter().any(|mv| mv.promotion().is_some()) {
            return Err(ResolveSanError::MissingPromotion);
        }
        moves.retain(|mv| mv.promotion() == promotion);
        match moves[..] {
            [] => Err(ResolveSanError::Illegal),
            [mv] => Ok(mv),
            _ => Err(ResolveSanError::Ambiguous),
        }
    }

    /// Returns the squares from which a `piece` of the side to move can legally move to `to`, castling aside.
    /// For pawns these are pushes if `file` is `None` or the file of `to`, and captures otherwise.
    #[inline]
    fn legal_origins(&self, piece: Piece, file: Option<File>, to: Square) -> Bitboard {
        let us = piece.color();
        if self.by_color(us).contains(to) {
            return Bitboard::EMPTY;
        }
        let own = self.pieces(us, piece.piece_type());
        let candidates = match piece.piece_type() {
            PieceType::Pawn if file.is_none_or(|file| file == to.file()) => self.pawns_behind(us, to),
            PieceType::Pawn if self.occupied().contains(to) => attacks::pawn_attacks(!us, to),
            kind @ (PieceType::Pawn | PieceType::King) => {
                let origins = own & attacks::piece_attacks(Piece::new(!us, kind), to, self.occupied());
                let legal = |from: &Square| self.is_legal(self.normal_move(piece, *from, to, None));
                return origins.into_iter().filter(legal).collect();
            }
            _ => attacks::piece_attacks(piece, to, self.occupied()),
        };
        // A pinned piece must stay on its line through the king, which then goes through `to` as well.
        let (legality, king) = (self.legality(), self.king(us));
        let unpinned = !legality.pinned | attacks::line(king, to);
        if legality.check_mask(king).contains(to) { own & candidates & unpinned } else { Bitboard::EMPTY }
    }

    /// Returns the squares from which a pawn could be pushed to `to`: the square behind it, and the one
    /// behind that if a double push from there is not blocked.
    #[inline]
    fn pawns_behind(&self, us: Color, to: Square) -> Bitboard {
        if self.occupied().contains(to) {
            return Bitboard::EMPTY;
        }
        let one = to.bitboard().forward(!us);
        let two = (one - self.occupied()).forward(!us) & Rank::Second.relative_to(us).bitboard();
        one | two
    }

    /// Returns the move in standard algebraic notation, with minimal disambiguation and with its check or
    /// mate suffix.
    ///
    /// The move must be legal; the result for an illegal move is meaningless.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse()?;
    /// let text = |uci| Ok::<_, tabiya_movegen::ResolveUciError>(position.san(position.parse_uci(uci)?).to_string());
    /// assert_eq!(text("e1c1")?, "O-O-O");
    /// assert_eq!(text("a1a8")?, "Ra8+");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, mv: Move) -> San {
        let suffix = self.gives_check(mv).then(|| {
            let mut next = self.clone();
            next.play_unchecked(mv);
            if next.has_legal_move() { SanSuffix::Check } else { SanSuffix::Checkmate }
        });
        San { mv: self.san_move(mv), suffix }
    }

    fn san_move(&self, mv: Move) -> SanMove {
        let (from, to) = (mv.from(), mv.to());
        if let MoveKind::Castle(side) = mv.kind() {
            return SanMove::Castle(side);
        }
        let Some(piece) = self.piece_on(from) else { return SanMove::Null };
        let (file, rank) = match piece.piece_type() {
            PieceType::Pawn => (mv.is_capture().then_some(from.file()), None),
            PieceType::King => (None, None),
            _ => self.disambiguation(piece, mv),
        };
        SanMove::Normal {
            piece: piece.piece_type(),
            file,
            rank,
            capture: mv.is_capture(),
            to,
            promotion: mv.promotion(),
        }
    }

    /// Returns the file and rank of the origin that SAN needs because other pieces of the type could move there
    /// too: the file if it is sufficient, otherwise the rank if it is, otherwise both.
    fn disambiguation(&self, piece: Piece, mv: Move) -> (Option<File>, Option<Rank>) {
        let (from, to) = (mv.from(), mv.to());
        let others = self.legal_origins(piece, None, to) - from.bitboard();
        if others.is_empty() {
            (None, None)
        } else if others.is_disjoint(from.file().bitboard()) {
            (Some(from.file()), None)
        } else if others.is_disjoint(from.rank().bitboard()) {
            (None, Some(from.rank()))
        } else {
            (Some(from.file()), Some(from.rank()))
        }
    }
}
