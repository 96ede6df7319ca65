//! Training records: `bulletformat::ChessBoard`, which the trainer and the program *bullet* read.

use bulletformat::ChessBoard;
use tabiya_core::{Board, Color, PieceType};

/// Size of a record, in bytes.
pub(super) const SIZE: usize = size_of::<ChessBoard>();

/// Offset of the result of a record, in bytes.
pub(super) const RESULT: usize = 26;

/// Packs a position with its score in centipawns and its result in half-points, both from White's point of view. The
/// record is from the point of view of the side to move, with the board flipped if that is Black.
pub(super) fn pack(board: &Board, score: i16, half_points: u8) -> [u8; SIZE] {
    let pieces = |kind| board.by_type(kind).0;
    let bitboards = [
        board.by_color(Color::White).0,
        board.by_color(Color::Black).0,
        pieces(PieceType::Pawn),
        pieces(PieceType::Knight),
        pieces(PieceType::Bishop),
        pieces(PieceType::Rook),
        pieces(PieceType::Queen),
        pieces(PieceType::King),
    ];
    // `-i16::MIN` overflows.
    let score = score.max(-i16::MAX);
    let side = board.side_to_move().index();
    // Fails only if a square is occupied by no piece, which a `Board` excludes.
    let record =
        ChessBoard::from_raw(bitboards, side, score, f32::from(half_points) / 2.0).unwrap_or_default();
    to_bytes(&record)
}

fn to_bytes(record: &ChessBoard) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&record.occ.to_le_bytes());
    bytes[8..24].copy_from_slice(&record.pcs);
    bytes[24..26].copy_from_slice(&record.score.to_le_bytes());
    bytes[RESULT..29].copy_from_slice(&[record.result, record.ksq, record.opp_ksq]);
    bytes[29..].copy_from_slice(&record.extra);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::test_games::random_games;

    #[test]
    fn records_equal_those_of_bulletformat_from_text() {
        for game in random_games(30, 12) {
            game.visit(|position, _, scored| {
                let points = ["0.0", "0.5", "1.0"][usize::from(game.half_points)];
                let text = format!("{position} | {} | {points}", scored.score);
                let expected: ChessBoard = text.parse().unwrap();
                assert_eq!(
                    pack(position.board(), scored.score, game.half_points),
                    to_bytes(&expected),
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
