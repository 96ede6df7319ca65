use super::Board;
use crate::{CastlingRights, CastlingSide, Color, Move, MoveKind, Piece, PieceType, Rank, Square, zobrist};

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
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);

        if mv.is_capture() {
            let victim_square = if mv.is_en_passant() { Square::new(to.file(), from.rank()) } else { to };
            if let Some(victim) = self.piece_on(victim_square) {
                self.lift(victim, victim_square);
                observer.lift(victim, victim_square);
                if victim.piece_type() == PieceType::Rook {
                    self.lose_castling_with(!us, victim_square);
                }
            }
            self.halfmove_clock = 0;
        }

        match piece.piece_type() {
            PieceType::Pawn => {
                self.halfmove_clock = 0;
                if let Some(promoted) = mv.promotion() {
                    let promoted = Piece::new(us, promoted);
                    self.lift(piece, from);
                    observer.lift(piece, from);
                    self.put(promoted, to);
                    observer.put(promoted, to);
                } else {
                    self.move_piece(piece, from, to, observer);
                }
            }
            PieceType::King => {
                if let MoveKind::Castle(side) = mv.kind() {
                    self.castle(us, from, to, side, observer);
                } else {
                    self.move_piece(piece, from, to, observer);
                }
                if self.castling.any(us) {
                    self.lose_castling(us, CastlingSide::King);
                    self.lose_castling(us, CastlingSide::Queen);
                }
            }
            piece_type => {
                self.move_piece(piece, from, to, observer);
                if piece_type == PieceType::Rook {
                    self.lose_castling_with(us, from);
                }
            }
        }

        self.pass_turn();
        if mv.kind() == MoveKind::DoublePush {
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
        if self.side_to_move == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
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
        if piece.piece_type() == PieceType::Pawn {
            self.pawn_key ^= key;
        }
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

    #[inline]
    fn lose_castling(&mut self, color: Color, side: CastlingSide) {
        if let Some(file) = self.castling.rook_file(color, side) {
            self.key ^= zobrist::castling(color, file);
            self.castling.set(color, side, None);
        }
    }

    /// A rook of `color` has left or been taken on `square`.
    #[inline]
    fn lose_castling_with(&mut self, color: Color, square: Square) {
        if self.castling == CastlingRights::NONE {
            return;
        }
        for side in CastlingSide::ALL {
            if self.castling.rook_square(color, side) == Some(square) {
                self.lose_castling(color, side);
            }
        }
    }
}
