//! Chess960 start positions and their numbers.

use crate::position::Position;
use tabiya_core::{BoardBuilder, CastlingSide, Color, File, Piece, PieceType, Square};

impl Position {
    /// Returns the Chess960 start position with this number (0 to 959) in Reinhard Scharnagl's numbering;
    /// `None` for any other number. Number 518 is the start position of chess.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// assert_eq!(Position::chess960(518), Some(Position::startpos()));
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Position> {
        Position::double_chess960(number, number)
    }

    /// Returns the start position of double Chess960, in which each side has its own start position,
    /// numbered as in [`chess960`](Position::chess960). `None` if either number is above 959.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// let position = Position::double_chess960(518, 0).unwrap();
    /// assert_eq!(position.to_string(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// ```
    pub fn double_chess960(white: u16, black: u16) -> Option<Position> {
        if white >= 960 || black >= 960 {
            return None;
        }
        let mut builder = BoardBuilder::empty();
        for (color, number) in [(Color::White, white), (Color::Black, black)] {
            let mut side = CastlingSide::Queen;
            for (file, piece_type) in File::ALL.into_iter().zip(back_rank(number)) {
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

    /// Returns the number of this Chess960 start position; `None` if it is not one. The start position of
    /// chess is number 518.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// assert_eq!(Position::startpos().chess960_number(), Some(518));
    /// ```
    pub fn chess960_number(&self) -> Option<u16> {
        let (white, black) = self.double_chess960_numbers()?;
        (white == black).then_some(white)
    }

    /// Returns White's and Black's numbers of this double Chess960 start position; `None` if it is not one.
    ///
    /// ```
    /// use tabiya_movegen::Position;
    ///
    /// let position = Position::double_chess960(0, 959).unwrap();
    /// assert_eq!(position.double_chess960_numbers(), Some((0, 959)));
    /// ```
    pub fn double_chess960_numbers(&self) -> Option<(u16, u16)> {
        let number = |color| {
            let rank = File::ALL.map(|file| {
                let piece = self.piece_on(Square::wrapping(file as u8).relative_to(color));
                piece.filter(|piece| piece.color() == color).map(Piece::piece_type)
            });
            (0..960).find(|&number| back_rank(number).map(Some) == rank)
        };
        let numbers = (number(Color::White)?, number(Color::Black)?);
        // Pawns, castling rights and counters must match as well.
        (Position::double_chess960(numbers.0, numbers.1).as_ref() == Some(self)).then_some(numbers)
    }
}

/// Returns the back-rank pieces from the a-file to the h-file.
///
/// The number's digits in bases 4, 4 and 6 place the light-squared bishop, the dark-squared bishop and the
/// queen. The remaining quotient, 0 to 9, places the two knights; rook, king and rook fill the free files
/// from the left.
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
    // Place the second knight first, so that the index of the first one among the five free files stays valid.
    let (first, second) = KNIGHTS[number / 96];
    place(second, PieceType::Knight);
    place(first, PieceType::Knight);
    for piece_type in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place(0, piece_type);
    }
    rank.map(|piece| piece.unwrap_or(PieceType::Rook))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        for number in 0..960 {
            let position = Position::chess960(number).unwrap();
            assert_eq!(position.chess960_number(), Some(number));
            let other = (number * 7 + 13) % 960;
            let double = Position::double_chess960(number, other).unwrap();
            assert_eq!(double.double_chess960_numbers(), Some((number, other)));
            assert_eq!(double.to_string().parse(), Ok(double));
        }
        assert_eq!((Position::chess960(960), Position::chess960(u16::MAX)), (None, None));
        assert_eq!(Position::double_chess960(0, 960), None);
        assert_eq!(Position::double_chess960(960, 0), None);
    }

    #[test]
    fn other_positions_have_no_number() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1",
            "krbbqnrn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(position.double_chess960_numbers(), None, "{fen}");
        }
        assert_eq!(Position::double_chess960(1, 2).unwrap().chess960_number(), None);
    }
}
