//! Start positions in 32 bytes, in the layout of viriformat, which other programs read.

use tabiya_core::{BoardBuilder, CastlingSide, Color, Piece, PieceType, Square};
use tabiya_movegen::Position;

/// Size of a packed start position, in bytes.
pub(super) const SIZE: usize = 32;

/// Offset of the side to move and the en-passant square, in bytes: after the pieces.
pub(super) const SIDE_AND_EN_PASSANT: usize = 24;
/// Offset of the result, in bytes.
pub(super) const RESULT: usize = 30;
/// Offset of the byte that the format leaves unused.
pub(super) const EXTRA: usize = 31;

/// Nibble of a rook with castling rights, without the colour.
pub(super) const CASTLING_ROOK: u8 = 6;
/// Bit of a nibble for a black piece.
const BLACK_PIECE: u8 = 8;
/// En-passant square of a position that has none.
const NO_SQUARE: u8 = 64;
/// Bit for Black to move.
pub(super) const BLACK_TO_MOVE: u8 = 128;

/// Packs a position. Score, result and extra byte are 0.
pub(super) fn pack(position: &Position) -> [u8; SIZE] {
    let board = position.board();
    let castling = Color::ALL.map(|color| board.castling_rooks(color));
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (index, square) in board.occupied().into_iter().enumerate() {
        let Some(piece) = board.piece_on(square) else { continue };
        let color = if piece.color() == Color::Black { BLACK_PIECE } else { 0 };
        let has_rights = castling[piece.color().index()].contains(square);
        let kind = if has_rights { CASTLING_ROOK } else { piece.piece_type().index() as u8 };
        bytes[8 + index / 2] |= (color | kind) << (4 * (index % 2));
    }
    let side = if board.side_to_move() == Color::Black { BLACK_TO_MOVE } else { 0 };
    bytes[SIDE_AND_EN_PASSANT] = side | board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[25] = u8::try_from(board.halfmove_clock()).unwrap_or(u8::MAX);
    bytes[26..28].copy_from_slice(&board.fullmove_number().to_le_bytes());
    bytes
}

/// Unpacks a position.
///
/// # Errors
/// A message that says why the bytes are not a legal position.
pub(super) fn unpack(bytes: &[u8; SIZE]) -> Result<Position, String> {
    Position::from_builder(&builder(bytes)?).map_err(|error| error.to_string())
}

fn builder(bytes: &[u8; SIZE]) -> Result<BoardBuilder, String> {
    let mut occupied = bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    if occupied.count_ones() > 32 {
        return Err(format!("{} pieces on the board (expected at most 32)", occupied.count_ones()));
    }
    let mut builder = BoardBuilder::empty();
    let mut castling = Vec::new();
    for index in 0..occupied.count_ones() as usize {
        let square = Square::wrapping(occupied.trailing_zeros() as u8);
        occupied &= occupied - 1;
        let nibble = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if nibble & BLACK_PIECE == 0 { Color::White } else { Color::Black };
        let kind = nibble & !BLACK_PIECE;
        let kind = if kind == CASTLING_ROOK {
            castling.push((color, square));
            PieceType::Rook
        } else {
            PieceType::from_index(kind.into()).ok_or_else(|| format!("invalid piece {nibble} on {square}"))?
        };
        builder.set(square, Some(Piece::new(color, kind)));
    }
    for (color, square) in castling {
        let king = Square::ALL
            .into_iter()
            .find(|king| builder.pieces[king.index()] == Some(Piece::new(color, PieceType::King)));
        let king = king.ok_or_else(|| format!("the rook on {square} can castle, but there is no king"))?;
        let side = if square.file() > king.file() { CastlingSide::King } else { CastlingSide::Queen };
        if square.rank() != king.rank() || builder.castling.rook_file(color, side).is_some() {
            return Err(format!("the rook on {square} cannot castle with the king on {king}"));
        }
        builder.castling.set(color, side, Some(square.file()));
    }
    builder.side_to_move =
        if bytes[SIDE_AND_EN_PASSANT] & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black };
    let square = bytes[SIDE_AND_EN_PASSANT] & !BLACK_TO_MOVE;
    builder.en_passant = (square < NO_SQUARE).then(|| Square::wrapping(square));
    builder.halfmove_clock = u16::from(bytes[25]);
    // The format allows 0 for an unknown number.
    builder.fullmove_number = u16::from_le_bytes([bytes[26], bytes[27]]).max(1);
    Ok(builder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::seeded;
    use rand::RngExt;

    #[test]
    fn positions_round_trip() {
        let mut random = seeded(3);
        for number in 0..200 {
            let start = if number % 2 == 0 { 518 } else { random.random_range(..960) };
            let mut position = Position::double_chess960(start, random.random_range(..960)).unwrap();
            for _ in 0..120 {
                assert_eq!(unpack(&pack(&position)).as_ref(), Ok(&position), "{position}");
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
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(unpack(&pack(&position)), Ok(position), "{fen}");
        }
    }

    #[test]
    fn corrupt_positions_never_panic() {
        let mut random = seeded(5);
        let good = pack(&Position::startpos());
        for _ in 0..20_000 {
            let mut bytes = good;
            for _ in 0..random.random_range(1..=3) {
                bytes[random.random_range(..SIZE)] = random.random();
            }
            if let Ok(position) = unpack(&bytes) {
                assert_eq!(unpack(&pack(&position)), Ok(position));
            }
        }
        let error_with = |at: usize, value| {
            let mut bytes = good;
            bytes[at] = value;
            unpack(&bytes).unwrap_err()
        };
        assert_eq!(error_with(8, 0x17), "invalid piece 7 on a1");
        assert_eq!(error_with(2, 0xff), "40 pieces on the board (expected at most 32)");
        // The white king becomes a queen.
        assert_eq!(error_with(10, 0x24), "the rook on a1 can castle, but there is no king");
        assert!(unpack(&[0; SIZE]).unwrap_err().contains("king"));
    }
}
