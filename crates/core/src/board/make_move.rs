//! [`Board::make_move`] and [`Board::make_null_move`], and the observers of piece changes.

use super::Board;
use crate::{
    Bitboard, CastlingRights, CastlingSide, Color, Move, MoveKind, Piece, PieceType, Square, zobrist,
};

/// A receiver of the piece changes that a move makes.
///
/// It lets incrementally updated data, such as piece-square sums, follow the board without the board
/// depending on it.
pub trait BoardObserver {
    /// `piece` has been put on `square`.
    fn put(&mut self, piece: Piece, square: Square);

    /// `piece` has been removed from `square`.
    fn remove(&mut self, piece: Piece, square: Square);
}

/// An observer that does nothing; calls to it compile to no code.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl BoardObserver for NoObserver {
    #[inline]
    fn put(&mut self, _: Piece, _: Square) {}

    #[inline]
    fn remove(&mut self, _: Piece, _: Square) {}
}

/// The squares to the left and right of each square.
static BESIDE: [Bitboard; Square::COUNT] = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::wrapping(index as u8).bitboard();
        table[index] = Bitboard(square.east().0 | square.west().0);
        index += 1;
    }
    table
};

impl Board {
    /// Plays a move, updating pieces, keys, castling rights, en passant, counters and side to move. Returns the new
    /// [`en_passant`](Board::en_passant) square.
    ///
    /// The move must be legal. An illegal move leaves an inconsistent board, though never memory unsafety;
    /// `Position::play` of `tabiya-movegen` is the checked alternative.
    #[inline(always)]
    pub fn make_move<O: BoardObserver>(&mut self, mv: Move, observer: &mut O) -> Option<Square> {
        let touched = mv.from().bitboard() | mv.to().bitboard();
        if mv.is_plain() && self.state.castling.is_disjoint(touched) {
            self.make_plain_move(None, mv, touched, observer);
            self.en_passant()
        } else {
            self.make_special_move(mv, touched, observer);
            None
        }
    }

    /// Overwrites `next` with the board after a move: [`make_move`](Board::make_move) on a copy, but faster. Returns the new
    /// en-passant square, too.
    ///
    /// ```
    /// use tabiya_core::{Board, Move, MoveKind, NoObserver, Square};
    ///
    /// let board = Board::startpos();
    /// let mut next = board.clone();
    /// let knight = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
    /// assert_eq!(board.make_move_into(knight, &mut next, &mut NoObserver), None);
    /// assert_eq!(next.to_string(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
    /// ```
    #[inline(always)]
    pub fn make_move_into<O: BoardObserver>(
        &self,
        mv: Move,
        next: &mut Board,
        observer: &mut O,
    ) -> Option<Square> {
        let touched = mv.from().bitboard() | mv.to().bitboard();
        if mv.is_plain() && self.state.castling.is_disjoint(touched) {
            // The move replaces everything else.
            next.by_square.0 = self.by_square.0;
            next.bitboards = self.bitboards;
            next.keys.pawns = self.keys.pawns;
            next.state.castling = self.state.castling;
            next.make_plain_move(Some(self), mv, touched, observer);
            next.en_passant()
        } else {
            next.clone_from(self);
            next.make_special_move(mv, touched, observer);
            None
        }
    }

    /// Plays a quiet move, double push or ordinary capture that loses no castling right.
    ///
    /// If `self` is a copy that has neither the key nor the turn yet, `before` is the original: loads from it do not wait for
    /// the copy's stores. Most moves are of this form. Everything here is inlined.
    #[inline(always)]
    fn make_plain_move<O: BoardObserver>(
        &mut self,
        before: Option<&Board>,
        mv: Move,
        touched: Bitboard,
        observer: &mut O,
    ) {
        let (from, to) = (mv.from(), mv.to());
        let mut key = before.unwrap_or(self).keys.all ^ zobrist::black_to_move();
        let mut turn = before.unwrap_or(self).state.turn;
        if turn.is_exceptional() {
            if let Some(square) = turn.en_passant() {
                key ^= zobrist::en_passant(square.file());
                turn = turn.with_en_passant(None);
            }
            turn = turn.with_clock_below_maximum();
        }
        turn = turn.next();
        // No early return for an illegal move from an empty square: it costs every other move four instructions.
        if let Some(piece) = before.unwrap_or(self).piece_on(from) {
            let them = turn.side_to_move();
            if mv.is_plain_double_push()
                && !BESIDE[to.index()].is_disjoint(self.pieces(them, PieceType::Pawn))
            {
                let passed = Square::wrapping((from as u8 + to as u8) / 2);
                turn = turn.with_en_passant(Some(passed));
                key ^= zobrist::en_passant(passed.file());
            }
            self.bitboards.by_type[piece.piece_type().index()] ^= touched;
            self.bitboards.by_color[(!them).index()] ^= touched;
            // Not `is_capture`, which takes a register that `LegalMove::play` would have to save.
            if let Some(victim) = before.unwrap_or(self).piece_on(to) {
                turn = turn.with_clock_reset();
                self.bitboards.by_type[victim.piece_type().index()] ^= to.bitboard();
                self.bitboards.by_color[them.index()] ^= to.bitboard();
                let change = zobrist::piece(victim, to);
                key ^= change;
                self.keys.pawns ^= if victim.piece_type() == PieceType::Pawn { change } else { 0 };
                observer.remove(victim, to);
            }
            self.by_square.set(from, None);
            self.by_square.set(to, Some(piece));
            let change = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
            key ^= change;
            observer.remove(piece, from);
            observer.put(piece, to);
            let is_pawn = piece.piece_type() == PieceType::Pawn;
            self.keys.pawns ^= if is_pawn { change } else { 0 };
            turn = if is_pawn { turn.with_clock_reset() } else { turn };
        } else {
            debug_assert!(false, "{mv:?} starts on an empty square");
        }
        self.keys.all = key;
        self.state.turn = turn;
    }

    /// Plays a move that loses a castling right, castles, captures en passant or promotes.
    #[inline(never)]
    fn make_special_move<O: BoardObserver>(&mut self, mv: Move, touched: Bitboard, observer: &mut O) {
        self.update_castling(touched);
        if mv.is_plain() {
            return self.make_plain_move(None, mv, touched, observer);
        }
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            debug_assert!(false, "{mv:?} starts on an empty square");
            return;
        };
        self.clear_en_passant();
        if let MoveKind::Castle(side) = mv.kind() {
            self.castle(us, from, to, side, observer);
        } else {
            let square = if mv.is_en_passant() { Square::new(to.file(), from.rank()) } else { to };
            if mv.is_capture()
                && let Some(victim) = self.piece_on(square)
            {
                self.remove(victim, square, observer);
            }
            self.remove(piece, from, observer);
            let placed = mv.promotion().map_or(piece, |promoted| Piece::new(us, promoted));
            self.put(placed, to, observer);
        }
        let resets_clock = piece.piece_type() == PieceType::Pawn || mv.is_capture();
        let turn = self.state.turn.with_clock_below_maximum().next();
        self.state.turn = if resets_clock { turn.with_clock_reset() } else { turn };
        self.keys.all ^= zobrist::black_to_move();
    }

    /// Plays a null move: passes the turn, as null-move pruning does. The side to move must not be in check.
    #[inline]
    pub fn make_null_move(&mut self) {
        self.clear_en_passant();
        self.state.turn = self.state.turn.with_clock_below_maximum().next();
        self.keys.all ^= zobrist::black_to_move();
    }

    fn put<O: BoardObserver>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.toggle(piece, square);
        self.by_square.set(square, Some(piece));
        observer.put(piece, square);
    }

    fn remove<O: BoardObserver>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.toggle(piece, square);
        self.by_square.set(square, None);
        observer.remove(piece, square);
    }

    fn castle<O: BoardObserver>(
        &mut self,
        us: Color,
        king_from: Square,
        rook_from: Square,
        side: CastlingSide,
        observer: &mut O,
    ) {
        let rank = king_from.rank();
        let (king, rook) = (Piece::new(us, PieceType::King), Piece::new(us, PieceType::Rook));
        // Remove both before putting either back: in Chess960 their squares may overlap.
        self.remove(king, king_from, observer);
        self.remove(rook, rook_from, observer);
        self.put(king, Square::new(side.king_file(), rank), observer);
        self.put(rook, Square::new(side.rook_file(), rank), observer);
    }

    /// Removes the castling rights whose king or rook stands on one of the squares that the move touches.
    fn update_castling(&mut self, touched: Bitboard) {
        for color in Color::ALL {
            let rights = self.state.castling & self.by_color(color);
            if rights.is_disjoint(touched) {
                continue;
            }
            let rooks = rights & self.by_type(PieceType::Rook);
            // All of them if the king moves.
            let lost = if rights.is_disjoint(touched & !rooks) { rooks & touched } else { rooks };
            for rook in lost {
                self.keys.all ^= zobrist::castling(color, rook.file());
            }
            self.state.castling ^= if lost == rooks { rights } else { lost };
        }
    }

    /// The squares of the kings and rooks that have these castling rights.
    pub(super) fn castling_squares(&self, rights: CastlingRights) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = rights.rook_square(color, side) {
                    squares |= rook.bitboard() | self.king(color).bitboard();
                }
            }
        }
        squares
    }
}
