//! Tablebases at the root and in the tree.

use super::*;
use crate::tablebase::TablebaseOptions;
use std::path::Path;
use std::sync::Arc;
use tabiya_syzygy::Tablebases;

/// Returns tables of up to four pieces.
fn tables() -> Arc<Tablebases> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/syzygy");
    Arc::new(Tablebases::open(&[path]).expect("the tables of the test data"))
}

fn with_tables(options: TablebaseOptions) -> Engine {
    let mut engine = engine();
    engine.set_tablebases(TablebaseOptions { tables: Some(tables()), ..options });
    engine
}

fn last(engine: &mut Engine, game: &Game, limits: Limits) -> (Info, BestMove) {
    let (mut infos, answer) = finish(&engine.go(game, limits), game);
    (infos.pop().expect("at least one report"), answer)
}

#[test]
fn root_moves_are_ranked() {
    let mut engine = with_tables(TablebaseOptions::default());
    // Won; the value shows it from depth 1, as only winning moves are searched.
    let won = game("8/8/8/4k3/8/8/8/KR6 w - - 0 1");
    let (info, _) = last(&mut engine, &won, Limits::depth(1));
    assert!(matches!(info.score, Score::Centipawns(value) if value > 20_000), "{info:?}");
    assert_eq!(info.tb_hits, won.position().count_legal_moves() as u64);
    // Drawn, by only one move.
    let drawn = game("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1");
    let (info, answer) = last(&mut engine, &drawn, Limits::depth(6));
    assert_eq!((info.score, uci(answer.best).as_str()), (Score::Centipawns(0), "e1e2"));
    // Lost.
    let (info, _) = last(&mut engine, &game("8/8/8/8/8/2k5/3q4/K7 w - - 0 1"), Limits::depth(1));
    assert!(
        matches!(info.score, Score::Centipawns(value) if value < -20_000)
            || matches!(info.score, Score::Mate(_))
    );
}

#[test]
fn mate_score_precedes_the_tablebase_score() {
    let mut engine = with_tables(TablebaseOptions::default());
    let (info, answer) = last(&mut engine, &game("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"), Limits::depth(6));
    assert_eq!((info.score, uci(answer.best).as_str()), (Score::Mate(1), "g1g7"));
}

#[test]
fn multipv_reports_lines_of_lower_rank() {
    let mut engine = with_tables(TablebaseOptions::default());
    let game = game("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
    let limits = Limits { multipv: 4, ..Limits::depth(4) };
    let (infos, answer) = finish_lines(&engine.go(&game, limits));
    assert_eq!(infos.iter().map(|info| info.multipv).max(), Some(4));
    assert!(["e6d6", "e6f6"].contains(&uci(answer.best).as_str()), "{answer:?}");
    // The third line is a draw.
    let third = infos.iter().rev().find(|info| info.multipv == 3).expect("a third line");
    assert_eq!(third.score, Score::Centipawns(0));
}

fn finish_lines(search: &Search) -> (Vec<Info>, BestMove) {
    let mut infos = Vec::new();
    for event in search.events() {
        match event {
            SearchEvent::Info(info) => infos.push(info),
            SearchEvent::CurrentMove { .. } => {}
            SearchEvent::BestMove(answer) => return (infos, answer),
        }
    }
    panic!("no best move");
}

#[test]
fn tree_is_probed_within_limits() {
    // Five pieces: a capture leads into the tables.
    let game = game("8/8/8/8/1r1k4/8/2K5/R2b4 w - - 0 1");
    let (info, _) = last(&mut with_tables(TablebaseOptions::default()), &game, Limits::depth(8));
    assert!(info.tb_hits > 0, "{info:?}");
    let off = TablebaseOptions { probe_limit: 0, ..TablebaseOptions::default() };
    assert_eq!(last(&mut with_tables(off), &game, Limits::depth(8)).0.tb_hits, 0);
    // Lower limits on pieces and higher ones on depth reduce the number of hits.
    let three = TablebaseOptions { probe_limit: 3, ..TablebaseOptions::default() };
    assert!(last(&mut with_tables(three), &game, Limits::depth(3)).0.tb_hits < info.tb_hits);
    let deep = TablebaseOptions { probe_depth: 100, ..TablebaseOptions::default() };
    assert!(last(&mut with_tables(deep), &game, Limits::depth(4)).0.tb_hits < info.tb_hits);
}

#[test]
fn fifty_move_rule_is_optional() {
    // Won, but not within the four plies that are left.
    let late = game("8/8/8/4k3/8/8/8/KR6 w - - 96 100");
    let (info, _) = last(&mut with_tables(TablebaseOptions::default()), &late, Limits::depth(1));
    assert!(matches!(info.score, Score::Centipawns(-10..=10)), "{info:?}");
    let ignored = TablebaseOptions { fifty_move_rule: false, ..TablebaseOptions::default() };
    let (info, _) = last(&mut with_tables(ignored), &late, Limits::depth(1));
    assert!(matches!(info.score, Score::Centipawns(value) if value > 20_000), "{info:?}");
}

#[test]
fn several_threads_share_the_tables() {
    let mut engine = Engine::new(Options {
        hash_mb: 2,
        threads: 3,
        tablebases: TablebaseOptions { tables: Some(tables()), ..TablebaseOptions::default() },
        ..Options::default()
    })
    .expect("enough threads");
    let game = game("8/8/8/8/1r1k4/8/2K5/R2b4 w - - 0 1");
    let (infos, answer) = finish_lines(&engine.go(&game, Limits::nodes(30_000)));
    assert!(infos.last().is_some_and(|info| info.tb_hits > 0) && answer.best.is_some());
}

#[test]
fn wins_won_endings() {
    for fen in [
        "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
        "8/8/4k3/8/8/8/4P3/4K3 b - - 0 1",
        "8/8/8/4k3/8/8/8/KQ6 w - - 60 90",
    ] {
        let mut engine = with_tables(TablebaseOptions::default());
        let mut game = game(fen);
        while game.outcome().is_none() {
            let answer = engine.go(&game, Limits::nodes(2_000)).answer();
            game.play(answer.best.expect("a legal move")).expect("legal");
        }
        let is_kp_draw = fen.contains('P');
        let drawn = game.outcome().is_some_and(|outcome| outcome.winner().is_none());
        assert_eq!(drawn, is_kp_draw, "{fen}: {:?}", game.outcome());
    }
}
