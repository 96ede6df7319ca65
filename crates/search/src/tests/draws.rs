//! Draws by stalemate, the fifty-move rule, dead positions and repetition.

use super::{game, search, uci};
use crate::{Limits, Score, Wdl};
use tabiya_movegen::Game;

fn score(fen: &str, depth: u32) -> Score {
    search(&game(fen), Limits::depth(depth)).0.score
}

#[test]
fn stalemate_is_a_draw() {
    // White loses the pawn or stalemates.
    for depth in 2..10 {
        assert_eq!(score("k7/P7/8/K7/8/8/8/8 w - - 0 1", depth), Score::Centipawns(0), "depth {depth}");
    }
    // f2f7 would be stalemate.
    let (info, answer) = search(&game("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1"), Limits::depth(3));
    assert_eq!(info.score, Score::Mate(1));
    assert_eq!(uci(answer.best), "f2f8");
}

#[test]
fn finished_games_have_a_certain_result_and_no_best_move() {
    for (fen, score, wdl) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::Centipawns(0), Wdl::DRAW),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Score::Mate(0), Wdl::LOSS),
    ] {
        let (info, answer) = search(&game(fen), Limits::depth(3));
        assert_eq!((info.score, info.wdl, info.depth), (score, wdl, 0), "{fen}");
        assert_eq!((answer.best, answer.ponder), (None, None), "{fen}");
    }
}

#[test]
fn dead_position_is_a_draw() {
    let (info, answer) = search(&game("4k3/8/8/8/8/8/8/3NK3 w - - 0 1"), Limits::depth(5));
    assert_eq!((info.score, info.depth), (Score::Centipawns(0), 5), "it is searched nevertheless");
    assert!(answer.best.is_some());
}

/// The corner of the promotion square is of the wrong colour for the bishop. White's tries end with a promotion in place of the pawn, which
/// leaves a win by material, unless Black captures the new piece.
#[test]
fn capture_that_leaves_a_known_draw_is_not_pruned() {
    for fen in ["6k1/8/7P/8/4BK2/8/8/8 b - - 0 1", "7k/8/7P/8/4BK2/8/8/8 w - - 0 1"] {
        for depth in 1..16 {
            assert_eq!(score(fen, depth), Score::Centipawns(0), "{fen}, depth {depth}");
        }
    }
}

#[test]
fn fifty_move_rule_is_a_draw() {
    // The first mate is in time, the others are too late.
    assert!(matches!(score("8/8/8/8/8/k1K5/8/7R w - - 96 90", 5), Score::Mate(_)));
    assert_eq!(score("7k/8/5K2/8/8/8/8/R7 w - - 98 90", 5), Score::Centipawns(0));
    assert_eq!(score("7k/8/5K2/8/8/8/8/R7 w - - 99 90", 5), Score::Centipawns(0));
    // The hundredth ply mates, which takes precedence.
    assert_eq!(score("7k/8/6K1/8/8/8/8/R7 w - - 99 90", 5), Score::Mate(1));
    // A pawn move resets the clock.
    assert!(matches!(score("7k/8/5K2/8/8/P7/8/R7 w - - 99 90", 4), Score::Centipawns(500..)));
}

#[test]
fn root_beyond_the_fifty_move_draw_is_searched() {
    let (info, answer) = search(&game("7k/8/5K2/8/8/8/8/R7 w - - 120 90"), Limits::depth(4));
    assert_eq!((info.score, info.depth), (Score::Centipawns(0), 4));
    assert!(answer.best.is_some());
}

#[test]
fn finds_perpetual_check() {
    // Black threatens mate on the first rank.
    let (info, answer) = search(&game("6k1/6p1/5p2/7Q/8/8/rr6/6K1 w - - 0 1"), Limits::depth(8));
    assert_eq!(info.score, Score::Centipawns(0));
    assert_eq!(uci(answer.best), "h5e8");
}

#[test]
fn third_occurrence_in_the_game_is_a_draw() {
    let mut game = game("3q4/8/8/3k4/8/8/8/K7 w - - 0 1");
    let lost = |game: &Game| matches!(search(game, Limits::depth(3)).0.score, Score::Centipawns(..-500));
    assert!(lost(&game));
    for round in 0..2 {
        for text in ["a1a2", "d8c8", "a2a1", "c8d8"] {
            assert!(lost(&game) || text.starts_with(['c', 'd']), "{text} in round {round}");
            let mv = game.position().parse_uci(text).expect("legal");
            game.play(mv).expect("legal");
        }
    }
    let (info, answer) = search(&game, Limits::depth(3));
    assert_eq!((info.score, uci(answer.best)), (Score::Centipawns(0), "a1a2".into()));
}
