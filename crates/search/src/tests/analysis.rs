//! Analysis with a table that is overwritten many times: order and bounds of the lines, depths and answers.

use super::aborted::{check_lines, reports};
use super::lines::last_lines;
use super::*;

const FENS: [&str; 4] = [
    KIWIPETE,
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Returns an engine with the smallest transposition table (1 MiB), which a short search fills.
fn small_engine() -> Engine {
    engine_without_clock(1)
}

/// Fills the table with entries of other positions.
fn fill(engine: &mut Engine) {
    for fen in FENS {
        let game = game(fen);
        finish(&engine.go(&game, Limits::nodes(100_000)), &game);
    }
}

/// Checks that the depths never fall, not even in the last report of a search that a limit has ended.
fn check_depths(infos: &[Info], context: &str) {
    let depths: Vec<u32> = infos.iter().filter(|info| info.multipv == 1).map(|info| info.depth).collect();
    assert!(depths.is_sorted(), "{context}: {depths:?}");
}

#[test]
fn lines_are_sorted_when_the_table_is_full() {
    let mut engine = small_engine();
    fill(&mut engine);
    for fen in FENS {
        let game = game(fen);
        for (multipv, depth) in [(2, 8), (3, 5), (3, 7), (5, 6)] {
            let context = format!("{fen}, {multipv} lines, depth {depth}");
            let limits = Limits { multipv, ..Limits::depth(depth) };
            let (infos, answer) = finish(&engine.go(&game, limits), &game);
            reports(&infos).for_each(|lines| check_lines(lines, multipv, &context));
            check_depths(&infos, &context);
            let lines = last_lines(&infos);
            assert_eq!((lines.len(), lines[0].depth), (multipv, depth), "{context}");
            assert!(lines.iter().all(|line| line.bound == Bound::Exact), "{context}: {lines:?}");
            assert_eq!(answer.best, lines[0].pv.first().copied(), "{context}");
        }
    }
}

#[test]
fn aborted_lines_are_sorted_when_the_table_is_full() {
    let mut engine = small_engine();
    fill(&mut engine);
    for fen in FENS {
        let game = game(fen);
        for (multipv, nodes) in [(1, 61_000), (2, 7_001), (3, 33_333), (5, 90_000)] {
            let context = format!("{fen}, {multipv} lines, {nodes} nodes");
            let limits = Limits { multipv, ..Limits::nodes(nodes) };
            let (infos, answer) = finish(&engine.go(&game, limits), &game);
            reports(&infos).for_each(|lines| check_lines(lines, multipv, &context));
            check_depths(&infos, &context);
            assert_eq!(answer.best, last_lines(&infos)[0].pv.first().copied(), "{context}");
        }
    }
}

/// A table that is overwritten many times still yields the moves and bounds of a deeper iteration.
#[test]
fn long_search_keeps_deepening() {
    let game = game(FENS[1]);
    let mut engine = small_engine();
    let (infos, _) = finish(&engine.go(&game, Limits::nodes(1_000_000)), &game);
    check_depths(&infos, FENS[1]);
    let last = infos.last().expect("at least one report");
    assert!(last.hashfull > 500, "{last:?}");
    // Four times the nodes complete at least one more iteration.
    let depth_at = |nodes| {
        let complete = infos.iter().filter(|info| info.nodes <= nodes && info.bound == Bound::Exact);
        complete.map(|info| info.depth).max().expect("an iteration")
    };
    let depths = [15_625, 62_500, 250_000, 1_000_000].map(depth_at);
    assert!(depths.windows(2).all(|pair| pair[0] < pair[1]), "{depths:?}");
}

/// Entries of other positions never lead to an illegal move; [`finish`] checks every line.
#[test]
fn positions_after_one_another_share_a_full_table() {
    let mut engine = small_engine();
    fill(&mut engine);
    for fen in [MANY_QUEENS, "8/8/8/8/8/k1K5/8/7R w - - 0 1", "7k/8/8/8/8/8/5r2/7K w - - 0 1"] {
        for nodes in [1, 2, 100, 5_000] {
            let game = game(fen);
            let (_, answer) = finish(&engine.go(&game, Limits::nodes(nodes)), &game);
            assert!(answer.best.is_some_and(|best| game.position().is_legal(best)), "{fen}, {nodes} nodes");
        }
    }
    // The moves of a game, each from the table that the move before has left.
    let mut game = Game::new();
    while game.moves().len() < 30 && game.outcome().is_none() {
        let (_, answer) = finish(&engine.go(&game, Limits::nodes(10_000)), &game);
        game.play(answer.best.expect("a legal move")).expect("a legal move");
    }
}
