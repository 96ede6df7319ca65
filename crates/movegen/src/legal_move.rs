use crate::Position;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter::FusedIterator;
use core::ops::Deref;
use core::ptr;
use tabiya_core::notation::{San, UciMove};
use tabiya_core::{Move, MoveList, Piece, PieceType};

/// A move together with the position it is legal in.
///
/// It comes only from that position, by [`Position::legal`] or [`Position::legal_move`], and
/// borrows it. So it can be played without a check and without an error, and never anywhere else.
/// It dereferences to its [`Move`].
///
/// ```
/// use tabiya_movegen::Position;
///
/// let position = Position::startpos();
/// let opening = position.legal().find(|mv| mv.san().to_string() == "Nf3").unwrap();
/// assert!(!opening.is_capture());
/// let next: Position = opening.play();
/// assert_eq!(next.fullmove_number(), 1);
/// ```
///
/// A position that changes takes its moves with it:
///
/// ```compile_fail,E0505
/// let mut position = tabiya_movegen::Position::startpos();
/// let mv = position.legal().next().unwrap();
/// position = mv.play();
/// mv.play();
/// # drop(position);
/// ```
#[derive(Clone, Copy)]
pub struct LegalMove<'p> {
    position: &'p Position,
    mv: Move,
}

impl<'p> LegalMove<'p> {
    /// The move by itself.
    #[inline]
    pub const fn mv(self) -> Move {
        self.mv
    }

    /// The position it is played in.
    #[inline]
    pub const fn position(self) -> &'p Position {
        self.position
    }

    /// The position after it.
    #[inline]
    pub fn play(self) -> Position {
        let mut next = self.position.clone();
        next.play_unchecked(self.mv);
        next
    }

    /// The piece that moves; of castling, the king.
    #[inline]
    pub fn piece(self) -> Piece {
        let king = Piece::new(self.position.side_to_move(), PieceType::King);
        // A legal move starts from a piece.
        self.position.piece_on(self.mv.from()).unwrap_or(king)
    }

    /// The piece that it takes.
    #[inline]
    pub fn captured(self) -> Option<Piece> {
        if self.mv.is_en_passant() {
            return Some(Piece::new(!self.position.side_to_move(), PieceType::Pawn));
        }
        self.position.piece_on(self.mv.to()).filter(|_| self.mv.is_capture())
    }

    /// Does it give check?
    #[inline]
    pub fn gives_check(self) -> bool {
        self.position.gives_check(self.mv)
    }

    /// The move in standard algebraic notation.
    #[inline]
    pub fn san(self) -> San {
        self.position.san(self.mv)
    }

    /// The move in UCI coordinates; see [`Move::to_uci`].
    #[inline]
    pub const fn uci(self, chess960: bool) -> UciMove {
        self.mv.to_uci(chess960)
    }
}

impl Deref for LegalMove<'_> {
    type Target = Move;

    #[inline]
    fn deref(&self) -> &Move {
        &self.mv
    }
}

/// The same move in equal positions.
impl PartialEq for LegalMove<'_> {
    fn eq(&self, other: &LegalMove<'_>) -> bool {
        self.mv == other.mv && (ptr::eq(self.position, other.position) || self.position == other.position)
    }
}

impl Eq for LegalMove<'_> {}

/// Whatever the position.
impl PartialEq<Move> for LegalMove<'_> {
    fn eq(&self, other: &Move) -> bool {
        self.mv == *other
    }
}

impl Hash for LegalMove<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.mv.hash(state);
    }
}

impl From<LegalMove<'_>> for Move {
    #[inline]
    fn from(legal: LegalMove<'_>) -> Move {
        legal.mv
    }
}

/// The move in standard algebraic notation.
impl fmt::Display for LegalMove<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.san(), f)
    }
}

impl fmt::Debug for LegalMove<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LegalMove({:?} in {})", self.mv, self.position)
    }
}

/// The legal moves of a position. See [`Position::legal`].
#[derive(Clone)]
pub struct LegalMoves<'p> {
    position: &'p Position,
    moves: <MoveList as IntoIterator>::IntoIter,
}

impl<'p> Iterator for LegalMoves<'p> {
    type Item = LegalMove<'p>;

    #[inline]
    fn next(&mut self) -> Option<LegalMove<'p>> {
        Some(LegalMove { position: self.position, mv: self.moves.next()? })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.moves.size_hint()
    }
}

impl DoubleEndedIterator for LegalMoves<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        Some(LegalMove { position: self.position, mv: self.moves.next_back()? })
    }
}

impl ExactSizeIterator for LegalMoves<'_> {}

impl FusedIterator for LegalMoves<'_> {}

impl fmt::Debug for LegalMoves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone().map(LegalMove::mv)).finish()
    }
}

impl Position {
    /// The legal moves, each with the proof that it is one.
    ///
    /// This is the way for programs that are not in a hurry; [`legal_moves`](Position::legal_moves)
    /// gives the bare moves.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// let position = Position::startpos();
    /// assert_eq!(position.legal().len(), 20);
    /// let most_replies = position.legal().map(|mv| mv.play().legal().len()).max();
    /// assert_eq!(most_replies, Some(20));
    /// ```
    pub fn legal(&self) -> LegalMoves<'_> {
        LegalMoves { position: self, moves: self.legal_moves().into_iter() }
    }

    /// The move with the proof that it is legal here; `None` if it is not.
    ///
    /// ```
    /// use tabiya_core::{Move, MoveKind, Square};
    /// use tabiya_movegen::Position;
    ///
    /// let position = Position::startpos();
    /// let mv = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    /// assert!(position.legal_move(mv).is_some());
    /// assert!(position.legal_move(Move::new(Square::E2, Square::E5, MoveKind::Quiet)).is_none());
    /// ```
    pub fn legal_move(&self, mv: Move) -> Option<LegalMove<'_>> {
        self.is_legal(mv).then_some(LegalMove { position: self, mv })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_moves_know_what_they_do() {
        let position: Position =
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3".parse().unwrap();
        let find = |san: &str| position.legal().find(|mv| mv.to_string() == san).unwrap();
        assert_eq!(find("dxe3").captured(), Some(Piece::WhitePawn));
        assert_eq!((find("Bg4").captured(), find("Bg4").piece()), (None, Piece::BlackBishop));
        assert_eq!(find("dxe3").mv().to_uci(false), find("dxe3").uci(false));

        let moves = position.legal();
        assert_eq!(moves.len(), position.count_legal_moves());
        let mut backwards: Vec<Move> = moves.clone().rev().map(LegalMove::mv).collect();
        backwards.reverse();
        assert!(moves.map(LegalMove::mv).eq(backwards));
        for mv in position.legal() {
            assert_eq!(Ok(mv.play()), position.play(*mv));
        }
        let elsewhere = find("Bg4").play().play(position.legal().next().map(LegalMove::mv).unwrap());
        assert!(elsewhere.is_err(), "it is White's turn");
        let (copy, white) = (position.clone(), Position::startpos());
        assert_eq!(copy.legal_move(*find("Nf6")), Some(find("Nf6")));
        assert_ne!(find("Nf6"), find("Nc6"));
        assert!(white.legal().all(|mv| mv != find("Nf6") && mv == mv.mv()));
    }
}
