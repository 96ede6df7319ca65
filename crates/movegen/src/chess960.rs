use crate::Position;
use tabiya_core::{BoardBuilder, CastlingRights, CastlingSide, Color, File, Piece, PieceType, Square};

impl Position {
    /// The start position of Chess960 with this number, 0 to 959, in Reinhard Scharnagl's
    /// numbering. Number 518 is the start position of chess.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// assert_eq!(Position::chess960(518), Some(Position::startpos()));
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Position> {
        if number >= 960 {
            return None;
        }
        let rank = back_rank(number);
        let mut builder = BoardBuilder { castling: CastlingRights::NONE, ..BoardBuilder::empty() };
        for color in Color::ALL {
            let mut side = CastlingSide::Queen;
            for (file, piece_type) in File::ALL.into_iter().zip(rank) {
                let square = Square::wrapping(file as u8).relative_to(color);
                builder.set(square, Some(Piece::new(color, piece_type)));
                let pawn_square = Square::wrapping(8 + file as u8).relative_to(color);
                builder.set(pawn_square, Some(Piece::new(color, PieceType::Pawn)));
                if piece_type == PieceType::Rook {
                    builder.castling.set(color, side, Some(file));
                    side = CastlingSide::King;
                }
            }
        }
        builder.build().ok().map(Position::from_valid)
    }
}

/// The pieces from a to h. The number's digits, to bases 4, 4 and 6, place the light-squared
/// bishop, the dark-squared one and the queen; what is left, 0 to 9, places the two knights; rook,
/// king and rook fill up from the left.
fn back_rank(number: u16) -> [PieceType; 8] {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

    let mut rank: [Option<PieceType>; 8] = [None; 8];
    let number = usize::from(number);
    rank[number % 4 * 2 + 1] = Some(PieceType::Bishop);
    rank[number / 4 % 4 * 2] = Some(PieceType::Bishop);
    let mut place = |nth: usize, piece_type| {
        let free = (0..8).filter(|&file| rank[file].is_none()).nth(nth);
        if let Some(file) = free {
            rank[file] = Some(piece_type);
        }
    };
    place(number / 16 % 6, PieceType::Queen);
    // Of the five free files, the second knight's first, so that the first one's count stands.
    let (first, second) = KNIGHTS[number / 96];
    place(second, PieceType::Knight);
    place(first, PieceType::Knight);
    for piece_type in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place(0, piece_type);
    }
    rank.map(|piece| piece.unwrap_or(PieceType::Rook))
}
