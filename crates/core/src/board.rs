//! The board: pieces, side to move, castling rights, en passant, counters and Zobrist keys.

mod builder;
mod diagram;
mod make_move;
mod packed;
mod state;
#[cfg(feature = "svg")]
mod svg;
mod transform;
mod validate;

pub use builder::BoardBuilder;
pub use diagram::TextDiagram;
pub use make_move::{BoardObserver, NoObserver};
pub use packed::{PackedBoard, UnpackError};
#[cfg(feature = "svg")]
pub use svg::{PIECE_SYMBOLS, SvgDiagram};
pub use validate::BoardError;

use crate::zobrist::{self, Key};
use crate::{Bitboard, CastlingRights, CastlingSide, Color, Move, Piece, PieceType, Rank, Square};
use core::fmt;
use core::hash::{Hash, Hasher};
use state::State;

/// A chess position: pieces, side to move, castling rights, en-passant square and counters.
///
/// The pieces are stored as bitboards by type, bitboards by colour and a mailbox by square, so that every
/// query is cheap. Two Zobrist keys, of the position and of the pawns, are updated incrementally.
///
/// A newly built board satisfies every condition of [`BoardError`]. [`Board::make_move`] does not check that
/// the move is legal; for the rules of chess, wrap the board in a `Position` of `tabiya-movegen`.
///
/// The en-passant square is recorded only if an enemy pawn attacks it, so boards that differ only in an
/// en-passant square without any capture compare equal. Equality includes the two counters;
/// [`is_repetition_of`](Board::is_repetition_of) ignores them.
///
/// ```
/// use tabiya_core::{Board, Color, PieceType, Square};
///
/// let board = Board::startpos();
/// assert_eq!(board.pieces(Color::White, PieceType::Pawn).count(), 8);
/// assert_eq!(board.king(Color::Black), Square::E8);
/// assert_eq!(board.key(), board.key_from_scratch());
/// ```
pub struct Board {
    by_square: Mailbox,
    bitboards: Bitboards,
    keys: Keys,
    state: State,
}

/// The bitboards by piece type and by colour.
///
/// Aligned to 16 bytes so that SIMD instructions copy two at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(16))]
struct Bitboards {
    by_type: [Bitboard; PieceType::COUNT],
    by_color: [Bitboard; 2],
}

impl Bitboards {
    const EMPTY: Bitboards =
        Bitboards { by_type: [Bitboard::EMPTY; PieceType::COUNT], by_color: [Bitboard::EMPTY; 2] };
}

/// The Zobrist keys.
#[derive(Clone, Copy)]
struct Keys {
    all: Key,
    pawns: Key,
}

/// The piece on each square, by rank and file.
struct Mailbox([[Option<Piece>; 8]; 8]);

impl Mailbox {
    fn new(pieces: &[Option<Piece>; Square::COUNT]) -> Mailbox {
        let mut mailbox = Mailbox([[None; 8]; 8]);
        mailbox.0.as_flattened_mut().copy_from_slice(pieces);
        mailbox
    }

    #[inline]
    const fn get(&self, square: Square) -> Option<Piece> {
        self.0.as_flattened()[square.index()]
    }

    #[inline]
    fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.0.as_flattened_mut()[square.index()] = piece;
    }
}

/// Written by hand so that the compiler copies a whole board or position by SIMD moves: a search copies a position for each
/// move. A derived `Clone` becomes a `memcpy` call, which at this size costs more than the copy itself, and an array of
/// 64 pieces is copied twice, by way of the stack.
impl Clone for Mailbox {
    #[inline]
    fn clone(&self) -> Mailbox {
        let [a, b, c, d, e, f, g, h] = self.0;
        Mailbox([a, b, c, d, e, f, g, h])
    }
}

/// Compares the bitboards and the state, which determine the rest.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.bitboards == other.bitboards && self.state == other.state
    }
}

impl Eq for Board {}

// Written by hand for the reason given at `Mailbox`.
impl Clone for Board {
    #[inline]
    fn clone(&self) -> Board {
        Board {
            by_square: self.by_square.clone(),
            bitboards: self.bitboards,
            keys: self.keys,
            state: self.state,
        }
    }

    #[inline]
    fn clone_from(&mut self, other: &Board) {
        self.by_square.0 = other.by_square.0;
        self.bitboards = other.bitboards;
        self.keys = other.keys;
        self.state = other.state;
    }
}

impl Board {
    /// Returns the start position of chess.
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

    /// The squares occupied by this colour's pieces of this type.
    #[inline]
    pub const fn pieces(&self, color: Color, piece_type: PieceType) -> Bitboard {
        Bitboard(self.bitboards.by_color[color.index()].0 & self.bitboards.by_type[piece_type.index()].0)
    }

    /// The squares occupied by pieces of this type, of either colour.
    #[inline]
    pub const fn by_type(&self, piece_type: PieceType) -> Bitboard {
        self.bitboards.by_type[piece_type.index()]
    }

    /// The squares occupied by this colour.
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.bitboards.by_color[color.index()]
    }

    /// The bishops and queens of one colour.
    #[inline]
    pub const fn diagonal_sliders(&self, color: Color) -> Bitboard {
        let both = self.bitboards.by_type[PieceType::Bishop.index()].0
            | self.bitboards.by_type[PieceType::Queen.index()].0;
        Bitboard(both & self.bitboards.by_color[color.index()].0)
    }

    /// The rooks and queens of one colour.
    #[inline]
    pub const fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        let both = self.bitboards.by_type[PieceType::Rook.index()].0
            | self.bitboards.by_type[PieceType::Queen.index()].0;
        Bitboard(both & self.bitboards.by_color[color.index()].0)
    }

    /// The occupied squares.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.bitboards.by_color[0].0 | self.bitboards.by_color[1].0)
    }

    /// The square of this colour's king.
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        // Each side has a king, so the set is never empty. Setting the top bit tells the compiler so: it
        // need not handle `trailing_zeros` of 0.
        Square::wrapping((self.pieces(color, PieceType::King).0 | 1 << 63).trailing_zeros() as u8)
    }

    /// The piece on this square, if any.
    #[inline]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.by_square.get(square)
    }

    /// The side to move.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.state.turn.side_to_move()
    }

    /// The castling rights, with the files of the rooks.
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

    /// The rooks with which this side may still castle: at most one on either side of its king.
    ///
    /// Faster than [`Board::castling`].
    #[inline]
    pub const fn castling_rooks(&self, color: Color) -> Bitboard {
        let rank = Rank::First.relative_to(color).bitboard();
        Bitboard(self.state.castling.0 & rank.0 & !self.bitboards.by_type[PieceType::King.index()].0)
    }

    /// The square of the rook with which `color` may still castle to `side`.
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.castling_rooks(color);
        let (first, last) = (rooks.first()?, rooks.last()?);
        let rook = if side == CastlingSide::King { last } else { first };
        ((rook > self.king(color)) == (side == CastlingSide::King)).then_some(rook)
    }

    /// The square passed over by the pawn that has just advanced two squares, if an enemy pawn attacks it.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.state.turn.en_passant()
    }

    /// Half-moves since the last capture or pawn move; the fifty-move rule applies from 100.
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.state.turn.halfmove_clock()
    }

    /// The full-move number: 1 at the start, incremented after each move by Black, saturating at 65535.
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.state.turn.fullmove_number()
    }

    /// The Zobrist key of the position, without the two counters.
    #[inline]
    pub const fn key(&self) -> Key {
        self.keys.all
    }

    /// The Zobrist key of the pawns of both colours.
    #[inline]
    pub const fn pawn_key(&self) -> Key {
        self.keys.pawns
    }

    /// Returns the probable [`key`](Board::key) after a move, without making it, for prefetching a
    /// transposition-table entry.
    ///
    /// Exact for quiet moves and captures, unless the move loses a castling right or is a double push that
    /// sets the en-passant square. Wrong for castling, promotions and en-passant captures.
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
        let piece_key =
            |square: Square, piece: Option<Piece>| piece.map_or(0, |piece| zobrist::piece(piece, square));
        let moved = self.piece_on(from);
        self.key()
            ^ zobrist::black_to_move()
            ^ self.en_passant().map_or(0, |square| zobrist::en_passant(square.file()))
            ^ piece_key(to, self.piece_on(to))
            ^ piece_key(from, moved)
            ^ piece_key(to, moved)
    }

    /// Computes [`Board::key`] from scratch. Tests compare it with the incrementally updated key.
    pub fn key_from_scratch(&self) -> Key {
        self.occupied().into_iter().fold(self.flags_key(), |key, square| {
            key ^ self.by_square.get(square).map_or(0, |piece| zobrist::piece(piece, square))
        })
    }

    /// The part of [`Board::key`] that does not depend on the pieces.
    fn flags_key(&self) -> Key {
        let mut key = 0;
        for color in Color::ALL {
            for rook in self.castling_rooks(color) {
                key ^= zobrist::castling(color, rook.file());
            }
        }
        if let Some(square) = self.en_passant() {
            key ^= zobrist::en_passant(square.file());
        }
        if self.side_to_move() == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }

    /// Computes [`Board::pawn_key`] from scratch. Tests compare it with the incrementally updated key.
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

    /// Returns true if every castling right belongs to a king on the e-file and a rook on the a- or h-file,
    /// as in standard chess. False for most Chess960 start positions.
    pub fn has_standard_castling(&self) -> bool {
        let standard = CastlingRights::STANDARD;
        self.castling().iter().all(|(color, side, file)| {
            self.king(color) == Square::E1.relative_to(color) && standard.rook_file(color, side) == Some(file)
        })
    }

    /// Returns true if both are the same position under the repetition rule: equal except for the two
    /// counters.
    ///
    /// `==` compares the counters too. The [`key`](Board::key) ignores them, so use it to look up positions
    /// that can be reached by transposition.
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
        self.bitboards == other.bitboards
            && self.state.castling == other.state.castling
            && self.state.turn.is_repetition_of(other.state.turn)
    }

    /// Returns a builder with the contents of this board, to modify and build again.
    pub fn to_builder(&self) -> BoardBuilder {
        BoardBuilder {
            pieces: Square::ALL.map(|square| self.by_square.get(square)),
            side_to_move: self.side_to_move(),
            castling: self.castling(),
            en_passant: self.en_passant(),
            halfmove_clock: self.halfmove_clock(),
            fullmove_number: self.fullmove_number(),
        }
    }

    /// Clears the en-passant square, for use when no en-passant capture is legal because it would leave the
    /// king in check.
    ///
    /// Detecting that needs attack tables, which this crate does not have. `Position` of `tabiya-movegen`
    /// calls this after a move that leaves no legal capture there, so that equal positions have equal keys.
    #[inline]
    pub fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant() {
            self.state.turn = self.state.turn.with_en_passant(None);
            self.keys.all ^= zobrist::en_passant(square.file());
        }
    }

    /// Adds or removes a piece in the bitboards and keys, but not in the mailbox.
    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = square.bitboard();
        self.bitboards.by_type[piece.piece_type().index()] ^= bit;
        self.bitboards.by_color[piece.color().index()] ^= bit;
        let key = zobrist::piece(piece, square);
        self.keys.all ^= key;
        self.keys.pawns ^= if piece.piece_type() == PieceType::Pawn { key } else { 0 };
    }

    /// Computes the bitboards from the mailbox, eight squares at a time.
    ///
    /// A piece is a four-bit number: one bit for the colour, three for the type. Each bit is gathered into
    /// its own bitboard, and the piece bitboards are combinations of those four.
    fn gather_bitboards(&mut self) {
        const LOW_BITS: u64 = 0x0101_0101_0101_0101;
        // Multiplying by this moves the low bits of all eight bytes into the highest byte.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        const EMPTY: u8 = Piece::COUNT as u8;

        let mut bits = [0; 4];
        for (rank, squares) in self.by_square.0.iter().enumerate() {
            let codes = squares.map(|piece| piece.map_or(EMPTY, |piece| piece as u8));
            let codes = u64::from_le_bytes(codes);
            for (position, set) in bits.iter_mut().enumerate() {
                *set |= ((codes >> position & LOW_BITS).wrapping_mul(GATHER) >> 56) << (8 * rank);
            }
        }
        let [black, one, two, four] = bits;
        let empty = four & two;
        self.bitboards.by_type = [
            Bitboard(!(one | two | four)),
            Bitboard(one & !(two | four)),
            Bitboard(two & !(one | four)),
            Bitboard(one & two),
            Bitboard(four & !(one | two)),
            Bitboard(four & one),
        ];
        self.bitboards.by_color = [Bitboard(!(black | empty)), Bitboard(black)];
    }

    /// Returns true if a pawn of the side to move attacks `square`.
    fn is_attacked_by_pawn(&self, square: Square) -> bool {
        let from_rank = square.bitboard().forward(!self.side_to_move());
        let candidates = from_rank.east() | from_rank.west();
        !candidates.is_disjoint(self.pieces(self.side_to_move(), PieceType::Pawn))
    }
}

/// The FEN: bitboards and keys would make every message with a board in it unreadable.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

/// Hashes only the key, since equal boards have equal keys.
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
