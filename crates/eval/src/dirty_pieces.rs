//! The pieces that a move adds and removes.

use tabiya_core::{Board, Move, MoveKind, Piece, PieceType, Square};

/// The pieces that a move adds to the board and removes from it: what an incrementally updated evaluation has
/// to change in its accumulators.
///
/// A piece that moves is removed from its old square and added to its new one. A move therefore adds one
/// piece (castling: two) and removes one or two (captures and castling). In Chess960 castling, a piece may be
/// added to the square that it or the other piece is removed from.
///
/// ```
/// use tabiya_core::{Color, Piece, PieceType, Square};
/// use tabiya_eval::DirtyPieces;
/// use tabiya_movegen::Position;
///
/// let position = Position::from_fen("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1")?;
/// let dirty = DirtyPieces::of(&position, position.parse_uci("e7d8q").unwrap());
/// let white = |piece_type| Piece::new(Color::White, piece_type);
/// let rook = Piece::new(Color::Black, PieceType::Rook);
/// assert_eq!(dirty.removed(), [(white(PieceType::Pawn), Square::E7), (rook, Square::D8)]);
/// assert_eq!(dirty.added(), [(white(PieceType::Queen), Square::D8)]);
/// # Ok::<(), tabiya_core::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DirtyPieces {
    removed: [(Piece, Square); 2],
    added: [(Piece, Square); 2],
    removed_len: u8,
    added_len: u8,
}

impl DirtyPieces {
    /// The pieces that `mv`, which must be legal on `before`, adds and removes.
    ///
    /// # Panics
    /// If no piece stands on the move's origin square.
    #[inline]
    pub fn of(before: &Board, mv: Move) -> DirtyPieces {
        let (from, to) = (mv.from(), mv.to());
        let piece = before.piece_on(from).expect("a legal move starts from a piece");
        if let MoveKind::Castle(side) = mv.kind() {
            // A castling move is encoded as the king taking its own rook.
            let rook = Piece::new(piece.color(), PieceType::Rook);
            let [king_to, rook_to] =
                [side.king_file(), side.rook_file()].map(|file| Square::new(file, from.rank()));
            return DirtyPieces {
                removed: [(piece, from), (rook, to)],
                added: [(piece, king_to), (rook, rook_to)],
                removed_len: 2,
                added_len: 2,
            };
        }
        let moved = (piece, from);
        let placed = (mv.promotion().map_or(piece, |promoted| Piece::new(piece.color(), promoted)), to);
        let victim_square = if mv.is_en_passant() { Square::new(to.file(), from.rank()) } else { to };
        let victim = before.piece_on(victim_square).map(|victim| (victim, victim_square));
        DirtyPieces {
            removed: [moved, victim.unwrap_or(moved)],
            added: [placed; 2],
            removed_len: 1 + u8::from(victim.is_some()),
            added_len: 1,
        }
    }

    /// Returns true if the move is one of a king, castling included.
    #[inline]
    pub fn moves_king(&self) -> bool {
        self.added[0].0.piece_type() == PieceType::King
    }

    /// The pieces removed and their old squares: the moving piece first, then the captured piece or the
    /// castling rook.
    pub fn removed(&self) -> &[(Piece, Square)] {
        &self.removed[..usize::from(self.removed_len)]
    }

    /// The pieces added and their new squares: the moving or promoted piece first, then the castling rook.
    pub fn added(&self) -> &[(Piece, Square)] {
        &self.added[..usize::from(self.added_len)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tabiya_core::{BoardObserver, SplitMix64};
    use tabiya_movegen::Position;

    /// Collects what the board reports while it makes a move.
    #[derive(Default)]
    struct Changes {
        removed: BTreeSet<(usize, usize)>,
        added: BTreeSet<(usize, usize)>,
    }

    impl BoardObserver for Changes {
        fn put(&mut self, piece: Piece, square: Square) {
            self.added.insert((piece.index(), square.index()));
        }

        fn remove(&mut self, piece: Piece, square: Square) {
            self.removed.insert((piece.index(), square.index()));
        }
    }

    /// Compares with the notifications of the board for all moves of all positions of random games.
    #[test]
    fn agrees_with_the_board() {
        let mut random = SplitMix64::new(1);
        let mut castlings = 0;
        for start in (0..960).step_by(7) {
            let mut position = Position::chess960(start).expect("a number below 960");
            for _ in 0..60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for mv in &moves {
                    let mut expected = Changes::default();
                    position.board().clone().make_move(mv, &mut expected);
                    let dirty = DirtyPieces::of(&position, mv);
                    let set = |pieces: &[(Piece, Square)]| {
                        pieces.iter().map(|(piece, square)| (piece.index(), square.index())).collect()
                    };
                    let actual = Changes { removed: set(dirty.removed()), added: set(dirty.added()) };
                    assert_eq!(actual.removed, expected.removed, "{position} {mv:?}");
                    assert_eq!(actual.added, expected.added, "{position} {mv:?}");
                    assert_eq!(dirty.moves_king(), position.king(position.side_to_move()) == mv.from());
                    castlings += usize::from(matches!(mv.kind(), MoveKind::Castle(_)));
                }
                position.play_unchecked(moves[random.below(moves.len())]);
            }
        }
        assert!(castlings > 100, "only {castlings} castling moves");
    }
}
