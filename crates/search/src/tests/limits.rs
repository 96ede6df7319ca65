//! Limits, control messages and settings of the engine.

use super::{KIWIPETE, MANY_QUEENS, engine, finish, game, ms, search, uci};
use crate::bench::POSITIONS;
use crate::{Clock, Engine, EngineError, Limits, NoEvent, Options, Score, SearchEvent};
use std::time::Instant;
use tabiya_eval::Evaluation;
use tabiya_movegen::Game;

#[test]
fn depths_are_searched_in_order() {
    let game = game(KIWIPETE);
    let mut engine = engine();
    let (infos, _) = finish(&engine.go(&game, Limits::depth(4)), &game);
    assert_eq!(infos.iter().map(|info| info.depth).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(infos.iter().all(|info| info.seldepth >= info.depth && info.multipv == 1));
    assert!(infos.iter().all(|info| info.pv.len() >= info.depth as usize), "complete lines: {infos:?}");
    assert_eq!(search(&game, Limits::depth(0)).0.depth, 1);
}

#[test]
fn node_limit_is_exact() {
    for fen in [KIWIPETE, MANY_QUEENS, POSITIONS[13].fen] {
        for nodes in [1, 2, 3, 10, 100, 511, 512, 513, 1000, 12_345] {
            let (info, answer) = search(&game(fen), Limits::nodes(nodes));
            assert_eq!(info.nodes, nodes);
            assert!(answer.best.is_some());
        }
    }
    assert_eq!(search(&game(KIWIPETE), Limits::nodes(0)).0.nodes, 1);
}

#[test]
fn soft_node_limit_completes_the_iteration() {
    let game = game(KIWIPETE);
    let mut engine = engine();
    let depths =
        |infos: &[crate::Info]| infos.iter().map(|info| (info.depth, info.nodes)).collect::<Vec<_>>();
    let (all, _) = finish(&engine.go(&game, Limits::depth(8)), &game);
    let all = depths(&all);
    for soft in [1, all[3].1, all[3].1 + 1, all[6].1 - 1] {
        engine.clear();
        let limits = Limits { soft_nodes: Some(soft), ..Limits::default() };
        let (infos, _) = finish(&engine.go(&game, limits), &game);
        let last = all.iter().position(|&(_, nodes)| nodes >= soft).unwrap();
        assert_eq!(depths(&infos), all[..=last], "{soft}");
    }
}

#[test]
fn clock_that_has_run_out_gets_a_best_move() {
    let mut engine = engine();
    for fen in [KIWIPETE, MANY_QUEENS] {
        for (remaining, increment) in [(0, 0), (5, 0), (29, 0), (31, 7), (1, 10)] {
            let game = game(fen);
            let clock = Clock::new(ms(remaining), ms(increment));
            finish(&engine.go(&game, Limits::clock(clock)), &game);
        }
    }
}

#[test]
fn stopped_search_sends_a_best_move() {
    let mut engine = engine();
    for fen in [KIWIPETE, MANY_QUEENS, "8/8/4k3/4p3/4P3/4K3/8/8 w - - 0 1"] {
        let game = game(fen);
        // Also if it is stopped before it has begun.
        for wait in [0, 1, 100] {
            let search = engine.go(&game, Limits::infinite());
            std::thread::sleep(ms(wait));
            search.stop();
            search.stop();
            finish(&search, &game);
        }
        let search = engine.go(&game, Limits { ponder: true, ..Limits::default() });
        search.stop();
        finish(&search, &game);
    }
}

#[test]
fn finished_search_holds_its_best_move_back() {
    let mut engine = engine();
    // Mate found, maximum depth reached, depth limit reached, no legal move.
    let ended = [
        (game("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), Limits { mate: Some(1), ..Limits::infinite() }),
        (game("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Limits::infinite()),
        (game(KIWIPETE), Limits { depth: Some(1), ..Limits::infinite() }),
        (game(KIWIPETE), Limits { depth: Some(1), ponder: true, ..Limits::default() }),
        (game(KIWIPETE), Limits { nodes: Some(1), ponder: true, infinite: true, ..Limits::default() }),
        (game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Limits::infinite()),
        (game(KIWIPETE), Limits { min_time: Some(ms(3_600_000)), ..Limits::depth(1) }),
    ];
    for (game, limits) in ended {
        let search = engine.go(&game, limits.clone());
        let deadline = Instant::now() + ms(120);
        loop {
            match search.events().next_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(SearchEvent::Info(_)) => {}
                Err(NoEvent::Pending) => break,
                other => panic!("{other:?} under {limits:?}"),
            }
        }
        if limits.ponder && !limits.infinite {
            search.ponderhit();
        } else {
            search.ponderhit();
            assert!(search.events().next_timeout(ms(20)).is_err());
            search.stop();
        }
        assert!(matches!(search.events().next(), Some(SearchEvent::BestMove(_))));
        assert!(search.events().next().is_none(), "the best move is the last event");
    }
}

#[test]
fn best_move_is_sent_after_the_minimum_time() {
    let game = game(KIWIPETE);
    let start = Instant::now();
    finish(&engine().go(&game, Limits { min_time: Some(ms(30)), ..Limits::depth(1) }), &game);
    assert!(start.elapsed() >= ms(30));
}

#[test]
fn search_moves_restrict_the_root() {
    let game = game(KIWIPETE);
    let parse = |text: &str| game.position().parse_uci(text).expect("legal");
    let limits = Limits { search_moves: vec![parse("a2a3"), parse("e1g1")], ..Limits::depth(3) };
    let (_, answer) = search(&game, limits);
    assert!(["a2a3", "e1g1"].contains(&uci(answer.best).as_str()));
    let illegal = Game::new().position().parse_uci("e2e4").expect("legal in the initial position");
    let limits = Limits { search_moves: vec![illegal], ..Limits::depth(3) };
    assert_eq!(search(&game, limits).1.best, search(&game, Limits::depth(3)).1.best);
}

#[test]
fn node_count_is_reproducible_after_clear() {
    let mut engine = engine();
    let game = Game::new();
    let run = |engine: &mut Engine| {
        let (infos, answer) = finish(&engine.go(&game, Limits::depth(6)), &game);
        (infos.last().map(|info| (info.nodes, info.score, info.pv.clone())), answer)
    };
    let first = run(&mut engine);
    assert_ne!(run(&mut engine), first, "the TT is filled");
    engine.clear();
    assert_eq!(run(&mut engine), first);
    engine.set_hash(2).expect("enough memory");
    engine.clear();
    assert_eq!(run(&mut engine), first);
    engine.set_evaluation(Evaluation::Classic);
    run(&mut engine);
    engine.set_evaluation(Evaluation::default());
    assert_eq!(run(&mut engine), first);
    // Back from a custom evaluator.
    engine.set_evaluator(|| Evaluation::Classic.evaluator());
    run(&mut engine);
    engine.set_evaluation(Evaluation::default());
    assert_eq!(run(&mut engine), first);
    assert_eq!(run(&mut super::engine()), first);
}

#[test]
fn dropped_search_ends() {
    let mut engine = engine();
    let game = game(KIWIPETE);
    drop(engine.go(&game, Limits::infinite()));
    // A running search is stopped by the next one and sends its best move to its own handle.
    let first = engine.go(&game, Limits::infinite());
    let second = engine.go(&game, Limits::depth(2));
    assert!(first.answer().best.is_some());
    assert!(second.answer().best.is_some());
    // It is also stopped by changes of the settings and by dropping the engine.
    let search = engine.go(&game, Limits::infinite());
    engine.set_hash(1).expect("enough memory");
    engine.set_move_overhead(ms(10));
    engine.clear();
    assert!(search.answer().best.is_some());
    let search = engine.go(&game, Limits { ponder: true, ..Limits::default() });
    drop(engine);
    assert!(search.answer().best.is_some());
}

#[test]
fn several_engines_are_independent() {
    let (game, mut engines) = (game(KIWIPETE), [engine(), engine(), engine()]);
    let searches = engines.each_mut().map(|engine| engine.go(&game, Limits::depth(5)));
    let nodes = searches.map(|search| finish(&search, &game).0.last().map(|info| info.nodes));
    assert!(nodes.iter().all(|&count| count == nodes[0] && count.is_some()), "{nodes:?}");
}

#[test]
fn invalid_options_are_errors() {
    let options = |hash_mb, threads| Options { hash_mb, threads, ..Options::default() };
    assert!(matches!(Engine::new(options(0, 1)), Err(EngineError::HashSize { mb: 0 })));
    assert!(matches!(Engine::new(options(usize::MAX, 1)), Err(EngineError::HashSize { .. })));
    assert!(matches!(Engine::new(options(1, 0)), Err(EngineError::Threads { threads: 0 })));
    assert!(matches!(Engine::new(options(1, 1 << 20)), Err(EngineError::Threads { .. })));
    let mut engine = engine();
    assert!(matches!(engine.set_hash(0), Err(EngineError::HashSize { mb: 0 })));
    assert_eq!(engine.options().hash_mb, 2);
    let error = engine.set_hash(usize::MAX).expect_err("too large").to_string();
    assert!(error.contains("expected 1 to 1048576"), "{error}");
    assert!(engine.go(&Game::new(), Limits::depth(1)).answer().best.is_some());
}

#[test]
fn pv_is_nearly_as_long_as_the_depth() {
    let mut engine = engine();
    for position in POSITIONS {
        let game = game(position.fen);
        let (infos, _) = finish(&engine.go(&game, Limits::depth(8)), &game);
        for info in infos {
            let ends_early = matches!(info.score, Score::Mate(_)) || info.score == Score::Centipawns(0);
            // IIR shortens a line by a ply, once or twice, and a search repeated after failing high is up to three plies
            // shallower.
            assert!(info.pv.len() + 5 >= info.depth as usize || ends_early, "{info:?}");
        }
    }
}
