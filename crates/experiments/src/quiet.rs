//! Quiet positions: not in check, and the quiescence search returns the static evaluation.
//!
//! In other positions the search value is not the static evaluation but that of a position some captures later, so
//! training data is limited to quiet ones.

use tabiya_core::{Move, MoveList, PieceType, Value};
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_movegen::Position;

/// Maximum depth of the quiescence search, in plies.
const MAX_DEPTH: u32 = 12;

/// Returns true if the side to move is not in check and its quiescence search does not beat stand pat.
pub fn is_quiet(position: &Position) -> bool {
    if position.in_check() {
        return false;
    }
    gaining_capture(position, Evaluation::Handcrafted.evaluator().as_mut()).is_none()
}

/// Returns a capture or promotion whose quiescence value is above the static evaluation. The side to move must not be in
/// check.
pub fn gaining_capture(position: &Position, evaluator: &mut dyn Evaluate) -> Option<Move> {
    let value = evaluator.evaluate(position);
    capture_above(position, value, MAX_DEPTH, evaluator)
}

/// Returns a capture or promotion whose quiescence value is above `value` (a null-window search).
fn capture_above(
    position: &Position,
    value: Value,
    depth: u32,
    evaluator: &mut dyn Evaluate,
) -> Option<Move> {
    let mut moves = MoveList::new();
    position.generate_tactical(&mut moves);
    moves.sort_unstable_by_key(|&mv| std::cmp::Reverse(mvv_lva(position, mv)));
    moves.iter().copied().find(|&mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        !qsearch_ge(&next, -value, depth - 1, evaluator)
    })
}

/// Returns true if the quiescence value of the position is at least `value` for the side to move.
fn qsearch_ge(position: &Position, value: Value, depth: u32, evaluator: &mut dyn Evaluate) -> bool {
    if position.in_check() {
        // No stand pat in check: all evasions are searched. At the depth limit the node fails low.
        return depth > 0
            && position.legal_moves().iter().any(|&mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                !qsearch_ge(&next, 1 - value, depth - 1, evaluator)
            });
    }
    evaluator.evaluate(position) >= value
        || (depth > 0 && capture_above(position, value - 1, depth, evaluator).is_some())
}

/// Move-ordering score, MVV-LVA: most valuable victim first, then least valuable attacker.
fn mvv_lva(position: &Position, mv: Move) -> i32 {
    let value = |kind: PieceType| kind as i32;
    let board = position.board();
    let victim = board.piece_on(mv.destination()).map_or(0, |piece| 1 + value(piece.piece_type()));
    let attacker = board.piece_on(mv.from()).map_or(0, |piece| value(piece.piece_type()));
    16 * (victim + mv.promotion().map_or(0, value)) - attacker
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn hanging_pieces_and_promotions_are_not_quiet() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
            // The queen attacks a defended pawn, then an undefended one.
            ("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", true),
            ("4k3/8/3p4/8/8/8/3Q4/4K3 w - - 0 1", false),
            // A pawn can promote.
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", false),
            // In check.
            ("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", false),
            // The bishop attacks a defended knight.
            ("4k3/3pn3/2n5/1B6/8/8/8/4K3 w - - 0 1", true),
        ] {
            assert_eq!(is_quiet(&Position::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }

    #[test]
    fn agrees_with_plain_quiescence_search() {
        fn quiescence(position: &Position, depth: u32, evaluator: &mut dyn Evaluate) -> Value {
            let mut moves = MoveList::new();
            let mut best = if position.in_check() {
                position.generate_all(&mut moves);
                -30_000
            } else {
                position.generate_tactical(&mut moves);
                evaluator.evaluate(position)
            };
            for mv in &moves {
                if depth > 0 {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    best = best.max(-quiescence(&next, depth - 1, evaluator));
                }
            }
            best
        }
        let mut random = crate::random::seeded(7);
        let mut counts = [0_u32; 2];
        let mut evaluator = Evaluation::Handcrafted.evaluator();
        for _ in 0..60 {
            // Few pieces, so that the search without alpha-beta stays small.
            let mut position = Position::from_fen("r3k3/pp1n4/2p5/3b4/3B4/2P5/PP1N4/R3K3 w - - 0 1").unwrap();
            for _ in 0..20 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[random.random_range(..moves.len())]);
                if !position.in_check() {
                    let value = evaluator.evaluate(&position);
                    let quiet = quiescence(&position, MAX_DEPTH, evaluator.as_mut()) == value;
                    assert_eq!(is_quiet(&position), quiet, "{position}");
                    counts[usize::from(quiet)] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    }
}
