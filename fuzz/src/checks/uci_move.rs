use super::position_and_moves;
use tabiya_core::notation::UciMove;
use tabiya_core::{Color, Move, PieceType};
use tabiya_movegen::{Position, ResolveUciError};

/// Any text is refused, or is a move that survives being written and read; and in the position it
/// stands for the legal move that is written like that, if there is one.
pub fn uci_move(data: &[u8]) {
    let (position, lines) = position_and_moves(data);
    for text in lines.filter_map(|line| str::from_utf8(line).ok()) {
        let parsed = text.parse::<UciMove>();
        let resolved = position.parse_uci(text);
        match parsed {
            Ok(uci) => {
                // Only the promotion's letter may be a capital.
                assert_eq!(uci.to_string(), text.to_ascii_lowercase());
                assert_eq!(uci.to_string().parse(), Ok(uci));
                assert_eq!(resolved, position.resolve_uci(uci));
                check_meaning(&position, uci, resolved);
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(resolved, Err(ResolveUciError::Syntax(error)));
            }
        }
    }
}

/// The move that is written like that: as "king takes rook" if it is castling, or else with the
/// king's step where that is no step of one square or none.
fn meant(position: &Position, uci: UciMove) -> Option<Move> {
    let moves = position.legal_moves();
    let stepping = |mv: &&Move| mv.to_uci(false) == uci && mv.from().distance(mv.destination()) > 1;
    moves.iter().find(|mv| mv.to_uci(true) == uci).or_else(|| moves.iter().find(stepping)).copied()
}

fn check_meaning(position: &Position, uci: UciMove, resolved: Result<Move, ResolveUciError>) {
    let moves = position.legal_moves();
    assert_eq!(resolved.ok(), meant(position, uci), "{uci} in {position:#}");
    let Err(error) = resolved else { return };
    assert!(!error.to_string().is_empty());
    let UciMove::Normal { from, to, .. } = uci else {
        assert_eq!(error, ResolveUciError::Null);
        return;
    };
    let becoming = |promotion: Option<PieceType>| meant(position, UciMove::Normal { from, to, promotion });
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
        ResolveUciError::MissingPromotion => assert!(becoming(Some(PieceType::Queen)).is_some()),
        ResolveUciError::UnexpectedPromotion => assert!(becoming(None).is_some()),
        ResolveUciError::Illegal(same) => {
            assert_eq!(same, uci);
            let own = |color: Color| position.piece_on(from).map(|piece| piece.color()) == Some(color);
            assert!(own(position.side_to_move()), "{uci} in {position:#}");
            assert!(!moves.iter().any(|mv| mv.from() == from && mv.to() == to), "{uci} in {position:#}");
        }
        _ => panic!("{error:?} for {uci} in {position:#}"),
    }
}
