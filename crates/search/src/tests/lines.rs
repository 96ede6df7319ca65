//! MultiPV and several threads.

use super::aborted::check_lines;
use super::{KIWIPETE, engine, finish, game};
use crate::{Engine, Info, Limits, Options, Score};
use tabiya_core::Bound;

/// Returns the lines of the last iteration.
pub(super) fn last_lines(infos: &[Info]) -> &[Info] {
    let first = infos.iter().rposition(|info| info.multipv == 1).expect("a first line");
    &infos[first..]
}

#[test]
fn lines_have_different_first_moves_and_are_sorted() {
    for multipv in [2, 3, 5] {
        let game = game(KIWIPETE);
        let (infos, answer) = finish(&engine().go(&game, Limits { multipv, ..Limits::depth(8) }), &game);
        let lines = last_lines(&infos);
        assert_eq!((lines.len(), answer.best), (multipv, lines[0].pv.first().copied()));
        check_lines(lines, multipv, KIWIPETE);
        assert!(lines.iter().all(|info| info.depth == 8 && info.bound == Bound::Exact), "{lines:?}");
    }
}

#[test]
fn unsearched_lines_report_the_root_static_eval() {
    let game = game("4k3/1r6/8/8/8/8/q7/5K2 w - - 0 1");
    let (infos, _) = finish(&engine().go(&game, Limits { multipv: 2, ..Limits::nodes(1) }), &game);
    assert!(last_lines(&infos).iter().all(|info| info.score < Score::Centipawns(-500)), "{infos:?}");
}

#[test]
fn number_of_lines_is_clamped_to_the_number_of_moves() {
    let game = game("7k/8/8/8/8/8/5r2/7K w - - 0 1");
    let (infos, _) = finish(&engine().go(&game, Limits { multipv: 500, ..Limits::depth(3) }), &game);
    assert_eq!(last_lines(&infos).len(), 1);
    let (infos, _) = finish(&engine().go(&game, Limits { multipv: 0, ..Limits::depth(3) }), &game);
    assert_eq!(last_lines(&infos).len(), 1);
}

#[test]
fn lines_begin_with_search_moves_only() {
    let game = game(KIWIPETE);
    let search_moves = ["a2a3", "b2b3"].map(|text| game.position().parse_uci(text).expect("legal")).to_vec();
    let limits = Limits { search_moves: search_moves.clone(), multipv: 3, ..Limits::depth(5) };
    let (infos, answer) = finish(&engine().go(&game, limits), &game);
    assert_eq!(last_lines(&infos).len(), 2);
    assert!(answer.best.is_some_and(|best| search_moves.contains(&best)));
}

#[test]
fn several_threads_search_and_stop() {
    let mut engine =
        Engine::new(Options { hash_mb: 4, threads: 3, ..Options::default() }).expect("enough threads");
    let game = game(KIWIPETE);
    for limits in [Limits::depth(9), Limits::nodes(100_000), Limits { multipv: 2, ..Limits::depth(6) }] {
        let search = engine.go(&game, limits.clone());
        let (mut best, mut nodes) = (None, 0);
        for event in search.events() {
            match event {
                crate::SearchEvent::Info(info) => nodes = info.nodes,
                crate::SearchEvent::BestMove(answer) => best = answer.best,
                crate::SearchEvent::CurrentMove { .. } => {}
            }
        }
        assert!(best.is_some_and(|best| game.position().is_legal(best)));
        // The threads check the node count at intervals.
        assert!(nodes > 0 && limits.nodes.is_none_or(|limit| nodes < 2 * limit), "{nodes}");
    }
    for threads in [1, 4, 2] {
        engine.set_threads(threads).expect("enough threads");
        assert_eq!(engine.options().threads, threads);
        let search = engine.go(&game, Limits::infinite());
        search.stop();
        assert!(search.answer().best.is_some());
    }
}

#[test]
fn several_threads_find_the_mate() {
    let mut engine =
        Engine::new(Options { hash_mb: 4, threads: 4, ..Options::default() }).expect("enough threads");
    let game = game("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    let (infos, _) = finish(&engine.go(&game, Limits { mate: Some(3), ..Limits::default() }), &game);
    assert_eq!(infos.last().expect("at least one report").score, Score::Mate(3));
}
