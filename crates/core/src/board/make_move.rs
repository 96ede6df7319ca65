//! [`Board::make_move`] and [`Board::make_null_move`], and the observers of piece changes.

use super::Board;
use crate::{
    Bitboard, CastlingRights, CastlingSide, Color, Move, MoveKind, Piece, PieceType, Rank, Square, zobrist,
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

impl Board {
    /// Plays a move, updating pieces, keys, castling rights, en passant, counters and side to move.
    ///
    /// The move must be legal. An illegal move leaves an inconsistent board, though never memory unsafety;
    /// `Position::play` of `tabiya-movegen` is the checked alternative.
    #[inline(always)]
    pub fn make_move<O: BoardObserver>(&mut self, mv: Move, observer: &mut O) {
        let touched = mv.from().bitboard() | mv.to().bitboard();
        if mv.is_plain() && self.state.castling.is_disjoint(touched) {
            self.make_plain_move(mv, touched, observer);
        } else {
            self.make_special_move(mv, touched, observer);
        }
    }

    /// Plays a quiet move, double push or ordinary capture that loses no castling right.
    ///
    /// Most moves are of this form. Everything here is inlined.
    #[inline(always)]
    fn make_plain_move<O: BoardObserver>(&mut self, mv: Move, touched: Bitboard, observer: &mut O) {
        let us = self.state.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            debug_assert!(false, "{mv:?} starts on an empty square");
            return;
        };
        let mut key = self.keys.all ^ zobrist::black_to_move();
        if let Some(square) = self.state.en_passant.take() {
            key ^= zobrist::en_passant(square.file());
        }
        if mv.is_plain_double_push() {
            let beside = to.bitboard().east() | to.bitboard().west();
            if !beside.is_disjoint(self.pieces(!us, PieceType::Pawn)) {
                self.state.en_passant = Some(Square::new(to.file(), Rank::Third.relative_to(us)));
                key ^= zobrist::en_passant(to.file());
            }
        }
        let mut clock = self.state.halfmove_clock.saturating_add(1);
        let mut pawn_key = self.keys.pawns;
        self.bitboards.by_type[piece.piece_type().index()] ^= touched;
        self.bitboards.by_color[us.index()] ^= touched;
        if mv.is_capture()
            && let Some(victim) = self.piece_on(to)
        {
            clock = 0;
            self.bitboards.by_type[victim.piece_type().index()] ^= to.bitboard();
            self.bitboards.by_color[(!us).index()] ^= to.bitboard();
            let change = zobrist::piece(victim, to);
            key ^= change;
            pawn_key ^= if victim.piece_type() == PieceType::Pawn { change } else { 0 };
            observer.remove(victim, to);
        }
        self.by_square.set(from, None);
        self.by_square.set(to, Some(piece));
        let change = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        key ^= change;
        observer.remove(piece, from);
        observer.put(piece, to);
        let is_pawn = piece.piece_type() == PieceType::Pawn;
        pawn_key ^= if is_pawn { change } else { 0 };
        clock = if is_pawn { 0 } else { clock };
        self.keys.all = key;
        self.keys.pawns = pawn_key;
        self.state.halfmove_clock = clock;
        self.state.fullmove_number += us as u32;
        self.state.side_to_move = !us;
    }

    /// Plays any move, including those that [`make_plain_move`](Board::make_plain_move) excludes.
    #[inline(never)]
    fn make_special_move<O: BoardObserver>(&mut self, mv: Move, touched: Bitboard, observer: &mut O) {
        let us = self.state.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            debug_assert!(false, "{mv:?} starts on an empty square");
            return;
        };
        self.clear_en_passant();
        self.update_castling(touched);
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
        self.state.halfmove_clock =
            if resets_clock { 0 } else { self.state.halfmove_clock.saturating_add(1) };
        self.state.fullmove_number += us as u32;
        self.state.side_to_move = !us;
        self.keys.all ^= zobrist::black_to_move();
    }

    /// Plays a null move: passes the turn, as null-move pruning does. The side to move must not be in check.
    #[inline]
    pub fn make_null_move(&mut self) {
        self.clear_en_passant();
        self.state.halfmove_clock = self.state.halfmove_clock.saturating_add(1);
        self.state.fullmove_number += self.state.side_to_move as u32;
        self.state.side_to_move = !self.state.side_to_move;
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
            let rooks = self.castling_rooks(color);
            let king = self.pieces(color, PieceType::King);
            let lost = if touched.is_disjoint(king) { rooks & touched } else { rooks };
            for rook in lost {
                self.keys.all ^= zobrist::castling(color, rook.file());
            }
            self.state.castling ^= if lost == rooks { lost | (king & self.state.castling) } else { lost };
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
