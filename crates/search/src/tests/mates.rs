//! Mates: finding the shortest, postponing one and delivering one.

use super::{engine, finish, game, search, uci};
use crate::{Limits, Score};

/// Positions with the number of moves to mate.
const MATES: [(&str, u32); 11] = [
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
    ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
    ("3k4/1P1P4/3K4/8/8/8/8/8 w - - 0 1", 1),
    ("5k2/5P2/5K2/8/8/8/8/R7 w - - 0 1", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("8/8/8/8/8/k1K5/8/7R w - - 0 1", 1),
    ("6k1/pp3ppp/8/8/8/8/4R1PP/4R1K1 w - - 0 1", 1),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("8/8/8/8/8/5k2/7q/5K2 b - - 0 1", 1),
    ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2),
];

#[test]
fn finds_the_shortest_mate() {
    for (fen, moves) in MATES {
        let mut engine = engine();
        let game = game(fen);
        let (infos, answer) =
            finish(&engine.go(&game, Limits { mate: Some(moves), ..Limits::default() }), &game);
        let last = infos.last().expect("at least one report");
        assert_eq!(last.score, Score::Mate(moves as i32), "{fen}");
        assert!(answer.best.is_some());
        // There is none in fewer moves: the search ends without a mate.
        if moves > 1 {
            engine.clear();
            let limits = Limits { mate: Some(moves - 1), ..Limits::default() };
            let (infos, _) = finish(&engine.go(&game, limits), &game);
            let score = infos.last().expect("at least one report").score;
            assert!(!matches!(score, Score::Mate(found) if (1..moves as i32).contains(&found)), "{fen}");
        }
    }
}

#[test]
fn finished_game_has_no_best_move() {
    for (fen, score) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Score::Mate(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::Centipawns(0)),
    ] {
        let (info, answer) = search(&game(fen), Limits::depth(5));
        assert_eq!((info.score, info.depth, answer.best, answer.ponder), (score, 0, None, None));
    }
}

#[test]
fn postpones_being_mated() {
    // Black is mated in any case; the wrong move is mated sooner.
    let (info, _) = search(&game("7k/8/5K2/8/8/8/8/1R6 b - - 0 1"), Limits::depth(6));
    assert!(matches!(info.score, Score::Mate(..0)), "{info:?}");
    let (info, answer) = search(&game("7k/R7/6K1/8/8/8/8/8 b - - 0 1"), Limits::depth(6));
    assert_eq!((info.score, uci(answer.best)), (Score::Mate(-1), "h8g8".into()));
}

/// From move to move of a game, the TT neither loses a mate nor replaces it with an ever longer one.
#[test]
fn mates_bare_kings_within_fifty_moves() {
    for fen in [
        "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KBB5 w - - 0 1",
        "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
    ] {
        let mut engine = engine();
        let mut game = game(fen);
        while game.outcome().is_none() && game.moves().len() < 100 {
            let (_, answer) = finish(&engine.go(&game, Limits::nodes(50_000)), &game);
            game.play(answer.best.expect("a legal move")).expect("legal");
        }
        assert!(
            game.position().is_checkmate(),
            "{fen}: {} after {} plies",
            game.position(),
            game.moves().len()
        );
    }
}
