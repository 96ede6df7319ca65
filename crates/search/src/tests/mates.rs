//! Mates: finding the shortest, postponing one and delivering one.

use super::lines::last_lines;
use super::{engine, finish, game, search, uci};
use crate::{BestMove, Engine, Info, Limits, Options, Score};
use tabiya_core::Bound;
use tabiya_movegen::Game;

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

/// Composed problems with quiet moves and their number of moves to mate. Within [`LONG_MATE_NODES`] the selective search does not find
/// the mate.
const LONG_MATES: [(&str, u32); 4] = [
    ("1R1b3r/1Np5/1k6/8/8/3N4/8/2Kb4 w - - 0 1", 6),
    ("7q/1p4p1/8/3B2B1/4R2P/p1k1K3/1bp5/n1n5 w - - 0 1", 6),
    ("1b6/8/4pp2/1pQbkp2/5p2/5P2/4K3/8 w - - 0 1", 6),
    ("8/1P1P3p/5K1k/5n1p/7p/8/4p3/5N2 w - - 0 1", 6),
];
const LONG_MATE_NODES: u64 = 100_000;

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

/// Runs a mate search with a new engine, and returns the last report and the best move.
fn mate_search(game: &Game, moves: u32, limits: Limits) -> (Info, BestMove) {
    search(game, limits.with_mate(moves))
}

#[test]
fn finds_long_mates_with_quiet_moves() {
    for (fen, moves) in LONG_MATES {
        let (info, answer) = mate_search(&game(fen), moves, Limits::nodes(LONG_MATE_NODES));
        assert!(matches!(info.score, Score::Mate(found) if (1..=moves as i32).contains(&found)), "{info:?}");
        assert_eq!((info.bound, answer.best), (Bound::Exact, Some(info.pv[0])));
    }
}

/// Any of the threads ends the search by itself.
#[test]
fn several_threads_find_long_mates() {
    for (fen, moves) in LONG_MATES {
        let options = Options { hash_mb: 2, threads: 2, ..Options::default() };
        let mut engine = Engine::new(options).expect("enough threads");
        let game = game(fen);
        let (infos, answer) = finish(&engine.go(&game, Limits::default().with_mate(moves)), &game);
        let info = infos.last().expect("at least one report");
        assert!(matches!(info.score, Score::Mate(found) if (1..=moves as i32).contains(&found)), "{info:?}");
        assert_eq!((info.bound, answer.best), (Bound::Exact, Some(info.pv[0])));
    }
}

#[test]
fn refuted_mate_ends_the_search() {
    for (fen, moves) in [
        // Stalemate, and a fortress whose defender has only king moves.
        ("k7/P7/8/K7/8/8/8/8 w - - 0 1", 5),
        ("7k/7P/8/6K1/8/8/8/7B w - - 0 1", 4),
        // The side to move is mated.
        ("7k/R7/6K1/8/8/8/8/8 b - - 0 1", 3),
    ] {
        let (info, answer) = mate_search(&game(fen), moves, Limits::default());
        assert!(!info.score.is_mating() && answer.best.is_some(), "{info:?}");
    }
    let none = Limits { mate: Some(0), ..Limits::default() };
    assert!(search(&Game::new(), none).1.best.is_some());
}

#[test]
fn mate_search_honours_the_fifty_move_rule() {
    let fen = |clock: u32| format!("7k/8/5K2/8/8/8/8/R7 w - - {clock} 90");
    let score = |clock, moves| mate_search(&game(&fen(clock)), moves, Limits::default()).0.score;
    assert_eq!(score(97, 2), Score::Mate(2), "the hundredth ply mates");
    assert!(!score(98, 2).is_mating() && !score(98, 6).is_mating());
}

#[test]
fn mate_search_honours_repetitions_of_the_game() {
    // The position after Kf7 has occurred twice, so that Kf7, which mates in two as Kg6 does, draws.
    let mut game = game("7k/8/5K2/8/8/8/8/R7 w - - 0 1");
    let king_move = [game.position().parse_uci("f6f7").expect("a legal move")];
    let limits = Limits::default().with_search_moves(king_move);
    assert_eq!(mate_search(&game, 2, limits.clone()).0.score, Score::Mate(2));
    for text in ["f6f7", "h8h7", "f7f6", "h7h8", "f6f7", "h8h7", "f7f6", "h7h8"] {
        game.play_uci(text).expect("a legal move");
    }
    assert!(!mate_search(&game, 2, limits).0.score.is_mating());
    let (info, answer) = mate_search(&game, 2, Limits::default());
    assert_eq!((info.score, uci(answer.best)), (Score::Mate(2), "f6g6".into()));
}

#[test]
fn mate_search_honours_search_moves_and_node_limits() {
    let (fen, moves) = LONG_MATES[0];
    let game = game(fen);
    let key = mate_search(&game, moves, Limits::default()).1.best;
    let others = game.position().legal_moves().into_iter().filter(|&mv| Some(mv) != key);
    let limits = Limits::default().with_search_moves(others);
    let (info, answer) = mate_search(&game, 2, limits);
    assert!(!info.score.is_mating() && answer.best != key);
    for nodes in [1, 10, 100, 1000] {
        assert_eq!(mate_search(&Game::new(), moves, Limits::nodes(nodes)).0.nodes, nodes);
    }
}

/// The normal search is paused many times until then.
#[test]
fn interrupted_mate_search_honours_node_limits_and_answers_its_last_line() {
    for multipv in [1, 2] {
        for nodes in [10_001, 30_000, 100_000] {
            let (info, answer) = mate_search(&Game::new(), 12, Limits::nodes(nodes).with_multipv(multipv));
            assert_eq!(info.nodes, nodes);
            assert!(multipv > 1 || answer.best == Some(info.pv[0]), "{info:?} {answer:?}");
        }
    }
}

#[test]
fn mate_search_with_several_lines_puts_the_mate_first() {
    let (fen, moves) = LONG_MATES[0];
    let (game, limits) = (game(fen), Limits::default().with_mate(moves).with_multipv(3));
    for threads in [1, 2] {
        let options = Options { hash_mb: 2, threads, ..Options::default() };
        let mut engine = Engine::new(options).expect("enough threads");
        let (infos, _) = finish(&engine.go(&game, limits.clone()), &game);
        let lines = last_lines(&infos);
        assert!(lines.len() == 3 && lines[0].score.is_mating(), "{lines:?}");
        assert!(lines.windows(2).all(|pair| pair[0].score >= pair[1].score), "{lines:?}");
    }
}

#[test]
fn castling_mates_in_chess960() {
    let game = game("2rkr3/2p1p3/8/8/8/p7/8/R1K5 w Q - 0 1");
    for moves in [1, 3] {
        let (info, answer) = mate_search(&game, moves, Limits::default());
        let san = answer.best.map(|mv| game.position().san(mv).to_string());
        assert_eq!((info.score, san.as_deref()), (Score::Mate(1), Some("O-O-O#")));
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
