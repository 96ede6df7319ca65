//! Comparison of a `tabiya-movegen` position with the oracle's, and of its generators with `is_legal`.

use super::oracle::{Board as Oracle, Kind, Move as OracleMove};
use tabiya_core::{CastlingSide, Color, Move, MoveKind, MoveList, PieceType, Square};
use tabiya_movegen::Position;

/// A move as both sides describe it: in UCI notation with castling as "king takes rook", in UCI notation with
/// castling as the king's two-square move, its kind, and the promotion piece.
type Description = (String, String, Kind, Option<char>);

/// Asserts that both agree on the FEN, the legal moves (for the oracle, `moves`), check, checkmate and
/// stalemate.
pub(super) fn assert_agree(position: &Position, oracle: &Oracle, moves: &[OracleMove]) {
    let fen = format!("{position:#}");
    assert_eq!(fen, oracle.fen());

    let mut expected: Vec<(Description, bool)> = moves
        .iter()
        .map(|mv| ((mv.uci(), mv.standard_uci(), mv.kind(), mv.promotion()), mv.is_tactical()))
        .collect();
    expected.sort_unstable();
    assert_eq!(generated(position), expected, "the moves in {fen}");

    let all: Vec<Move> = position.legal_moves().to_vec();
    assert!(all.iter().all(|mv| mv.is_canonical()), "{all:?} in {fen}");
    assert_eq!(all.len(), expected.len(), "the number of listed moves in {fen}");
    assert_eq!(position.count_legal_moves(), expected.len(), "the number of moves in {fen}");
    assert_eq!(position.has_legal_move(), !expected.is_empty(), "has_legal_move in {fen}");
    assert_eq!(position.in_check(), oracle.in_check(), "check in {fen}");
    assert_eq!(position.is_checkmate(), oracle.in_check() && expected.is_empty(), "mate in {fen}");
    assert_eq!(position.is_stalemate(), !oracle.in_check() && expected.is_empty(), "stalemate in {fen}");
}

/// The generated moves, each with true if it is a capture or promotion. They come from the generators of
/// tactical and of quiet moves; the generator of all moves must produce them too.
fn generated(position: &Position) -> Vec<(Description, bool)> {
    let (mut tactical, mut quiets) = (MoveList::new(), MoveList::new());
    position.generate_tactical(&mut tactical);
    position.generate_quiets(&mut quiets);
    let all = position.legal_moves();
    let parts = tactical.iter().map(|&mv| (mv, true)).chain(quiets.iter().map(|&mv| (mv, false)));
    let mut moves: Vec<(Description, bool)> = parts
        .map(|(mv, is_tactical)| {
            assert!(all.contains(&mv), "{mv:?} is not among all moves in {position:#}");
            (describe(mv), is_tactical)
        })
        .collect();
    moves.sort_unstable();
    moves
}

fn describe(mv: Move) -> Description {
    let kind = match mv.kind() {
        MoveKind::Quiet | MoveKind::Promotion(_) => Kind::Quiet,
        MoveKind::DoublePush => Kind::DoublePush,
        MoveKind::Capture | MoveKind::PromotionCapture(_) => Kind::Capture,
        MoveKind::EnPassant => Kind::EnPassant,
        MoveKind::Castle(CastlingSide::King) => Kind::ShortCastling,
        MoveKind::Castle(CastlingSide::Queen) => Kind::LongCastling,
    };
    (mv.to_uci(true).to_string(), mv.to_uci(false).to_string(), kind, mv.promotion().map(PieceType::to_char))
}

/// Asserts that both agree on the attacked squares.
pub(super) fn assert_attacks_agree(position: &Position, oracle: &Oracle) {
    for square in Square::ALL {
        let on_0x88 = 16 * square.rank().index() + square.file().index();
        for color in Color::ALL {
            let expected = oracle.is_attacked(on_0x88, color == Color::White);
            assert_eq!(position.is_attacked(square, color), expected, "{color} on {square} in {position:#}");
        }
    }
}

/// Asserts that, of all 65,536 bit patterns, exactly the generated moves are legal.
pub(super) fn assert_is_legal_agrees(position: &Position) {
    let mut is_generated = vec![false; 1 << 16];
    for mv in position.legal_moves() {
        is_generated[usize::from(mv.to_bits())] = true;
    }
    for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
        let expected = is_generated[usize::from(mv.to_bits())];
        assert_eq!(position.is_legal(mv), expected, "{mv:?} {:?} in {position:#}", mv.kind());
    }
}
