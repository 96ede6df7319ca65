mod builder;
mod make_move;
mod validate;

pub use builder::BoardBuilder;
pub use make_move::{BoardObserver, NoObserver};
pub use validate::BoardError;

use crate::zobrist::{self, Key};
use crate::{Bitboard, CastlingRights, CastlingSide, Color, Move, Piece, PieceType, Rank, Square};
use core::hash::{Hash, Hasher};

/// A chess position on the board: pieces, side to move, castling rights, en passant, counters.
///
/// Pieces are kept three times over, as sets by kind, as sets by colour and as a list by square,
/// because each question has one place where its answer is cheap. Two Zobrist keys are kept up to
/// date with them.
///
/// A board always satisfies the conditions of [`BoardError`] when it is made; [`Board::make_move`]
/// trusts its caller to pass a legal move. For rules, wrap it into a `Position` of
/// `tabiya-movegen`.
///
/// The en-passant square is recorded only where an enemy pawn stands ready to capture, so that two
/// boards are equal when they are the same to a player, counters included;
/// [`is_repetition_of`](Board::is_repetition_of) leaves those out.
///
/// ```
/// use tabiya_core::{Board, Color, PieceType, Square};
///
/// let board = Board::startpos();
/// assert_eq!(board.pieces(Color::White, PieceType::Pawn).count(), 8);
/// assert_eq!(board.king(Color::Black), Square::E8);
/// assert_eq!(board.key(), board.key_from_scratch());
/// ```
#[derive(PartialEq, Eq, Debug)]
pub struct Board {
    by_square: Mailbox,
    sets: Sets,
    keys: Keys,
    state: State,
}

/// Where pieces stand, by kind and by colour.
///
/// Aligned, so that the processor can work on two sets at a time without loading them first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(16))]
struct Sets {
    kinds: [Bitboard; PieceType::COUNT],
    colors: [Bitboard; 2],
}

impl Sets {
    const EMPTY: Sets = Sets { kinds: [Bitboard::EMPTY; PieceType::COUNT], colors: [Bitboard::EMPTY; 2] };
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Keys {
    all: Key,
    pawns: Key,
}

/// What is not in the pieces: sixteen bytes without a gap, which are copied at once.
#[derive(Clone, Copy, Debug)]
struct State {
    /// The kings and rooks that may castle with one another, which is all there is to know about
    /// castling rights. No move may touch their squares without a right being lost: one test instead
    /// of many.
    castling: Bitboard,
    /// Wider than what is told of it, so that counting need not look out for the end.
    fullmove_number: u32,
    halfmove_clock: u16,
    en_passant: Option<Square>,
    side_to_move: Color,
}

const _: () = assert!(size_of::<State>() == 16);

impl State {
    const fn fullmove_number(&self) -> u16 {
        const LAST: u32 = u16::MAX as u32;
        if self.fullmove_number > LAST { u16::MAX } else { self.fullmove_number as u16 }
    }
}

/// By what is told of the states.
impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.castling == other.castling
            && self.fullmove_number() == other.fullmove_number()
            && self.halfmove_clock == other.halfmove_clock
            && self.en_passant == other.en_passant
            && self.side_to_move == other.side_to_move
    }
}

impl Eq for State {}

/// What stands on each square.
#[derive(PartialEq, Eq, Debug)]
struct Mailbox([Option<Piece>; Square::COUNT]);

/// A copy by code of its own, so that the copy of a whole board or position is not joined into one
/// call of `memcpy`: searches copy a position for each move, and for a copy of this size the call costs
/// more than the copying.
impl Clone for Mailbox {
    #[inline]
    fn clone(&self) -> Mailbox {
        let mut copy = Mailbox([None; Square::COUNT]);
        copy.0.copy_from_slice(&self.0);
        copy
    }
}

/// [`clone_from`](Clone::clone_from) is the quicker way where there is a board already.
impl Clone for Board {
    #[inline]
    fn clone(&self) -> Board {
        Board { by_square: self.by_square.clone(), sets: self.sets, keys: self.keys, state: self.state }
    }

    #[inline]
    fn clone_from(&mut self, other: &Board) {
        self.by_square.0.copy_from_slice(&other.by_square.0);
        self.sets = other.sets;
        self.keys = other.keys;
        self.state = other.state;
    }
}

impl Board {
    /// The start position of chess.
    pub fn startpos() -> Board {
        let mut builder = BoardBuilder { castling: CastlingRights::STANDARD, ..BoardBuilder::empty() };
        let back_rank = [
            PieceType::Rook,
            PieceType::Knight,
            PieceType::Bishop,
            PieceType::Queen,
            PieceType::King,
            PieceType::Bishop,
            PieceType::Knight,
            PieceType::Rook,
        ];
        for color in Color::ALL {
            for (file, piece_type) in back_rank.into_iter().enumerate() {
                let square = Square::wrapping(file as u8).relative_to(color);
                builder.pieces[square.index()] = Some(Piece::new(color, piece_type));
                let pawn_square = Square::wrapping(8 + file as u8).relative_to(color);
                builder.pieces[pawn_square.index()] = Some(Piece::new(color, PieceType::Pawn));
            }
        }
        builder.assemble()
    }

    /// The squares with a piece of this colour and kind.
    #[inline]
    pub const fn pieces(&self, color: Color, piece_type: PieceType) -> Bitboard {
        Bitboard(self.sets.colors[color.index()].0 & self.sets.kinds[piece_type.index()].0)
    }

    /// The squares with a piece of this kind, of either colour.
    #[inline]
    pub const fn by_type(&self, piece_type: PieceType) -> Bitboard {
        self.sets.kinds[piece_type.index()]
    }

    /// The squares with a piece of this colour.
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.sets.colors[color.index()]
    }

    /// The bishops and queens of one colour.
    #[inline]
    pub const fn diagonal_sliders(&self, color: Color) -> Bitboard {
        let both = self.sets.kinds[PieceType::Bishop.index()].0 | self.sets.kinds[PieceType::Queen.index()].0;
        Bitboard(both & self.sets.colors[color.index()].0)
    }

    /// The rooks and queens of one colour.
    #[inline]
    pub const fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        let both = self.sets.kinds[PieceType::Rook.index()].0 | self.sets.kinds[PieceType::Queen.index()].0;
        Bitboard(both & self.sets.colors[color.index()].0)
    }

    /// The squares with a piece.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.sets.colors[0].0 | self.sets.colors[1].0)
    }

    /// The square of this colour's king.
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        // A board has one king a side, so the set is never empty; the extra bit spares the processor the
        // question whether it is.
        Square::wrapping((self.pieces(color, PieceType::King).0 | 1 << 63).trailing_zeros() as u8)
    }

    /// What stands on this square.
    #[inline]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.by_square.0[square.index()]
    }

    /// Whose move it is.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.state.side_to_move
    }

    /// Who may still castle, and with which rooks.
    pub fn castling(&self) -> CastlingRights {
        let mut rights = CastlingRights::NONE;
        for color in Color::ALL {
            for rook in self.castling_rooks(color) {
                let side = if rook > self.king(color) { CastlingSide::King } else { CastlingSide::Queen };
                rights.set(color, side, Some(rook.file()));
            }
        }
        rights
    }

    /// The rooks with which this side may still castle: those on either side of its king, at most
    /// one each. Quicker than [`Board::castling`].
    #[inline]
    pub const fn castling_rooks(&self, color: Color) -> Bitboard {
        let rank = Rank::First.relative_to(color).bitboard();
        Bitboard(self.state.castling.0 & rank.0 & !self.sets.kinds[PieceType::King.index()].0)
    }

    /// The rook with which `color` may still castle to `side`.
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.castling_rooks(color);
        let (first, last) = (rooks.first()?, rooks.last()?);
        let rook = if side == CastlingSide::King { last } else { first };
        ((rook > self.king(color)) == (side == CastlingSide::King)).then_some(rook)
    }

    /// The square behind a pawn that has just advanced two squares, if an enemy pawn attacks it.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Half-moves since the last capture or pawn move (the fifty-move rule counts to 100).
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.state.halfmove_clock
    }

    /// The number of the move, starting at 1 and going up after each move of Black's, as far as 65535.
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.state.fullmove_number()
    }

    /// The Zobrist key of everything but the two counters.
    #[inline]
    pub const fn key(&self) -> Key {
        self.keys.all
    }

    /// The Zobrist key of the pawns alone, of both colours.
    #[inline]
    pub const fn pawn_key(&self) -> Key {
        self.keys.pawns
    }

    /// The key that the board will most likely have after a move, without making it: to fetch early
    /// what is kept under it.
    ///
    /// It is right for a move that takes one piece to another square, unless that costs a castling
    /// right or lets a pawn capture en passant.
    ///
    /// ```
    /// use tabiya_core::{Board, Move, MoveKind, NoObserver, Square};
    ///
    /// let mut board = Board::startpos();
    /// let mv = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
    /// let key = board.likely_key_after(mv);
    /// board.make_move(mv, &mut NoObserver);
    /// assert_eq!(key, board.key());
    /// ```
    #[inline]
    pub fn likely_key_after(&self, mv: Move) -> Key {
        let (from, to) = (mv.from(), mv.to());
        let on =
            |square: Square, piece: Option<Piece>| piece.map_or(0, |piece| zobrist::piece(piece, square));
        let moved = self.piece_on(from);
        self.key()
            ^ zobrist::black_to_move()
            ^ self.state.en_passant.map_or(0, |square| zobrist::en_passant(square.file()))
            ^ on(to, self.piece_on(to))
            ^ on(from, moved)
            ^ on(to, moved)
    }

    /// [`Board::key`] computed anew from the pieces and flags: an invariant for tests.
    pub fn key_from_scratch(&self) -> Key {
        self.occupied().into_iter().fold(self.flags_key(), |key, square| {
            key ^ self.by_square.0[square.index()].map_or(0, |piece| zobrist::piece(piece, square))
        })
    }

    /// The part of [`Board::key`] that is not in the pieces.
    fn flags_key(&self) -> Key {
        let mut key = 0;
        for color in Color::ALL {
            for rook in self.castling_rooks(color) {
                key ^= zobrist::castling(color, rook.file());
            }
        }
        if let Some(square) = self.state.en_passant {
            key ^= zobrist::en_passant(square.file());
        }
        if self.state.side_to_move == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }

    /// [`Board::pawn_key`] computed anew: an invariant for tests.
    pub fn pawn_key_from_scratch(&self) -> Key {
        let mut key = 0;
        for color in Color::ALL {
            let pawn = Piece::new(color, PieceType::Pawn);
            for square in self.pieces(color, PieceType::Pawn) {
                key ^= zobrist::piece(pawn, square);
            }
        }
        key
    }

    /// Are the side's king and castling rooks on the squares of ordinary chess? False where a
    /// castling right belongs to another king or rook square, as in most of Chess960.
    pub fn has_standard_castling(&self) -> bool {
        let standard = CastlingRights::STANDARD;
        self.castling().iter().all(|(color, side, file)| {
            self.king(color) == Square::E1.relative_to(color) && standard.rook_file(color, side) == Some(file)
        })
    }

    /// Is it the same position under the repetition rule: everything but the two counters?
    ///
    /// Boards that are equal have equal counters, too. The [`key`](Board::key) leaves the counters out, so
    /// it is what to look positions up by when a game may come to them in several ways.
    ///
    /// ```
    /// use tabiya_core::Board;
    ///
    /// let early = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let late = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 8 40")?;
    /// assert_ne!(early, late);
    /// assert!(early.is_repetition_of(&late));
    /// assert_eq!(early.key(), late.key());
    /// # Ok::<(), tabiya_core::FenError>(())
    /// ```
    pub fn is_repetition_of(&self, other: &Board) -> bool {
        self.by_square == other.by_square
            && self.state.castling == other.state.castling
            && self.state.en_passant == other.state.en_passant
            && self.state.side_to_move == other.state.side_to_move
    }

    /// The parts of this board, to change and build again.
    pub fn to_builder(&self) -> BoardBuilder {
        BoardBuilder {
            pieces: self.by_square.0,
            side_to_move: self.state.side_to_move,
            castling: self.castling(),
            en_passant: self.state.en_passant,
            halfmove_clock: self.state.halfmove_clock,
            fullmove_number: self.fullmove_number(),
        }
    }

    /// Forgets the en-passant square, because the one capture it allows is illegal (it would leave
    /// the king in check). Only a crate that knows attacks can tell; `Position` calls this after
    /// each move, so that keys of equal positions are equal.
    #[inline]
    pub fn clear_en_passant(&mut self) {
        if let Some(square) = self.state.en_passant.take() {
            self.keys.all ^= zobrist::en_passant(square.file());
        }
    }

    /// Flips everything but `by_square`.
    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = square.bitboard();
        self.sets.kinds[piece.piece_type().index()] ^= bit;
        self.sets.colors[piece.color().index()] ^= bit;
        let key = zobrist::piece(piece, square);
        self.keys.all ^= key;
        self.keys.pawns ^= if piece.piece_type() == PieceType::Pawn { key } else { 0 };
    }

    /// Makes the sets from the list by square, eight squares at a time.
    ///
    /// A piece is a number of four bits: the colour, and three for the kind. Each of the bits is
    /// gathered into a set, and the sets of pieces are combinations of those.
    fn gather_sets(&mut self) {
        const LOW_BITS: u64 = 0x0101_0101_0101_0101;
        // The product has the low bits of all eight bytes side by side in its highest byte.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        const NOTHING: u8 = Piece::COUNT as u8;

        let mut bits = [0; 4];
        for (rank, squares) in self.by_square.0.as_chunks::<8>().0.iter().enumerate() {
            let codes = squares.map(|piece| piece.map_or(NOTHING, |piece| piece as u8));
            let codes = u64::from_le_bytes(codes);
            for (position, set) in bits.iter_mut().enumerate() {
                *set |= ((codes >> position & LOW_BITS).wrapping_mul(GATHER) >> 56) << (8 * rank);
            }
        }
        let [black, one, two, four] = bits;
        let empty = four & two;
        self.sets.kinds = [
            Bitboard(!(one | two | four)),
            Bitboard(one & !(two | four)),
            Bitboard(two & !(one | four)),
            Bitboard(one & two),
            Bitboard(four & !(one | two)),
            Bitboard(four & one),
        ];
        self.sets.colors = [Bitboard(!(black | empty)), Bitboard(black)];
    }

    /// Does a pawn of the side to move stand where it could capture on `square`, by geometry alone?
    fn pawn_can_capture_on(&self, square: Square) -> bool {
        let from_rank = square.bitboard().forward(!self.state.side_to_move);
        let candidates = from_rank.east() | from_rank.west();
        !candidates.is_disjoint(self.pieces(self.state.side_to_move, PieceType::Pawn))
    }
}

/// Hashes the key alone: equal boards have equal keys.
impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.keys.all);
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::startpos()
    }
}
