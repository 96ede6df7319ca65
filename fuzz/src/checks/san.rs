//! The check of target `san`.

use super::position_and_moves;
use tabiya_core::notation::{San, SanMove};
use tabiya_core::{Move, MoveKind, PieceType, Rank, Square};
use tabiya_movegen::{Position, ResolveSanError};

/// Any bytes are rejected, or are a move that round-trips and resolves to the only legal move that matches.
pub fn san(data: &[u8]) {
    let (position, lines) = position_and_moves(data);
    for line in lines {
        let parsed = San::from_bytes(line);
        if let Ok(text) = str::from_utf8(line) {
            assert_eq!(text.parse(), parsed);
            let resolved = parsed.map_err(ResolveSanError::Syntax).and_then(|san| position.resolve_san(san));
            assert_eq!(position.parse_san(text), resolved);
        }
        match parsed {
            Ok(san) => check_san(&position, san),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn check_san(position: &Position, san: San) {
    let written = san.to_string();
    assert_eq!(written.parse(), Ok(san), "{written}");
    assert!(written.starts_with(&san.mv.to_string()), "{written}");

    let resolved = position.resolve_san(san);
    assert_eq!(resolved, matching_move(position, san.mv), "{written} in {position:#}");
    match resolved {
        Ok(mv) => {
            assert!(position.is_legal(mv), "{written} in {position:#}");
            let canonical = position.san(mv);
            assert_eq!(position.resolve_san(canonical), Ok(mv), "{written} as {canonical} in {position:#}");
            // Canonical SAN may add an `x` and a piece letter to plain coordinates.
            assert!(canonical.mv.to_string().len() <= written.len() + 2, "{written} as {canonical}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Finds the legal move that matches by comparing all legal moves.
fn matching_move(position: &Position, san: SanMove) -> Result<Move, ResolveSanError> {
    match san {
        SanMove::Null => Err(ResolveSanError::Null),
        SanMove::Castle(side) => only_legal_move(position, |mv| mv.kind() == MoveKind::Castle(side)),
        SanMove::Normal { piece, file, rank, capture, to, promotion } => {
            let is_match = |mv: Move, promotion: Option<PieceType>| {
                !mv.is_castle()
                    && mv.to() == to
                    && mv.promotion() == promotion
                    && position.piece_on(mv.from()).map(|piece| piece.piece_type()) == Some(piece)
                    && rank.is_none_or(|rank| rank == mv.from().rank())
                    && match file {
                        Some(file) => file == mv.from().file(),
                        // A pawn move without an origin file is an advance.
                        None => piece != PieceType::Pawn || mv.from().file() == to.file(),
                    }
            };
            let result = only_legal_move(position, |mv| is_match(mv, promotion));
            let queening = only_legal_move(position, |mv| is_match(mv, Some(PieceType::Queen)));
            match (piece, file, rank) {
                _ if result != Err(ResolveSanError::Illegal) => result,
                _ if promotion.is_none() && queening.is_ok() => Err(ResolveSanError::MissingPromotion),
                (PieceType::Pawn, Some(file), Some(rank)) if promotion.is_none() => {
                    move_by_coordinates(position, Square::new(file, rank), to)
                }
                (PieceType::King, ..) if promotion.is_none() => {
                    let king = position.king(position.side_to_move());
                    let fits = file.is_none_or(|file| file == king.file())
                        && rank.is_none_or(|rank| rank == king.rank());
                    let castling = move_by_coordinates(position, king, to);
                    castling.ok().filter(|mv| fits && mv.is_castle()).ok_or(ResolveSanError::Illegal)
                }
                (PieceType::Pawn, None, _) if capture || rank.is_some() => {
                    move_by_target(position, rank, capture, to, promotion)
                }
                _ => result,
            }
        }
    }
}

/// Finds the only legal move to a square, of a pawn or, if none can move there, of another piece.
fn move_by_target(
    position: &Position,
    rank: Option<Rank>,
    capture: bool,
    to: Square,
    promotion: Option<PieceType>,
) -> Result<Move, ResolveSanError> {
    let is_pawn =
        |mv: Move| position.piece_on(mv.from()).map(|piece| piece.piece_type()) == Some(PieceType::Pawn);
    let fits = |mv: Move| {
        !mv.is_castle()
            && mv.to() == to
            && (mv.is_capture() || !capture)
            && rank.is_none_or(|rank| rank == mv.from().rank())
    };
    let pawn = only_legal_move(position, |mv| fits(mv) && is_pawn(mv) && mv.promotion() == promotion);
    let promoting = only_legal_move(position, |mv| fits(mv) && mv.promotion().is_some());
    let any_pawn = only_legal_move(position, |mv| fits(mv) && is_pawn(mv));
    match (promotion, promoting, any_pawn) {
        (None, Ok(_) | Err(ResolveSanError::Ambiguous), _) => Err(ResolveSanError::MissingPromotion),
        (_, _, Err(ResolveSanError::Illegal)) => {
            only_legal_move(position, |mv| fits(mv) && mv.promotion() == promotion)
        }
        _ => pawn,
    }
}

/// Finds the legal move of any piece with these coordinates.
fn move_by_coordinates(position: &Position, from: Square, to: Square) -> Result<Move, ResolveSanError> {
    let castles = |mv: Move| mv.to() == to || mv.destination() == to && from.distance(to) > 1;
    let is_match =
        |mv: Move| if mv.is_castle() { castles(mv) } else { mv.to() == to && mv.promotion().is_none() };
    only_legal_move(position, |mv| mv.from() == from && is_match(mv))
}

/// Returns the only legal move for which `is_match` is true.
fn only_legal_move(position: &Position, is_match: impl Fn(Move) -> bool) -> Result<Move, ResolveSanError> {
    let moves = position.legal_moves();
    let mut matches = moves.iter().copied().filter(|&mv| is_match(mv));
    match (matches.next(), matches.next()) {
        (None, _) => Err(ResolveSanError::Illegal),
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(ResolveSanError::Ambiguous),
    }
}
