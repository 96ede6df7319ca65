//! Training records in the format of the crate `bulletformat`: a position from the side to move's point of view, with
//! score and result, in 32 bytes. The trainer and the program *bullet* read them.

use bulletformat::ChessBoard;
use std::fmt;
use tabiya_core::{Bitboard, Board, BoardBuilder, BoardError, Color, Piece, PieceType, Square};
use tabiya_movegen::Position;

/// Size of a record, in bytes.
pub(crate) const SIZE: usize = size_of::<ChessBoard>();

/// Offset of the result of a record, in bytes.
const RESULT: usize = 26;

/// Offset of the flags, in bytes that the format leaves free and that bullet does not read.
const FLAGS: usize = 29;

/// Flag: the record's target is its score alone, since its position is not of the game that its result is from.
pub(crate) const SCORE_ONLY: u8 = 1;

/// The index of the king among the piece types.
const KING: u8 = PieceType::King.index() as u8;

/// The reason why 32 bytes are not a training record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RecordError {
    /// Too few or too many pieces.
    PieceCount { found: u32 },
    /// A piece of no type.
    Piece { square: u8, found: u8 },
    /// No king, several kings, or a king on another square than the record says.
    King { own: bool, square: u8 },
    /// A result that is not 0, 1 or 2 half-points.
    Result { found: u8 },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            RecordError::PieceCount { found } => write!(f, "{found} pieces (expected 2 to 32)"),
            RecordError::Piece { square, found } => {
                let square = Square::wrapping(square);
                write!(f, "piece {found} on {square} (expected 0 to 5, or 8 to 13 for the opponent)")
            }
            RecordError::King { own, square } => {
                let side = if own { "the side to move" } else { "the opponent" };
                let square = Square::from_index(usize::from(square));
                let place = square.map_or("no square".to_owned(), |square| square.to_string());
                write!(f, "{side} does not have exactly one king, on {place}, as the record says")
            }
            RecordError::Result { found } => write!(f, "result {found} (expected 0 to 2 half-points)"),
        }
    }
}

impl std::error::Error for RecordError {}

/// Decodes and checks a record.
///
/// # Errors
/// If the bytes are not a record that can be trained on. Records of unreachable positions are accepted.
pub(crate) fn decode(bytes: &[u8; SIZE]) -> Result<ChessBoard, RecordError> {
    let &[o0, o1, o2, o3, o4, o5, o6, o7, ref rest @ ..] = bytes;
    let [pieces @ .., s0, s1, result, ksq, opp_ksq, e0, e1, e2] = rest;
    let record = ChessBoard {
        occ: u64::from_le_bytes([o0, o1, o2, o3, o4, o5, o6, o7]),
        pcs: *pieces,
        score: i16::from_le_bytes([*s0, *s1]),
        result: *result,
        ksq: *ksq,
        opp_ksq: *opp_ksq,
        extra: [*e0, *e1, *e2],
    };
    check(&record)?;
    Ok(record)
}

/// Encodes a record.
pub(crate) fn encode(record: &ChessBoard) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&record.occ.to_le_bytes());
    bytes[8..24].copy_from_slice(&record.pcs);
    bytes[24..RESULT].copy_from_slice(&record.score.to_le_bytes());
    bytes[RESULT..29].copy_from_slice(&[record.result, record.ksq, record.opp_ksq]);
    bytes[29..].copy_from_slice(&record.extra);
    bytes
}

/// Packs a position with its score in centipawns and its result in half-points, both from White's point of view. The
/// record is from the point of view of the side to move, with the board flipped if that is Black.
pub(crate) fn pack(board: &Board, score: i16, half_points: u8) -> [u8; SIZE] {
    let us = board.side_to_move();
    let is_flipped = us == Color::Black;
    // Seen from Black's side, a square has the rank of its mirror image.
    let flip = if is_flipped { 56 } else { 0 };
    let occupied = board.occupied();
    let occupied = if is_flipped { Bitboard(occupied.0.swap_bytes()) } else { occupied };
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    // Not by the crate, which allocates memory for each piece.
    for (index, square) in occupied.into_iter().enumerate() {
        let Some(piece) = board.piece_on(Square::wrapping(square.index() as u8 ^ flip)) else { continue };
        let side = if piece.color() == us { 0 } else { 8 };
        bytes[8 + index / 2] |= (side | piece.piece_type().index() as u8) << (4 * (index % 2));
    }
    // `-i16::MIN` overflows.
    let score = score.max(-i16::MAX);
    bytes[24..RESULT].copy_from_slice(&(if is_flipped { -score } else { score }).to_le_bytes());
    bytes[RESULT] = if is_flipped { 2 - half_points } else { half_points };
    let king = |color: Color| board.king(color).relative_to(color).index() as u8;
    bytes[RESULT + 1..FLAGS].copy_from_slice(&[king(us), king(!us)]);
    bytes
}

/// [`pack`] for a position that is not of the game: the trainer fits it to the score alone.
pub(crate) fn pack_score_only(board: &Board, score: i16, half_points: u8) -> [u8; SIZE] {
    let mut bytes = pack(board, score, half_points);
    bytes[FLAGS] |= SCORE_ONLY;
    bytes
}

/// Returns true if the target of a record is its score alone.
#[inline]
pub(crate) fn is_score_only(record: &ChessBoard) -> bool {
    record.extra[0] & SCORE_ONLY != 0
}

fn check(record: &ChessBoard) -> Result<(), RecordError> {
    let count = record.occ.count_ones();
    if !(2..=32).contains(&count) {
        return Err(RecordError::PieceCount { found: count });
    }
    if record.result > 2 {
        return Err(RecordError::Result { found: record.result });
    }
    let mut kings = [0_u64; 2];
    for (piece, square) in *record {
        let kind = piece & 7;
        if kind > KING {
            return Err(RecordError::Piece { square, found: piece });
        }
        if kind == KING {
            kings[usize::from(piece >> 3)] |= 1 << square;
        }
    }
    let squares = [record.ksq, record.opp_ksq ^ 56];
    for (side, (king, square)) in kings.into_iter().zip(squares).enumerate() {
        if square > 63 || king != 1 << square {
            return Err(RecordError::King { own: side == 0, square });
        }
    }
    Ok(())
}

/// Returns the position with White to move. Castling rights, en-passant square and counters are not in the
/// record.
///
/// # Errors
/// If the side that has moved is in check, or the position is otherwise impossible.
pub(crate) fn position(record: &ChessBoard) -> Result<Position, BoardError> {
    let mut builder = BoardBuilder::empty();
    for (piece, square) in *record {
        let color = if piece & 8 == 0 { Color::White } else { Color::Black };
        let piece_type = PieceType::from_index(usize::from(piece & 7));
        builder.set(Square::wrapping(square), piece_type.map(|piece_type| Piece::new(color, piece_type)));
    }
    Position::from_builder(&builder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_lab_common::games::test_games::random_games;

    fn record(text: &str) -> ChessBoard {
        text.parse().unwrap()
    }

    #[test]
    fn records_round_trip() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 25 | 0.5",
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3 | -300 | 1.0",
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1 | 550 | 1.0",
        ] {
            let record = record(text);
            assert_eq!(decode(&encode(&record)), Ok(record), "{text}");
        }
    }

    #[test]
    fn layout_is_that_of_the_crate() {
        let records = [record("4k3/8/8/3p4/8/8/8/4K2R b - - 0 1 | -550 | 1.0")];
        let bytes = <ChessBoard as bulletformat::BulletFormat>::as_bytes_slice(&records);
        assert_eq!(bytes, encode(&records[0]));
    }

    #[test]
    fn position_has_the_side_to_move_as_white() {
        let position = position(&record("4k3/8/8/3p4/8/8/8/4K2R b - - 0 1 | 0 | 0.5")).unwrap();
        assert_eq!(position.to_string(), "4k2r/8/8/8/3P4/8/8/4K3 w - - 0 1");
    }

    #[test]
    fn rejects_broken_records() {
        let good = encode(&record("4k3/8/8/3p4/8/8/8/4K2R w - - 0 1 | 0 | 0.5"));
        let error = |change: &dyn Fn(&mut [u8; SIZE])| {
            let mut bytes = good;
            change(&mut bytes);
            decode(&bytes).unwrap_err()
        };
        assert_eq!(error(&|bytes| bytes[..8].fill(0)), RecordError::PieceCount { found: 0 });
        assert_eq!(error(&|bytes| bytes[..8].fill(255)), RecordError::PieceCount { found: 64 });
        assert_eq!(error(&|bytes| bytes[RESULT] = 3), RecordError::Result { found: 3 });
        assert_eq!(error(&|bytes| bytes[8] = 0x36), RecordError::Piece { square: 4, found: 6 });
        assert_eq!(error(&|bytes| bytes[8] = 0x33), RecordError::King { own: true, square: 4 });
        assert_eq!(error(&|bytes| bytes[27] = 5), RecordError::King { own: true, square: 5 });
        assert_eq!(error(&|bytes| bytes[28] = 200), RecordError::King { own: false, square: 240 });
        let text = error(&|bytes| bytes[27] = 5).to_string();
        assert_eq!(text, "the side to move does not have exactly one king, on f1, as the record says");
    }

    #[test]
    fn records_equal_those_of_bulletformat_from_text() {
        for game in random_games(30, 12) {
            game.visit(|position, _, scored| {
                let points = ["0.0", "0.5", "1.0"][usize::from(game.half_points)];
                let text = format!("{position} | {} | {points}", scored.score);
                let expected: ChessBoard = text.parse().unwrap();
                assert_eq!(
                    pack(position.board(), scored.score, game.half_points),
                    encode(&expected),
                    "{text}"
                );
            });
        }
    }

    #[test]
    fn smallest_score_does_not_overflow() {
        let board = Board::startpos();
        assert_eq!(pack(&board, i16::MIN, 0)[24..RESULT], (-i16::MAX).to_le_bytes());
    }
}
