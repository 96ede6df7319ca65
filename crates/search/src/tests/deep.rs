//! Lines up to the maximum ply, and limits at the ends of their ranges.

use super::{KIWIPETE, engine, finish, game, position};
use crate::control::Signals;
use crate::job::Job;
use crate::limit_checker::LimitChecker;
use crate::node_type::{NonPv, Pv};
use crate::params::Features;
use crate::searcher::Searcher;
use crate::stopwatch::{Stopwatch, TimeSource};
use crate::thread_data::ThreadData;
use crate::time::TimeBudget;
use crate::tt::{TranspositionTable, TtEntry};
use crate::wdl::WdlModel;
use crate::{Limits, Score};
use std::sync::Arc;
use std::time::Duration;
use tabiya_core::{Bound, INFINITE, MATE_IN_MAX_PLY, MAX_PLY, TB_WIN, mate_in, mated_in};
use tabiya_eval::Evaluation;
use tabiya_movegen::Position;

/// Runs a function on a searcher of this root.
fn with_searcher(root: &Position, run: impl FnOnce(&mut Searcher<'_>)) {
    let job = Job {
        root: root.clone(),
        keys: vec![root.key()],
        limits: Limits::default(),
        features: Features::ALL,
        budget: TimeBudget::default(),
        check_interval: 512,
        tablebases: crate::tablebase::TablebaseOptions::default(),
        move_filter: None,
        tt: Arc::new(TranspositionTable::new(1, 1).expect("enough memory")),
        wdl_model: WdlModel::HANDCRAFTED,
        signals: Arc::new(Signals::new(1, Stopwatch::start(TimeSource::System))),
    };
    let mut data = ThreadData::new(&|| Evaluation::Handcrafted.evaluator()).expect("enough memory");
    run(&mut Searcher::new(&job, LimitChecker::helper_thread(&job, 0), None, &mut data));
}

#[test]
fn last_plies_stay_within_the_arrays() {
    let quiet = position(KIWIPETE);
    let in_check = position("4k3/8/8/8/7b/8/8/4K2R w K - 0 1");
    for position in [&quiet, &in_check] {
        for ply in MAX_PLY as usize - 4..MAX_PLY as usize {
            with_searcher(position, |searcher| {
                let value = searcher.node::<Pv>(position, ply, 3, -INFINITE, INFINITE, false);
                assert!(value.abs() < MATE_IN_MAX_PLY);
                assert!(searcher.pv.line(ply).len() < MAX_PLY as usize - ply);
                searcher.node::<NonPv>(position, ply, 3, -1, 0, true);
                searcher.quiescence::<Pv>(position, ply, true, -INFINITE, INFINITE);
                assert!(searcher.seldepth < MAX_PLY as usize);
            });
        }
    }
}

#[test]
fn tt_win_beyond_the_fifty_move_draw_loses_its_value() {
    let at = |clock| position(&format!("8/8/8/4k3/8/8/8/KR6 w - - {clock} 80"));
    with_searcher(&at(0), |searcher| {
        for (value, bound) in [
            (mate_in(9), Bound::Lower),
            (mated_in(9), Bound::Upper),
            (TB_WIN - 9, Bound::Lower),
            (9 - TB_WIN, Bound::Upper),
        ] {
            // At ply 4: a win in five plies.
            let entry = TtEntry { mv: None, value, eval: None, depth: 9, bound, is_pv: false };
            searcher.tt_store(at(0).key(), 4, &entry);
            let probe = |clock| searcher.tt_probe(&at(clock), 4).map(|entry| (entry.value, entry.bound));
            assert_eq!(probe(0), Some((value, bound)));
            assert_eq!(probe(95), Some((value, bound)));
            assert_eq!(probe(96), Some((-INFINITE, Bound::Lower)), "a trivial bound");
        }
    });
}

#[test]
fn blocked_position_is_searched_to_full_depth() {
    // Few positions and long lines.
    let game = game("8/8/4k3/4p3/4P3/4K3/8/8 w - - 0 1");
    let (infos, _) = finish(&engine().go(&game, Limits::depth(30)), &game);
    let last = infos.last().expect("at least one report");
    assert_eq!((last.depth, last.score), (30, Score::Centipawns(0)));
}

#[test]
fn extreme_limits_are_clamped() {
    let game = game("8/8/8/3k4/8/8/8/K7 w - - 0 1");
    let max = Limits {
        depth: Some(u32::MAX),
        nodes: Some(u64::MAX),
        movetime: Some(Duration::MAX),
        ..Limits::default()
    };
    assert!(finish(&engine().go(&game, max), &game).0.len() >= MAX_PLY as usize - 1);
    let longest_mate = Limits { mate: Some(u32::MAX), ..Limits::default() };
    assert!(finish(&engine().go(&game, longest_mate), &game).0.len() <= 2, "refuted at once");
    let min = Limits {
        depth: Some(0),
        nodes: Some(0),
        movetime: Some(Duration::ZERO),
        mate: Some(0),
        ..Limits::default()
    };
    assert!(finish(&engine().go(&game, min), &game).0.len() <= 2);
}
