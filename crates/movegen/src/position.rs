//! Legal positions.

use crate::attacks;
use crate::filter::{Filter, Filtered};
use crate::generate::{AnyMove, GenType, Sink, generate};
use crate::legality::{Legality, attackers_to, en_passant_is_legal};
use alloc::string::String;
use alloc::string::ToString;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use core::str::FromStr;
use tabiya_core::{
    Bitboard, Board, BoardBuilder, BoardError, BoardObserver, Color, FenError, Move, MoveList, NoObserver,
    PieceType, Square,
};

/// A legal chess position.
///
/// It dereferences to its [`Board`]. The en-passant
/// square is set only if the capture is legal, so positions with the same moves have the same key, as
/// the repetition rule requires. Two positions are equal if their move counters are equal too;
/// [`is_repetition_of`](Board::is_repetition_of) ignores the counters.
///
/// Positions are small (176 bytes) and meant to be copied (copy-make): a search keeps one per ply
/// instead of unmaking moves. Playing a move updates the board and its keys; the checkers and pinned pieces are computed
/// when a query needs them, or at once by [`cache_legality`](Position::cache_legality).
///
/// ```
/// use tabiya_core::{Color, Square};
/// use tabiya_movegen::Position;
///
/// let position: Position = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3".parse()?;
/// assert_eq!(position.legal_moves().len(), 42);
/// assert!(position.is_attacked(Square::F7, Color::White));
///
/// let mate = position.parse_uci("f3f7")?;
/// assert_eq!(position.san(mate).to_string(), "Qxf7#");
/// let after = position.play(mate)?;
/// assert!(after.is_checkmate());
/// assert!(after.play(mate).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Position {
    board: Board,
    /// Known, or [`Legality::UNKNOWN`] after a move. Never part of a comparison: the board determines it.
    legality: Legality,
}

// Written by hand because `Board` has a faster `clone_from` than the default.
impl Clone for Position {
    #[inline]
    fn clone(&self) -> Position {
        Position { board: self.board.clone(), legality: self.legality }
    }

    #[inline]
    fn clone_from(&mut self, other: &Position) {
        self.board.clone_from(&other.board);
        self.legality = other.legality;
    }
}

/// Compares the boards, which determine everything else.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.board == other.board
    }
}

impl Eq for Position {}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

impl Position {
    /// Returns the start position of chess.
    pub fn startpos() -> Position {
        Position::from_valid(Board::startpos())
    }

    /// Creates a position from a board.
    ///
    /// The board may be one of [`BoardBuilder::build_with_extra_pieces`]. Such a position may have more than 256 legal moves, with which
    /// [`legal`](Position::legal), [`legal_moves`](Position::legal_moves), [`moves`](Position::moves) and [`perft`](crate::perft()) panic;
    /// [`generate_all`](Position::generate_all) into another [`Sink`](crate::Sink) does not.
    ///
    /// # Errors
    /// If the board is not legal. Boards are legal when they are built, so this can happen only after an
    /// illegal move was made on the board.
    pub fn new(board: Board) -> Result<Position, BoardError> {
        Ok(Position::from_valid(board.to_builder().build_with_extra_pieces()?))
    }

    /// Builds the position of a set-up, which is validated once, by [`BoardBuilder::build`].
    ///
    /// ```
    /// use tabiya_core::{BoardError, CastlingRights, Color};
    /// use tabiya_movegen::Position;
    ///
    /// let mut builder = Position::startpos().to_builder();
    /// builder.castling = CastlingRights::NONE;
    /// assert_eq!(Position::from_builder(&builder)?.legal_moves().len(), 20);
    ///
    /// let king = Position::startpos().king(Color::Black);
    /// builder.set(king, None);
    /// assert_eq!(Position::from_builder(&builder), Err(BoardError::NoKing(Color::Black)));
    /// # Ok::<(), BoardError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first condition of [`BoardError`] that is violated.
    pub fn from_builder(builder: &BoardBuilder) -> Result<Position, BoardError> {
        Ok(Position::from_valid(builder.build()?))
    }

    /// Reads a FEN as [`Board::from_fen`] does.
    ///
    /// # Errors
    /// If the text is not a valid FEN, or the position is not legal.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Ok(Position::from_valid(Board::from_fen(fen)?))
    }

    /// Creates a position from a board that is known to be legal.
    pub(crate) fn from_valid(board: Board) -> Position {
        let mut position = Position::with_unknown_legality(board);
        position.keep_en_passant_if_legal(position.en_passant());
        position.cache_legality();
        position
    }

    /// Wraps a board. The caller ensures that the en-passant square is that of a legal capture.
    #[inline]
    pub(crate) fn with_unknown_legality(board: Board) -> Position {
        Position { board, legality: Legality::UNKNOWN }
    }

    /// Returns the checkers and pinned pieces, cached or computed.
    #[inline]
    pub(crate) fn legality(&self) -> Legality {
        if self.legality.is_known() { self.legality } else { Legality::of(&self.board) }
    }

    /// Computes the checkers and the pinned pieces and keeps them until the next move is played.
    ///
    /// Playing a move does not compute them. Without this call, each query that needs them computes them again:
    /// generating moves, testing for check, mate and legality. The results are the same. The call pays off if several
    /// such queries follow, as in the nodes of a search.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// let position = Position::startpos();
    /// for mv in position.legal_moves() {
    ///     let mut next = position.clone();
    ///     next.play_unchecked(mv);
    ///     next.cache_legality();
    ///     assert!(!next.in_check() && !next.is_stalemate());
    /// }
    /// ```
    #[inline]
    pub fn cache_legality(&mut self) {
        self.legality = self.legality();
    }

    /// Marks the checkers and pinned pieces as unknown.
    #[inline]
    fn forget_legality(&mut self) {
        self.legality = Legality::UNKNOWN;
    }

    /// Clears the board's en-passant square if no pawn can legally capture there. The caller passes that square.
    #[inline]
    fn keep_en_passant_if_legal(&mut self, square: Option<Square>) {
        if let Some(to) = square {
            self.clear_illegal_en_passant(to);
        }
    }

    #[cold]
    fn clear_illegal_en_passant(&mut self, to: Square) {
        let us = self.board.side_to_move();
        let candidates = attacks::pawn_attacks(!us, to) & self.board.pieces(us, PieceType::Pawn);
        if !candidates.into_iter().any(|from| en_passant_is_legal(&self.board, from, to)) {
            self.board.clear_en_passant();
        }
    }

    /// Returns the board.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.legality().checkers
    }

    /// Returns true if the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.legality().checkers.any()
    }

    /// Returns the pieces of the side to move that are pinned to its king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.legality().pinned
    }

    /// Returns the squares to which a piece other than the king must move so that the king is not left in
    /// check by a checker: all squares when not in check, the checker and the squares between in single check,
    /// none in double check.
    #[inline]
    pub fn check_mask(&self) -> Bitboard {
        self.legality().check_mask(self.king(self.side_to_move()))
    }

    /// Returns the pieces of either colour that attack `square`, with `occupied` as the occupancy that
    /// blocks sliders.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attackers_to(&self.board, square, occupied)
    }

    /// Returns true if a piece of this colour attacks the square.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        !self.attackers_to(square, self.occupied()).is_disjoint(self.by_color(by))
    }

    /// Returns all legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate_all(&mut list);
        list
    }

    /// Passes all legal moves to a sink, for example a [`MoveList`], which stores them.
    #[inline]
    pub fn generate_all<S: Sink>(&self, sink: &mut S) {
        generate(&self.board, &self.legality(), GenType::All, sink);
    }

    /// Passes the legal captures and promotions to a sink.
    #[inline]
    pub fn generate_tactical<S: Sink>(&self, sink: &mut S) {
        generate(&self.board, &self.legality(), GenType::Tactical, sink);
    }

    /// Passes the legal moves that are neither captures nor promotions to a sink.
    #[inline]
    pub fn generate_quiets<S: Sink>(&self, sink: &mut S) {
        generate(&self.board, &self.legality(), GenType::Quiet, sink);
    }

    /// Returns the legal moves that a filter selects: captures, the moves of one piece, the moves to certain squares.
    pub fn moves(&self, filter: Filter) -> MoveList {
        let mut list = MoveList::new();
        self.generate(filter, &mut list);
        list
    }

    /// Passes the legal moves that a filter selects to a sink.
    ///
    /// [`generate_all`](Position::generate_all) and its siblings are faster for whole kinds of moves.
    pub fn generate<S: Sink>(&self, filter: Filter, sink: &mut S) {
        generate(&self.board, &self.legality(), filter.gen_type(), &mut Filtered { filter, sink });
    }

    /// Returns the position with the colours exchanged; see [`Board::mirror`].
    #[must_use]
    pub fn mirror(&self) -> Position {
        Position::from_valid(self.board.mirror())
    }

    /// Returns true if there is a legal move. Faster than counting.
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        self.has_move(&self.legality())
    }

    /// Always a call, so that the generator is compiled once for all these tests.
    #[inline(never)]
    fn has_move(&self, legality: &Legality) -> bool {
        let mut any = AnyMove::default();
        generate(&self.board, legality, GenType::All, &mut any);
        any.0
    }

    /// Returns true if the side to move is in check and has no legal move.
    #[inline]
    pub fn is_checkmate(&self) -> bool {
        let legality = self.legality();
        legality.checkers.any() && !self.has_move(&legality)
    }

    /// Returns true if the side to move is not in check and has no legal move.
    #[inline]
    pub fn is_stalemate(&self) -> bool {
        let legality = self.legality();
        legality.checkers.is_empty() && !self.has_move(&legality)
    }

    /// Returns true if the material makes mate impossible for both sides: kings alone, with a single minor
    /// piece, or with any number of bishops all on squares of one colour.
    ///
    /// Positions that are dead because they are blocked are not recognised.
    #[inline]
    pub fn is_dead(&self) -> bool {
        let mating_material =
            self.by_type(PieceType::Pawn) | self.by_type(PieceType::Rook) | self.by_type(PieceType::Queen);
        if mating_material.any() {
            return false;
        }
        let bishops = self.by_type(PieceType::Bishop);
        match self.by_type(PieceType::Knight).count() {
            0 => bishops.is_subset_of(Bitboard::LIGHT) || bishops.is_subset_of(Bitboard::DARK),
            1 => bishops.is_empty(),
            _ => false,
        }
    }

    /// Returns the position after a move.
    ///
    /// # Errors
    /// If the move is not legal.
    #[inline]
    pub fn play(&self, mv: Move) -> Result<Position, IllegalMove> {
        if self.is_legal(mv) { Ok(self.after(mv)) } else { Err(self.illegal_move(mv)) }
    }

    #[cold]
    #[inline(never)]
    fn illegal_move(&self, mv: Move) -> IllegalMove {
        IllegalMove { mv, fen: self.to_string() }
    }

    /// Plays a move without checking that it is legal.
    ///
    /// After an illegal move the position may be illegal and its generated moves meaningless, but memory
    /// safety is not affected.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        self.play_observed(mv, &mut NoObserver);
    }

    /// Overwrites `next` with the position after a move, without checking that the move is legal; see [`Board::make_move_into`].
    #[inline(always)]
    pub(crate) fn play_into_unchecked(&self, mv: Move, next: &mut Position) {
        next.forget_legality();
        let en_passant = self.board.make_move_into(mv, &mut next.board, &mut NoObserver);
        next.keep_en_passant_if_legal(en_passant);
    }

    /// Plays a move as [`play_unchecked`](Position::play_unchecked) does and notifies an observer of the
    /// pieces it adds and removes.
    #[inline]
    pub fn play_observed<O: BoardObserver>(&mut self, mv: Move, observer: &mut O) {
        // First, so that a special move can end with a jump instead of a call.
        self.forget_legality();
        let en_passant = self.board.make_move(mv, observer);
        self.keep_en_passant_if_legal(en_passant);
    }

    /// Passes the move to the other side (a null move). The side to move must not be in check: otherwise the position would be illegal.
    ///
    /// # Panics
    /// In debug builds, if it is in check.
    #[inline]
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check(), "null move in check");
        self.board.make_null_move();
        self.forget_legality();
    }
}

/// See [`Position::new`].
impl TryFrom<Board> for Position {
    type Error = BoardError;

    fn try_from(board: Board) -> Result<Position, BoardError> {
        Position::new(board)
    }
}

impl From<Position> for Board {
    fn from(position: Position) -> Board {
        position.board
    }
}

impl AsRef<Board> for Position {
    fn as_ref(&self) -> &Board {
        &self.board
    }
}

/// Hashes the board, which determines everything else.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.hash(state);
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::startpos()
    }
}

impl Deref for Position {
    type Target = Board;

    #[inline]
    fn deref(&self) -> &Board {
        &self.board
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        Position::from_fen(fen)
    }
}

/// Writes the FEN, as [`Board`] does.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.board, f)
    }
}

/// Error from playing a move that is not legal in the position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct IllegalMove {
    /// The illegal move.
    pub mv: Move,
    /// FEN of the position.
    pub fen: String,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the move {} is not legal in {}", self.mv.to_uci(false), self.fen)
    }
}

impl core::error::Error for IllegalMove {}
