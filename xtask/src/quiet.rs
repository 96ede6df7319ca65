//! Quiet positions: those in which no capture or promotion promises anything.
//!
//! An evaluation is asked about such positions only, so only they can teach it.

use tabiya_core::{Move, MoveList, PieceType, Value};
use tabiya_eval::{Evaluate, Evaluation};
use tabiya_movegen::Position;

/// How many plies of captures are looked at.
const DEEPEST: u32 = 12;

/// Is the side to move out of check, and is a quiescence search worth no more than standing still?
pub(crate) fn is_quiet(position: &Position) -> bool {
    if position.in_check() {
        return false;
    }
    let mut judge = Evaluation::Main.evaluator();
    let value = judge.evaluate(position);
    !promises_more(position, value, DEEPEST, judge.as_mut())
}

/// Can the side to move get more than `value` by captures and promotions, against the best defence by
/// the same means? A search with an empty window is enough to tell.
fn promises_more(position: &Position, value: Value, depth: u32, judge: &mut dyn Evaluate) -> bool {
    let mut moves = MoveList::new();
    position.generate_tactical(&mut moves);
    moves.sort_unstable_by_key(|&mv| std::cmp::Reverse(gain(position, mv)));
    moves.iter().any(|&mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        !reaches(&next, -value, depth - 1, judge)
    })
}

/// Is the position worth `value` or more to the side to move?
fn reaches(position: &Position, value: Value, depth: u32, judge: &mut dyn Evaluate) -> bool {
    if position.in_check() {
        // No standing still in check: every answer counts. Where the plies end, the capture is taken to
        // be good, which at worst leaves a quiet position out.
        return depth > 0
            && position.legal_moves().iter().any(|&mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                !reaches(&next, 1 - value, depth - 1, judge)
            });
    }
    judge.evaluate(position) >= value || (depth > 0 && promises_more(position, value - 1, depth, judge))
}

/// The most valuable victim first, by the least valuable attacker.
fn gain(position: &Position, mv: Move) -> i32 {
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
    fn hanging_pieces_are_not_quiet() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
            // A queen for a pawn that is defended, and one that is not.
            ("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", true),
            ("4k3/8/3p4/8/8/8/3Q4/4K3 w - - 0 1", false),
            // A promotion.
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", false),
            // The defender of the knight is pinned.
            ("4k3/3pn3/2n5/1B6/8/8/8/4K3 w - - 0 1", true),
        ] {
            assert_eq!(is_quiet(&Position::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }

    #[test]
    fn agrees_with_a_plain_quiescence_search() {
        fn quiescence(position: &Position, depth: u32, judge: &mut dyn Evaluate) -> Value {
            let mut moves = MoveList::new();
            let mut best = if position.in_check() {
                position.generate_all(&mut moves);
                -30_000
            } else {
                position.generate_tactical(&mut moves);
                judge.evaluate(position)
            };
            for mv in &moves {
                if depth > 0 {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    best = best.max(-quiescence(&next, depth - 1, judge));
                }
            }
            best
        }
        let mut random = crate::random::seeded(7);
        let mut counts = [0_u32; 2];
        let mut judge = Evaluation::Main.evaluator();
        for _ in 0..60 {
            // So few pieces that the plain search comes to an end.
            let mut position = Position::from_fen("r3k3/pp1n4/2p5/3b4/3B4/2P5/PP1N4/R3K3 w - - 0 1").unwrap();
            for _ in 0..20 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[random.random_range(..moves.len())]);
                if !position.in_check() {
                    let value = judge.evaluate(&position);
                    let still = quiescence(&position, DEEPEST, judge.as_mut()) == value;
                    assert_eq!(is_quiet(&position), still, "{position}");
                    counts[usize::from(still)] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    }
}
