use super::Board;
use crate::{Bitboard, CastlingSide, Color, Move, Piece, PieceType, Rank, Square, zobrist};

/// Is told which pieces a move takes off the board and puts on it.
///
/// This is how something that is kept incrementally (piece-square sums, say) follows the board
/// without the board knowing of it.
pub trait BoardObserver {
    /// `piece` has been put on `square`.
    fn put(&mut self, piece: Piece, square: Square);

    /// `piece` has been taken off `square`.
    fn lift(&mut self, piece: Piece, square: Square);
}

/// Watches nothing, and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl BoardObserver for NoObserver {
    #[inline]
    fn put(&mut self, _: Piece, _: Square) {}

    #[inline]
    fn lift(&mut self, _: Piece, _: Square) {}
}

impl Board {
    /// Plays a move: pieces, keys, castling rights, en passant, counters, side to move.
    ///
    /// The move must be legal here. One that is not leaves a board that breaks its promises, though
    /// memory stays safe; `Position::play` of `tabiya-movegen` is the checked way.
    #[inline]
    pub fn make_move<O: BoardObserver>(&mut self, mv: Move, observer: &mut O) {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            debug_assert!(false, "no piece on the square that {mv:?} starts from");
            return;
        };
        self.clear_en_passant();
        let touched = from.bitboard() | to.bitboard();
        if !self.castling_squares.is_disjoint(touched) {
            self.update_castling(touched);
        }

        let captures = mv.is_capture();
        if captures {
            let square = if mv.is_en_passant() { Square::new(to.file(), from.rank()) } else { to };
            if let Some(victim) = self.piece_on(square) {
                self.lift(victim, square);
                observer.lift(victim, square);
            }
        }
        if let Some(promoted) = mv.promotion() {
            let promoted = Piece::new(us, promoted);
            self.lift(piece, from);
            observer.lift(piece, from);
            self.put(promoted, to);
            observer.put(promoted, to);
        } else if let Some(side) = mv.castling_side() {
            self.castle(us, from, to, side, observer);
        } else {
            self.move_piece(piece, from, to, observer);
        }

        let resets = captures || piece.piece_type() == PieceType::Pawn;
        self.halfmove_clock = if resets { 0 } else { self.halfmove_clock.saturating_add(1) };
        self.pass_turn();
        if mv.is_double_push() {
            let passed = Square::new(from.file(), Rank::Third.relative_to(us));
            if self.pawn_can_capture_on(passed) {
                self.en_passant = Some(passed);
                self.key ^= zobrist::en_passant(passed.file());
            }
        }
    }

    /// Passes the move to the other side, as a search does to see what a threat is worth. The
    /// side to move must not be in check.
    #[inline]
    pub fn make_null_move(&mut self) {
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.pass_turn();
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.fullmove_number = self.fullmove_number.saturating_add(self.side_to_move as u16);
        self.side_to_move = !self.side_to_move;
        self.key ^= zobrist::black_to_move();
    }

    #[inline]
    fn move_piece<O: BoardObserver>(&mut self, piece: Piece, from: Square, to: Square, observer: &mut O) {
        let both = from.bitboard() | to.bitboard();
        self.by_type[piece.piece_type().index()] ^= both;
        self.by_color[piece.color().index()] ^= both;
        self.by_square[from.index()] = None;
        self.by_square[to.index()] = Some(piece);
        let key = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        self.key ^= key;
        self.pawn_key ^= if piece.piece_type() == PieceType::Pawn { key } else { 0 };
        observer.lift(piece, from);
        observer.put(piece, to);
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
        // Both leave before either arrives: in Chess960 their squares may overlap.
        self.lift(king, king_from);
        observer.lift(king, king_from);
        self.lift(rook, rook_from);
        observer.lift(rook, rook_from);
        let king_to = Square::new(side.king_file(), rank);
        self.put(king, king_to);
        observer.put(king, king_to);
        let rook_to = Square::new(side.rook_file(), rank);
        self.put(rook, rook_to);
        observer.put(rook, rook_to);
    }

    /// Takes away the rights whose king or rook leaves or is taken on one of these squares.
    fn update_castling(&mut self, touched: Bitboard) {
        for color in Color::ALL {
            let king_leaves = touched.contains(self.king(color));
            for side in CastlingSide::ALL {
                if let Some(rook) = self.castling.rook_square(color, side)
                    && (king_leaves || touched.contains(rook))
                {
                    self.key ^= zobrist::castling(color, rook.file());
                    self.castling.set(color, side, None);
                }
            }
        }
        self.castling_squares = self.squares_of_castling();
    }

    /// Where the kings and rooks with castling rights stand.
    pub(super) fn squares_of_castling(&self) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.castling.rook_square(color, side) {
                    squares |= rook.bitboard() | self.king(color).bitboard();
                }
            }
        }
        squares
    }
}
