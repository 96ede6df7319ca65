//! Moves that are known to be legal, and the iterator over them.

use crate::position::Position;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter::FusedIterator;
use core::ops::Deref;
use core::ptr;
use tabiya_core::notation::{San, UciMove};
use tabiya_core::{Move, MoveList, Piece, PieceType};

/// A move together with the position it is legal in.
///
/// It is created only by [`Position::legal`] and [`Position::legal_move`] and borrows its position. Playing
/// it therefore needs no legality check, cannot fail, and is possible only in that position. It
/// dereferences to its [`Move`].
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
/// A position cannot change while its moves are in use:
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
    /// Returns the bare move.
    #[inline]
    pub const fn mv(self) -> Move {
        self.mv
    }

    /// Returns the position in which the move is legal.
    #[inline]
    pub const fn position(self) -> &'p Position {
        self.position
    }

    /// Returns the position after the move.
    ///
    /// Takes a tenth longer than [`play_into`](LegalMove::play_into). Always a call, which constructs the position in the place of
    /// the return value: inlined, it would be constructed elsewhere and copied there.
    #[inline(never)]
    pub fn play(self) -> Position {
        self.position.after(self.mv)
    }

    /// Overwrites `next` with the position after the move.
    ///
    /// Faster than [`Position::play_unchecked`] on a copy, because it does not copy what the move replaces.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// let position = Position::startpos();
    /// let mut next = position.clone();
    /// let mut replies = 0;
    /// for mv in position.legal() {
    ///     mv.play_into(&mut next);
    ///     replies += next.count_legal_moves();
    /// }
    /// assert_eq!(replies, 400);
    /// ```
    #[inline(always)]
    pub fn play_into(self, next: &mut Position) {
        self.position.play_into_unchecked(self.mv, next);
    }

    /// Returns the piece that moves; for castling, the king.
    #[inline]
    pub fn piece(self) -> Piece {
        let king = Piece::new(self.position.side_to_move(), PieceType::King);
        // The fallback is never used: a legal move starts from a piece.
        self.position.piece_on(self.mv.from()).unwrap_or(king)
    }

    /// Returns the captured piece, if any.
    #[inline]
    pub fn captured(self) -> Option<Piece> {
        if self.mv.is_en_passant() {
            return Some(Piece::new(!self.position.side_to_move(), PieceType::Pawn));
        }
        self.position.piece_on(self.mv.to()).filter(|_| self.mv.is_capture())
    }

    /// Returns true if the move gives check.
    #[inline]
    pub fn gives_check(self) -> bool {
        self.position.gives_check(self.mv)
    }

    /// Returns the move in standard algebraic notation (SAN).
    #[inline]
    pub fn san(self) -> San {
        self.position.san(self.mv)
    }

    /// Returns the move in UCI notation; see [`Move::to_uci`].
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

/// Two legal moves are equal if their moves and positions are equal.
impl PartialEq for LegalMove<'_> {
    fn eq(&self, other: &LegalMove<'_>) -> bool {
        self.mv == other.mv && (ptr::eq(self.position, other.position) || self.position == other.position)
    }
}

impl Eq for LegalMove<'_> {}

/// Ignores the position.
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

/// Writes the move in standard algebraic notation.
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

/// Iterator over the legal moves of a position; see [`Position::legal`].
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
    /// Returns the legal moves as [`LegalMove`]s, which can be played without error.
    ///
    /// [`legal_moves`](Position::legal_moves) returns the bare moves and is faster.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// let position = Position::startpos();
    /// assert_eq!(position.legal().len(), 20);
    /// let most_replies = position.legal().map(|mv| mv.play().legal().len()).max();
    /// assert_eq!(most_replies, Some(20));
    /// ```
    #[inline]
    pub fn legal(&self) -> LegalMoves<'_> {
        LegalMoves { position: self, moves: self.legal_moves().into_iter() }
    }

    /// Returns the move as a [`LegalMove`], or `None` if it is not legal.
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
    fn legal_moves_report_piece_and_capture() {
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
            let mut next = Position::startpos();
            mv.play_into(&mut next);
            assert_eq!((&next, next.checkers()), (&mv.play(), mv.play().checkers()));
        }
        let elsewhere = find("Bg4").play().play(position.legal().next().map(LegalMove::mv).unwrap());
        assert!(elsewhere.is_err(), "a black move with White to move");
        let (copy, white) = (position.clone(), Position::startpos());
        assert_eq!(copy.legal_move(*find("Nf6")), Some(find("Nf6")));
        assert_ne!(find("Nf6"), find("Nc6"));
        assert!(white.legal().all(|mv| mv != find("Nf6") && mv == mv.mv()));
    }
}
