//! The position records of [`old_file`](super::old_file): a position with its score and game result, in 32 bytes.
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
pub(super) const SIZE: usize = 32;

const CASTLING_ROOK: u8 = 12;
const NO_SQUARE: u8 = 64;
const BLACK_TO_MOVE: u8 = 128;

/// A training position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OldPosition {
    pub(super) position: Position,
    /// Search score in centipawns, from White's point of view.
    pub(super) score: i16,
    /// Game result as White's half-points: 0, 1 or 2.
    pub(super) half_points: u8,
}

impl OldPosition {
    /// Unpacks a record.
    ///
    /// # Errors
    /// If the bytes do not encode a legal position with a result; the message says why.
    pub(super) fn from_bytes(bytes: &[u8; SIZE]) -> Result<OldPosition, String> {
        let position = Position::new(board(bytes)?).map_err(|error| error.to_string())?;
        let half_points = bytes[30];
        if half_points > 2 || bytes[31] != 0 {
            return Err(format!("invalid result: {half_points} half-points (expected 0 to 2)"));
        }
        Ok(OldPosition { position, score: i16::from_le_bytes([bytes[28], bytes[29]]), half_points })
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
pub(in crate::data) mod tests {
    use super::*;
    use crate::random::seeded;
    use rand::RngExt;

    /// Packs a position without castling rights, or with those of both sides.
    pub(in crate::data) fn pack(position: &Position, score: i16, half_points: u8) -> Vec<u8> {
        let board = position.board();
        let mut bytes = vec![0; SIZE];
        bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
        for (index, square) in board.occupied().into_iter().enumerate() {
            let can_castle = Color::ALL.iter().any(|&color| board.castling_rooks(color).contains(square));
            let piece = board.piece_on(square).unwrap().index() as u8;
            bytes[8 + index / 2] |= if can_castle { CASTLING_ROOK } else { piece } << (4 * (index % 2));
        }
        let side = if board.side_to_move() == Color::Black { BLACK_TO_MOVE } else { 0 };
        bytes[24] = side | board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
        bytes[25] = board.halfmove_clock() as u8;
        bytes[26..28].copy_from_slice(&board.fullmove_number().to_le_bytes());
        bytes[28..30].copy_from_slice(&score.to_le_bytes());
        bytes[30] = half_points;
        bytes
    }

    fn unpack(bytes: &[u8]) -> Result<OldPosition, String> {
        OldPosition::from_bytes(bytes.first_chunk().unwrap())
    }

    #[test]
    fn positions_are_unpacked() {
        for fen in [
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "4k3/8/8/8/8/8/8/R3K2R b K - 99 150",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w Qg - 3 7",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let expected = OldPosition { position: position.clone(), score: -321, half_points: 1 };
            assert_eq!(unpack(&pack(&position, -321, 1)), Ok(expected), "{fen}");
        }
    }

    #[test]
    fn corrupt_records_never_panic() {
        let mut random = seeded(5);
        let good = pack(&Position::startpos(), 0, 2);
        for _ in 0..20_000 {
            let mut bytes = good.clone();
            for _ in 0..random.random_range(1..=3) {
                bytes[random.random_range(..SIZE)] = random.random();
            }
            let _ = unpack(&bytes);
        }
        let error_with = |at: usize, value| {
            let mut bytes = good.clone();
            bytes[at] = value;
            unpack(&bytes).unwrap_err()
        };
        assert!(error_with(30, 3).contains("invalid result"));
        assert!(error_with(8, 0xff).contains("invalid piece index 15"));
        assert!(error_with(2, 0xff).contains("pieces on the board"));
    }
}
