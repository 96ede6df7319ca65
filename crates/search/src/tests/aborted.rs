//! Searches that a limit ends in the middle of an iteration.

use super::lines::last_lines;
use super::{KIWIPETE, MANY_QUEENS, engine_without_clock, finish, game};
use crate::{Engine, Info, Limits, Options, SearchEvent};
use tabiya_core::Bound;
use tabiya_movegen::Game;

const FENS: [&str; 6] = [
    KIWIPETE,
    MANY_QUEENS,
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/1r3PPP/R5K1 b - - 0 1",
];

/// Checks the lines of one report: numbered from 1, with different first moves, best first, none deeper than the one before, and
/// each one exact, a bound of the line before, or a bound on the first line.
pub(super) fn check_lines(lines: &[Info], multipv: usize, context: &str) {
    assert!(!lines.is_empty() && lines.len() <= multipv, "{context}");
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line.multipv as usize, index + 1, "{context}: {lines:?}");
        assert!(lines[..index].iter().all(|other| other.pv[0] != line.pv[0]), "{context}: {lines:?}");
        if index > 0 {
            let previous = &lines[index - 1];
            assert!(previous.score >= line.score, "{context}: {lines:?}");
            assert!(previous.depth >= line.depth && line.depth + 1 >= lines[0].depth, "{context}: {lines:?}");
            let is_exact = line.bound == Bound::Exact;
            assert!(is_exact || line.score == previous.score, "{context}: {lines:?}");
        }
    }
}

/// Returns the sets of lines that have been reported together.
pub(super) fn reports(infos: &[Info]) -> impl Iterator<Item = &[Info]> {
    infos.chunk_by(|_, info| info.multipv > 1)
}

#[test]
fn lines_of_aborted_searches_are_sorted() {
    let mut engine = engine_without_clock(2);
    for fen in FENS {
        let game = game(fen);
        for multipv in [2, 3, 5] {
            for nodes in (0..16).map(|step| 3 + step * step * step * 3) {
                engine.clear();
                let limits = Limits { multipv, ..Limits::nodes(nodes) };
                let (infos, _) = finish(&engine.go(&game, limits), &game);
                let context = format!("{fen}, {multipv} lines, {nodes} nodes");
                reports(&infos).for_each(|lines| check_lines(lines, multipv, &context));
            }
        }
    }
}

#[test]
fn lines_keep_the_depth_of_the_last_complete_iteration() {
    let game = game(KIWIPETE);
    let mut engine = engine_without_clock(2);
    let multipv = 4;
    let (infos, _) = finish(&engine.go(&game, Limits { multipv, ..Limits::depth(7) }), &game);
    let complete = last_lines(&infos);
    assert!(complete.iter().all(|line| line.depth == 7 && line.bound == Bound::Exact));
    // The next iteration has begun, and no line of it is finished.
    engine.clear();
    let nodes = complete[0].nodes + 1;
    let (infos, _) = finish(&engine.go(&game, Limits { multipv, ..Limits::nodes(nodes) }), &game);
    let lines = |infos: &[Info]| -> Vec<_> {
        infos.iter().map(|info| (info.depth, info.score, info.bound, info.pv.clone())).collect()
    };
    assert_eq!(lines(last_lines(&infos)), lines(complete));
}

#[test]
fn last_reported_line_is_the_answer() {
    for threads in [1, 3] {
        let mut engine = Engine::new(Options { hash_mb: 2, threads, ..Options::default() }).unwrap();
        for fen in FENS {
            let game = game(fen);
            for step in 0..12_u64 {
                engine.clear();
                for limits in [
                    Limits::nodes(1 + step * step * step * 2),
                    Limits { multipv: 2, ..Limits::nodes(2 + step * step * step) },
                    Limits { soft_nodes: Some(step * step * step), ..Limits::default() },
                ] {
                    let (infos, best) = finish(&engine.go(&game, limits), &game);
                    let line = &last_lines(&infos)[0];
                    assert_eq!(best.best, line.pv.first().copied(), "{fen}: {line:?}");
                    if let (Some(ponder), Some(&reply)) = (best.ponder, line.pv.get(1)) {
                        assert_eq!(ponder, reply, "{fen}: {line:?}");
                    }
                }
            }
        }
    }
}

fn info(event: SearchEvent) -> Option<Info> {
    if let SearchEvent::Info(info) = event { Some(info) } else { None }
}

#[test]
fn stopped_search_answers_with_its_last_line() {
    let mut engine = engine_without_clock(2);
    let game = Game::new();
    for after in 1..12 {
        let search = engine.go(&game, Limits { multipv: 3, ..Limits::infinite() });
        // As soon as this many reports have been sent, at any point of the search.
        let mut events: Vec<SearchEvent> = search.events().take(after).collect();
        search.stop();
        events.extend(search.events());
        let Some(SearchEvent::BestMove(best)) = events.last() else { panic!("no best move: {events:?}") };
        let best = best.best;
        let infos: Vec<Info> = events.into_iter().filter_map(info).collect();
        let lines = last_lines(&infos);
        assert_eq!(best, lines[0].pv.first().copied(), "stopped after {after} reports");
        check_lines(lines, 3, &format!("stopped after {after} reports"));
    }
}
