//! The check of target `uci_move`.

use super::position_and_moves;
use tabiya_core::notation::UciMove;
use tabiya_core::{Color, Move, PieceType};
use tabiya_movegen::{Position, ResolveUciError};

/// Any text is rejected, or is a move that round-trips and resolves to the legal move with that notation,
/// if any.
pub fn uci_move(data: &[u8]) {
    let (position, lines) = position_and_moves(data);
    for text in lines.filter_map(|line| str::from_utf8(line).ok()) {
        let parsed = text.parse::<UciMove>();
        let resolved = position.parse_uci(text);
        match parsed {
            Ok(uci) => {
                // Only the promotion letter may be in upper case.
                assert_eq!(uci.to_string(), text.to_ascii_lowercase());
                assert_eq!(uci.to_string().parse(), Ok(uci));
                assert_eq!(resolved, position.resolve_uci(uci));
                check_resolution(&position, uci, resolved);
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(resolved, Err(ResolveUciError::Syntax(error)));
            }
        }
    }
}

/// Finds the legal move with this notation. Castling is written as "king takes rook", or as the king's move
/// to its target square if that is more than one square away.
fn matching_move(position: &Position, uci: UciMove) -> Option<Move> {
    let moves = position.legal_moves();
    let king_move = |mv: &&Move| mv.to_uci(false) == uci && mv.from().distance(mv.destination()) > 1;
    moves.iter().find(|mv| mv.to_uci(true) == uci).or_else(|| moves.iter().find(king_move)).copied()
}

fn check_resolution(position: &Position, uci: UciMove, resolved: Result<Move, ResolveUciError>) {
    let moves = position.legal_moves();
    assert_eq!(resolved.ok(), matching_move(position, uci), "{uci} in {position:#}");
    let Err(error) = resolved else { return };
    assert!(!error.to_string().is_empty());
    let UciMove::Normal { from, to, .. } = uci else {
        assert_eq!(error, ResolveUciError::Null);
        return;
    };
    let with_promotion =
        |promotion: Option<PieceType>| matching_move(position, UciMove::Normal { from, to, promotion });
    match error {
        ResolveUciError::NoPiece(square) => {
            assert_eq!(square, from);
            assert_eq!(position.piece_on(square), None);
        }
        ResolveUciError::WrongSide(square, color) => {
            assert_eq!(square, from);
            assert_eq!(color, position.side_to_move());
            assert_eq!(position.piece_on(square).map(|piece| piece.color()), Some(!color));
        }
        ResolveUciError::MissingPromotion => assert!(with_promotion(Some(PieceType::Queen)).is_some()),
        ResolveUciError::UnexpectedPromotion => assert!(with_promotion(None).is_some()),
        ResolveUciError::Illegal(same) => {
            assert_eq!(same, uci);
            let own = |color: Color| position.piece_on(from).map(|piece| piece.color()) == Some(color);
            assert!(own(position.side_to_move()), "{uci} in {position:#}");
            assert!(!moves.iter().any(|mv| mv.from() == from && mv.to() == to), "{uci} in {position:#}");
        }
        _ => panic!("{error:?} for {uci} in {position:#}"),
    }
}
