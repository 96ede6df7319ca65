//! The history that the tutorial's engine remembers and a position does not contain: which pieces have moved
//! and who has castled. The documentation of [`classic`](super) describes how it is inferred.

use tabiya_core::{Board, CastlingRights, CastlingSide, Color, File, Piece, PieceType, Rank, Square};

/// The inferred history of a position.
pub(super) struct InferredHistory {
    rights: CastlingRights,
    castled: [bool; 2],
}

impl InferredHistory {
    pub(super) fn of(board: &Board, end_game: bool) -> InferredHistory {
        let rights = board.castling();
        let castled =
            Color::ALL.map(|color| !rights.any(color) && (end_game || is_on_castled_square(board, color)));
        InferredHistory { rights, castled }
    }

    /// Returns true if a side has castled.
    pub(super) fn has_castled(&self, color: Color) -> bool {
        self.castled[color.index()]
    }

    /// Returns true if a rook, queen or king has moved. No term depends on this for other pieces.
    pub(super) fn has_moved(&self, piece: Piece, square: Square) -> bool {
        let color = piece.color();
        match piece.piece_type() {
            PieceType::King => !self.rights.any(color),
            PieceType::Queen => square.relative_to(color) != Square::D1,
            _ => {
                CastlingSide::ALL.into_iter().all(|side| self.rights.rook_square(color, side) != Some(square))
            }
        }
    }
}

/// Returns true if the king stands where castling puts it, without an own rook between it and the corner.
fn is_on_castled_square(board: &Board, color: Color) -> bool {
    let king = board.king(color);
    let back_rank = Rank::First.relative_to(color);
    let behind = |file: &File| match king.file() {
        File::A | File::B | File::C => *file < king.file(),
        _ => *file > king.file(),
    };
    let on_a_wing = matches!(king.file(), File::A | File::B | File::C | File::G | File::H);
    king.rank() == back_rank
        && on_a_wing
        && File::ALL
            .into_iter()
            .filter(behind)
            .all(|file| !board.pieces(color, PieceType::Rook).contains(Square::new(file, back_rank)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(fen: &str, end_game: bool) -> InferredHistory {
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        InferredHistory::of(&board, end_game)
    }

    #[test]
    fn infers_castling() {
        for (castled, fen) in [
            (true, "r3k2r/8/8/8/8/8/8/R4RK1 w kq - 0 1"),
            (true, "r3k2r/8/8/8/8/8/8/R4R1K w kq - 0 1"),
            (true, "r3k2r/8/8/8/8/8/8/2KR3R w kq - 0 1"),
            (true, "r3k2r/8/8/8/8/8/8/1K1R3R w kq - 0 1"),
            // Walked past a rook, on the second rank, on its initial square, or with a castling right left.
            (false, "r3k2r/8/8/8/8/8/8/R5KR w kq - 0 1"),
            (false, "r3k2r/8/8/8/8/8/8/RK5R w kq - 0 1"),
            (false, "r3k2r/8/8/8/8/8/6K1/R4R2 w kq - 0 1"),
            (false, "r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1"),
            (false, "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1"),
        ] {
            assert_eq!(history(fen, false).has_castled(Color::White), castled, "{fen}");
        }
        // In the endgame only castling rights matter.
        assert!(history("4k3/8/8/3K4/8/8/8/8 w - - 0 1", true).has_castled(Color::White));
        assert!(!InferredHistory::of(&Board::startpos(), true).has_castled(Color::White));
    }

    #[test]
    fn moved_pieces() {
        let history = history("r2qk2r/3p4/8/8/8/8/8/R2K3R b q - 0 1", false);
        for (moved, piece, square) in [
            (true, Piece::WhiteKing, Square::D1),
            (true, Piece::WhiteRook, Square::A1),
            (true, Piece::WhiteRook, Square::H1),
            (false, Piece::BlackKing, Square::E8),
            (false, Piece::BlackRook, Square::A8),
            (true, Piece::BlackRook, Square::H8),
            (false, Piece::BlackQueen, Square::D8),
        ] {
            assert_eq!(history.has_moved(piece, square), moved, "{piece} on {square}");
        }
        assert!(history.has_moved(Piece::WhiteQueen, Square::D8));
    }
}
