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

use tabiya_core::Bitboard;
use tabiya_experiments::games::start;
use tabiya_movegen::Position;

/// Size of a record, in bytes.
pub(super) const SIZE: usize = 32;

const CASTLING_ROOK: u8 = 12;

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
        let position = start::unpack(&to_present(bytes)?)?;
        let half_points = bytes[30];
        if half_points > 2 || bytes[31] != 0 {
            return Err(format!("invalid result: {half_points} half-points (expected 0 to 2)"));
        }
        Ok(OldPosition { position, score: i16::from_le_bytes([bytes[28], bytes[29]]), half_points })
    }
}

/// Returns the position in the present format, which differs in its nibbles.
fn to_present(bytes: &[u8; SIZE]) -> Result<[u8; SIZE], String> {
    let mut present = *bytes;
    present[8..24].fill(0);
    let occupied = bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    // `start::unpack` rejects more than 32 pieces.
    for (index, square) in Bitboard(occupied).into_iter().enumerate().take(32) {
        let nibble = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let (color, kind) = match nibble {
            CASTLING_ROOK => (u8::from(square.index() >= 32), start::CASTLING_ROOK),
            0..CASTLING_ROOK => (nibble % 2, nibble / 2),
            _ => return Err(format!("invalid piece index {nibble}")),
        };
        present[8 + index / 2] |= ((color * start::BLACK_PIECE) | kind) << (4 * (index % 2));
    }
    Ok(present)
}

#[cfg(test)]
pub(in crate::data) mod tests {
    use super::*;
    use rand::RngExt;
    use tabiya_core::Color;
    use tabiya_experiments::games::start::{BLACK_TO_MOVE, NO_SQUARE};
    use tabiya_experiments::random::seeded;

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
