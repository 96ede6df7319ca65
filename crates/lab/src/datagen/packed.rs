//! A position with its score and game result, packed into 32 bytes.
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | occupancy bitboard, a1 = bit 0 |
//! | 8-23 | one nibble per occupied square, low nibble first: the piece index, or 12 for a rook with castling rights (its rank gives its colour) |
//! | 24 | en-passant square, or 64 for none; plus 128 if Black is to move |
//! | 25 | halfmove clock |
//! | 26-27 | fullmove number |
//! | 28-29 | score in centipawns from White's point of view, signed |
//! | 30 | result: White's half-points, 0 to 2 |
//! | 31 | 0; distinguishes the record from a game's end record |
//!
//! Integers are little-endian.

use tabiya_core::{Board, BoardBuilder, CastlingSide, Color, Piece, PieceType, Square};
use tabiya_movegen::Position;

/// Size of a record, in bytes.
pub(crate) const SIZE: usize = 32;

const CASTLING_ROOK: u8 = 12;
const NO_SQUARE: u8 = 64;
const BLACK_TO_MOVE: u8 = 128;

/// A training position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sample {
    pub(crate) position: Position,
    /// Search score in centipawns, from White's point of view.
    pub(crate) score: i16,
    /// Game result as White's half-points: 0, 1 or 2.
    pub(crate) half_points: u8,
}

impl Sample {
    /// Packs the position into a record.
    pub(crate) fn to_bytes(&self) -> [u8; SIZE] {
        let board = self.position.board();
        let castling: Vec<Square> = Color::ALL
            .into_iter()
            .flat_map(|color| CastlingSide::ALL.map(|side| board.castling().rook_square(color, side)))
            .flatten()
            .collect();
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
        for (index, square) in board.occupied().into_iter().enumerate() {
            let piece = board.piece_on(square).map_or(0, |piece| piece.index() as u8);
            let nibble = if castling.contains(&square) { CASTLING_ROOK } else { piece };
            bytes[8 + index / 2] |= nibble << (4 * (index % 2));
        }
        let side = if board.side_to_move() == Color::Black { BLACK_TO_MOVE } else { 0 };
        bytes[24] = side | board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
        bytes[25] = u8::try_from(board.halfmove_clock()).unwrap_or(u8::MAX);
        bytes[26..28].copy_from_slice(&board.fullmove_number().to_le_bytes());
        bytes[28..30].copy_from_slice(&self.score.to_le_bytes());
        bytes[30] = self.half_points;
        bytes
    }

    /// Unpacks a record.
    ///
    /// # Errors
    /// If the bytes do not encode a legal position with a result; the message says why.
    pub(crate) fn from_bytes(bytes: &[u8; SIZE]) -> Result<Sample, String> {
        let position = Position::new(board(bytes)?).map_err(|error| error.to_string())?;
        let half_points = bytes[30];
        if half_points > 2 || bytes[31] != 0 {
            return Err(format!("invalid result: {half_points} half-points (expected 0 to 2)"));
        }
        Ok(Sample { position, score: i16::from_le_bytes([bytes[28], bytes[29]]), half_points })
    }
}

fn board(bytes: &[u8; SIZE]) -> Result<Board, String> {
    let [occupied, ..] = bytes.as_chunks::<8>().0 else { return Err("too short".to_owned()) };
    let mut occupied = u64::from_le_bytes(*occupied);
    if occupied.count_ones() > 32 {
        return Err(format!("{} pieces on the board (expected at most 32)", occupied.count_ones()));
    }
    let mut builder = BoardBuilder::empty();
    let mut castling = Vec::new();
    for index in 0..occupied.count_ones() as usize {
        let square = Square::wrapping(occupied.trailing_zeros() as u8);
        occupied &= occupied - 1;
        let nibble = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let piece = if nibble == CASTLING_ROOK {
            let color = if square.index() < 32 { Color::White } else { Color::Black };
            castling.push((color, square));
            Piece::new(color, PieceType::Rook)
        } else {
            piece(nibble).ok_or_else(|| format!("invalid piece index {nibble}"))?
        };
        builder.set(square, Some(piece));
    }
    for (color, square) in castling {
        let king = Square::ALL
            .into_iter()
            .find(|king| builder.pieces[king.index()] == Some(Piece::new(color, PieceType::King)));
        let king = king.ok_or("a rook has castling rights, but there is no king")?;
        let side = if square.file() > king.file() { CastlingSide::King } else { CastlingSide::Queen };
        builder.castling.set(color, side, Some(square.file()));
    }
    builder.side_to_move = if bytes[24] & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black };
    let square = bytes[24] & !BLACK_TO_MOVE;
    builder.en_passant = (square < NO_SQUARE).then(|| Square::wrapping(square));
    builder.halfmove_clock = u16::from(bytes[25]);
    builder.fullmove_number = u16::from_le_bytes([bytes[26], bytes[27]]);
    builder.build().map_err(|error| error.to_string())
}

fn piece(index: u8) -> Option<Piece> {
    let kind = PieceType::from_index(usize::from(index / 2))?;
    Some(Piece::new(Color::ALL[usize::from(index % 2)], kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::seeded;
    use rand::RngExt;

    fn round_trip(position: &Position) {
        let sample = Sample { position: position.clone(), score: -321, half_points: 1 };
        let bytes = sample.to_bytes();
        assert_eq!(Sample::from_bytes(&bytes), Ok(sample), "{position}");
    }

    #[test]
    fn positions_round_trip() {
        let mut random = seeded(3);
        for number in 0..200 {
            let start = if number % 2 == 0 { 518 } else { random.random_range(..960) };
            let mut position = Position::double_chess960(start, random.random_range(..960)).unwrap();
            for _ in 0..120 {
                round_trip(&position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[random.random_range(..moves.len())]);
            }
        }
        for fen in [
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "4k3/8/8/8/8/8/8/R3K2R b K - 99 150",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w Qg - 3 7",
        ] {
            round_trip(&Position::from_fen(fen).unwrap());
        }
    }

    #[test]
    fn corrupt_records_never_panic() {
        let mut random = seeded(5);
        let good = Sample { position: Position::startpos(), score: 0, half_points: 2 }.to_bytes();
        for _ in 0..20_000 {
            let mut bytes = good;
            for _ in 0..random.random_range(1..=3) {
                bytes[random.random_range(..SIZE)] = random.random();
            }
            // A record that still unpacks must also round-trip.
            if let Ok(sample) = Sample::from_bytes(&bytes) {
                assert_eq!(Sample::from_bytes(&sample.to_bytes()), Ok(sample));
            }
        }
        let error_with = |at: usize, value| {
            let mut bytes = good;
            bytes[at] = value;
            Sample::from_bytes(&bytes).unwrap_err()
        };
        assert!(error_with(30, 3).contains("invalid result"));
        assert!(error_with(8, 0xff).contains("invalid piece index 15"));
        assert!(error_with(2, 0xff).contains("pieces on the board"));
    }
}
