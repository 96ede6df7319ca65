use crate::attacks;
use crate::generate::{Any, Counter, Wanted, generate};
use crate::legality::{Legality, attackers_to, en_passant_is_legal};
use alloc::string::String;
use alloc::string::ToString;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use core::str::FromStr;
use tabiya_core::{
    Bitboard, Board, BoardError, BoardObserver, Color, FenError, Move, MoveList, NoObserver, PieceType,
    Square,
};

/// A legal chess position.
///
/// It dereferences to its [`Board`] for everything that can be read off the board. The en-passant
/// square is set only where the capture is legal, so two positions in which the same moves can be
/// played have the same key, as the repetition rule wants. They are equal if their counters are, too;
/// [`is_repetition_of`](Board::is_repetition_of) compares without those.
///
/// Positions are small (about 180 bytes) and made to be copied: a search keeps one for each ply
/// instead of taking moves back.
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
#[derive(PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    legality: Legality,
}

/// [`clone_from`](Clone::clone_from) is the quicker way where there is a position already.
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

impl Position {
    /// The start position of chess.
    pub fn startpos() -> Position {
        Position::from_valid(Board::startpos())
    }

    /// Takes a board for a position.
    ///
    /// # Errors
    /// If the board is not legal, which can happen only when an illegal move was made on it: boards
    /// are legal when they are built.
    pub fn new(board: Board) -> Result<Position, BoardError> {
        Ok(Position::from_valid(board.to_builder().build()?))
    }

    /// Reads a FEN as [`Board::from_fen`] does.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is not a legal position.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Ok(Position::from_valid(Board::from_fen(fen)?))
    }

    pub(crate) fn from_valid(board: Board) -> Position {
        let mut position =
            Position { board, legality: Legality { checkers: Bitboard::EMPTY, pinned: Bitboard::EMPTY } };
        position.refresh();
        position
    }

    /// Brings what depends on the board up to date with it.
    #[inline]
    fn refresh(&mut self) {
        self.legality = Legality::of(&self.board);
        if let Some(to) = self.board.en_passant() {
            self.keep_en_passant_if_legal(to);
        }
    }

    /// Forgets the en-passant square if no pawn can legally capture there.
    #[cold]
    fn keep_en_passant_if_legal(&mut self, to: Square) {
        let us = self.board.side_to_move();
        let candidates = attacks::pawn_attacks(!us, to) & self.board.pieces(us, PieceType::Pawn);
        if !candidates.into_iter().any(|from| en_passant_is_legal(&self.board, from, to)) {
            self.board.clear_en_passant();
        }
    }

    /// The board.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.legality.checkers
    }

    /// Is the side to move in check?
    #[inline]
    pub const fn in_check(&self) -> bool {
        self.legality.checkers.any()
    }

    /// The pieces of the side to move that are pinned to its king.
    #[inline]
    pub const fn pinned(&self) -> Bitboard {
        self.legality.pinned
    }

    /// Where a piece other than the king may go as far as checks are concerned: anywhere when there
    /// is none, nowhere in double check.
    #[inline]
    pub fn check_mask(&self) -> Bitboard {
        self.legality.check_mask(self.king(self.side_to_move()))
    }

    /// Every piece of either colour that attacks `square`, with `occupied` in the way of sliders.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attackers_to(&self.board, square, occupied)
    }

    /// Does a piece of this colour attack the square?
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        !self.attackers_to(square, self.occupied()).is_disjoint(self.by_color(by))
    }

    /// All legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate_all(&mut list);
        list
    }

    /// Adds all legal moves to the list.
    #[inline]
    pub fn generate_all(&self, list: &mut MoveList) {
        generate(&self.board, &self.legality, Wanted::All, list);
    }

    /// Adds the legal captures and promotions to the list.
    #[inline]
    pub fn generate_tactical(&self, list: &mut MoveList) {
        generate(&self.board, &self.legality, Wanted::Tactical, list);
    }

    /// Adds the legal moves that are neither captures nor promotions to the list.
    #[inline]
    pub fn generate_quiets(&self, list: &mut MoveList) {
        generate(&self.board, &self.legality, Wanted::Quiet, list);
    }

    /// How many legal moves there are: faster than making a list of them.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        self.count()
    }

    /// The same, to be compiled into its caller and for the processor that the caller is for.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        let mut counter = Counter::default();
        generate(&self.board, &self.legality, Wanted::All, &mut counter);
        counter.0
    }

    /// Is there any legal move? Faster than counting them.
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any::default();
        generate(&self.board, &self.legality, Wanted::All, &mut any);
        any.0
    }

    /// In check without a legal move.
    #[inline]
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Not in check and without a legal move.
    #[inline]
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Can nobody ever give mate, because of the material: king against king, with one minor piece
    /// in all, or with any number of bishops that all stand on squares of one colour?
    ///
    /// Positions that are dead because they are blocked are not recognised.
    #[inline]
    pub fn is_dead(&self) -> bool {
        let heavy =
            self.by_type(PieceType::Pawn) | self.by_type(PieceType::Rook) | self.by_type(PieceType::Queen);
        if heavy.any() {
            return false;
        }
        let bishops = self.by_type(PieceType::Bishop);
        match self.by_type(PieceType::Knight).count() {
            0 => bishops.is_subset_of(Bitboard::LIGHT) || bishops.is_subset_of(Bitboard::DARK),
            1 => bishops.is_empty(),
            _ => false,
        }
    }

    /// The position after a move.
    ///
    /// # Errors
    /// If the move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Position, IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove { mv, fen: self.to_string() });
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        Ok(next)
    }

    /// Plays a move that is known to be legal.
    ///
    /// After one that is not, the position is no longer a chess position; nothing worse happens.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        self.play_observed(mv, &mut NoObserver);
    }

    /// [`play_unchecked`](Position::play_unchecked) that tells an observer which pieces move.
    #[inline]
    pub fn play_observed<O: BoardObserver>(&mut self, mv: Move, observer: &mut O) {
        self.board.make_move(mv, observer);
        self.refresh();
    }

    /// Passes the move to the other side. The side to move must not be in check.
    #[inline]
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check(), "null move in check");
        self.board.make_null_move();
        self.refresh();
    }
}

/// As [`Position::new`] does.
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

/// Hashes the board: the rest follows from it.
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

/// The FEN, as [`Board`] writes it.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.board, f)
    }
}

/// The move is not legal in the position: [`Position::legal_moves`] has those that are.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct IllegalMove {
    /// The move, as it was asked for.
    pub mv: Move,
    /// The position.
    pub fen: String,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the move {} is not legal in {}", self.mv.to_uci(false), self.fen)
    }
}

impl core::error::Error for IllegalMove {}
