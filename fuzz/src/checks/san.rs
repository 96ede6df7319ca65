use super::position_and_moves;
use tabiya_core::notation::{San, SanMove};
use tabiya_core::{Move, MoveKind, PieceType, Square};
use tabiya_movegen::{Position, ResolveSanError};

/// Any bytes are refused, or are a move that survives being written and read; and in the position
/// it stands for the one legal move that fits.
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
    assert_eq!(resolved, meant(position, san.mv), "{written} in {position:#}");
    match resolved {
        Ok(mv) => {
            assert!(position.is_legal(mv), "{written} in {position:#}");
            let best = position.san(mv);
            assert_eq!(position.resolve_san(best), Ok(mv), "{written}, rather {best}, in {position:#}");
            // The standard has an `x`, and a letter for the piece, which coordinates alone have not.
            assert!(best.mv.to_string().len() <= written.len() + 2, "{written}, rather {best}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The legal move that fits, found by looking at all of them.
fn meant(position: &Position, san: SanMove) -> Result<Move, ResolveSanError> {
    match san {
        SanMove::Null => Err(ResolveSanError::Null),
        SanMove::Castle(side) => only(position, |mv| mv.kind() == MoveKind::Castle(side)),
        SanMove::Normal { piece, file, rank, to, promotion, .. } => {
            let fits = |mv: Move, promotion: Option<PieceType>| {
                !mv.is_castle()
                    && mv.to() == to
                    && mv.promotion() == promotion
                    && position.piece_on(mv.from()).map(|piece| piece.piece_type()) == Some(piece)
                    && rank.is_none_or(|rank| rank == mv.from().rank())
                    && match file {
                        Some(file) => file == mv.from().file(),
                        // A pawn that names no file goes straight ahead.
                        None => piece != PieceType::Pawn || mv.from().file() == to.file(),
                    }
            };
            let result = only(position, |mv| fits(mv, promotion));
            if result != Err(ResolveSanError::Illegal) || promotion.is_some() {
                return result;
            }
            if only(position, |mv| fits(mv, Some(PieceType::Queen))).is_ok() {
                return Err(ResolveSanError::MissingPromotion);
            }
            match (piece, file, rank) {
                (PieceType::Pawn, Some(file), Some(rank)) => {
                    coordinates_meant(position, Square::new(file, rank), to)
                }
                _ => result,
            }
        }
    }
}

/// The legal move of any piece that coordinates alone stand for.
fn coordinates_meant(position: &Position, from: Square, to: Square) -> Result<Move, ResolveSanError> {
    let castles = |mv: Move| mv.to() == to || mv.destination() == to && from.distance(to) > 1;
    let fits =
        |mv: Move| if mv.is_castle() { castles(mv) } else { mv.to() == to && mv.promotion().is_none() };
    only(position, |mv| mv.from() == from && fits(mv))
}

fn only(position: &Position, fits: impl Fn(Move) -> bool) -> Result<Move, ResolveSanError> {
    let moves = position.legal_moves();
    let mut fitting = moves.iter().copied().filter(|&mv| fits(mv));
    match (fitting.next(), fitting.next()) {
        (None, _) => Err(ResolveSanError::Illegal),
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(ResolveSanError::Ambiguous),
    }
}
