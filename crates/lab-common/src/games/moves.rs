//! Moves in 16 bits, as game files store them.

use tabiya_core::{CastlingSide, Move, MoveKind, PieceType, Square};
use tabiya_movegen::Position;

const EN_PASSANT: u16 = 1;
const CASTLING: u16 = 2;
const PROMOTION: u16 = 3;

/// Packs a move.
pub(super) fn pack(mv: Move) -> u16 {
    let (kind, piece) = match mv.kind() {
        MoveKind::EnPassant => (EN_PASSANT, 0),
        MoveKind::Castle(_) => (CASTLING, 0),
        MoveKind::Promotion(piece) | MoveKind::PromotionCapture(piece) => {
            (PROMOTION, piece.index() as u16 - PieceType::Knight.index() as u16)
        }
        MoveKind::Quiet | MoveKind::DoublePush | MoveKind::Capture => (0, 0),
    };
    mv.from().index() as u16 | (mv.to().index() as u16) << 6 | piece << 12 | kind << 14
}

/// Unpacks a legal move; `None` if the bits are not one in this position.
pub(super) fn unpack(position: &Position, bits: u16) -> Option<Move> {
    let from = Square::wrapping((bits & 63) as u8);
    let to = Square::wrapping((bits >> 6 & 63) as u8);
    if from == to {
        return None;
    }
    let captures = position.board().piece_on(to).is_some();
    let kind = match bits >> 14 {
        EN_PASSANT => MoveKind::EnPassant,
        CASTLING if to.file() > from.file() => MoveKind::Castle(CastlingSide::King),
        CASTLING => MoveKind::Castle(CastlingSide::Queen),
        PROMOTION => {
            let piece = PieceType::from_index(PieceType::Knight.index() + usize::from(bits >> 12 & 3))?;
            if captures { MoveKind::PromotionCapture(piece) } else { MoveKind::Promotion(piece) }
        }
        _ if captures => MoveKind::Capture,
        _ if is_double_push(position, from, to) => MoveKind::DoublePush,
        _ => MoveKind::Quiet,
    };
    let mv = Move::new(from, to, kind);
    position.is_legal(mv).then_some(mv)
}

fn is_double_push(position: &Position, from: Square, to: Square) -> bool {
    let is_pawn = position.board().piece_on(from).is_some_and(|piece| piece.piece_type() == PieceType::Pawn);
    is_pawn && from.index().abs_diff(to.index()) == 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::seeded;
    use rand::RngExt;

    #[test]
    fn legal_moves_and_no_others_unpack() {
        let mut random = seeded(11);
        for number in 0..40 {
            let mut position = Position::double_chess960(random.random_range(..960), number * 24).unwrap();
            for _ in 0..160 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let packed: Vec<u16> = moves.iter().map(|&mv| pack(mv)).collect();
                assert!(!packed.contains(&0));
                for (&mv, &bits) in moves.iter().zip(&packed) {
                    assert_eq!(unpack(&position, bits), Some(mv), "{position}");
                }
                for _ in 0..50 {
                    let bits = random.random();
                    if let Some(mv) = unpack(&position, bits) {
                        assert!(moves.contains(&mv), "{position} {bits:#x}");
                    }
                }
                position.play_unchecked(moves[random.random_range(..moves.len())]);
            }
        }
    }
}
