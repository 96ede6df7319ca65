//! Tests that measure wall-clock time, and fail if the machine is too busy. They are ignored by default:
//! `cargo test -p tabiya-search timing -- --ignored --test-threads=1`.

use super::{KIWIPETE, MANY_QUEENS, engine, finish, game, ms};
use crate::{Clock, Limits};
use std::time::{Duration, Instant};

/// The time that a busy machine may keep a thread waiting.
const SLACK: Duration = Duration::from_secs(1);

#[test]
#[ignore = "measures wall-clock time"]
fn movetime_is_used_and_kept() {
    let mut engine = engine();
    for fen in [KIWIPETE, MANY_QUEENS] {
        for time in [ms(0), ms(1), ms(20), ms(150)] {
            let (start, game) = (Instant::now(), game(fen));
            finish(&engine.go(&game, Limits::movetime(time)), &game);
            let taken = start.elapsed();
            assert!(taken >= time * 8 / 10 && taken <= time + SLACK, "{taken:?} instead of {time:?}");
        }
    }
}

#[test]
#[ignore = "measures wall-clock time"]
fn clock_that_has_run_out_is_answered_at_once() {
    let mut engine = engine();
    for fen in [KIWIPETE, MANY_QUEENS] {
        for (remaining, increment) in [(0, 0), (5, 0), (31, 7), (1, 10)] {
            let (start, game) = (Instant::now(), game(fen));
            let clock = Clock::new(ms(remaining), ms(increment));
            finish(&engine.go(&game, Limits::clock(clock)), &game);
            assert!(start.elapsed() < SLACK, "{:?} with {remaining} ms left", start.elapsed());
        }
    }
}

#[test]
#[ignore = "measures wall-clock time"]
fn clock_that_has_run_out_is_searched_for_a_millisecond() {
    for remaining in [0, 5, 60, 140] {
        // A busy machine may take the processor away for longer than the search may last.
        let depth = (0..10)
            .map(|_| {
                let game = game(KIWIPETE);
                let clock = Clock::new(ms(remaining), ms(0));
                let (infos, _) = finish(&engine().go(&game, Limits::clock(clock)), &game);
                infos.iter().map(|info| info.depth).max()
            })
            .max();
        assert!(depth >= Some(Some(3)), "{depth:?} with {remaining} ms left");
    }
}

#[test]
#[ignore = "measures wall-clock time"]
fn many_threads_start_and_stop_at_once() {
    for threads in [64, 256, 1024] {
        let mut engine = engine();
        let start = Instant::now();
        engine.set_threads(threads).expect("enough memory");
        assert!(start.elapsed() < 2 * SLACK, "{threads} threads started in {:?}", start.elapsed());
        let game = game(KIWIPETE);
        let start = Instant::now();
        finish(&engine.go(&game, Limits::movetime(ms(200))), &game);
        assert!(start.elapsed() < ms(200) + 2 * SLACK, "{threads} threads: {:?}", start.elapsed());
        let search = engine.go(&game, Limits::infinite());
        std::thread::sleep(ms(300));
        let start = Instant::now();
        search.stop();
        finish(&search, &game);
        assert!(start.elapsed() < 2 * SLACK, "{threads} threads stopped in {:?}", start.elapsed());
        let start = Instant::now();
        engine.clear();
        drop(engine);
        assert!(start.elapsed() < 4 * SLACK, "{threads} threads ended in {:?}", start.elapsed());
    }
}

#[test]
#[ignore = "measures wall-clock time"]
fn clock_is_divided_among_the_moves() {
    let (start, game) = (Instant::now(), game(KIWIPETE));
    let clock = Clock::new(ms(4000), ms(0)).with_moves_to_go(20);
    let (infos, _) = finish(&engine().go(&game, Limits::clock(clock)), &game);
    assert!(start.elapsed() < ms(600) + SLACK, "{:?}", start.elapsed());
    assert!(infos.len() > 3);
    // A forced move and a mate take no time.
    for fen in ["7k/8/8/8/8/8/5q2/7K w - - 0 1", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"] {
        let (start, game) = (Instant::now(), super::game(fen));
        let clock = Clock::new(ms(600_000), ms(0));
        finish(&engine().go(&game, Limits::clock(clock)), &game);
        assert!(start.elapsed() < SLACK, "{fen}: {:?}", start.elapsed());
    }
}

#[test]
#[ignore = "measures wall-clock time"]
fn stop_is_answered_at_once() {
    let mut engine = engine();
    for fen in [KIWIPETE, MANY_QUEENS, "8/8/4k3/4p3/4P3/4K3/8/8 w - - 0 1"] {
        let game = game(fen);
        let search = engine.go(&game, Limits::infinite());
        std::thread::sleep(ms(100));
        let start = Instant::now();
        search.stop();
        finish(&search, &game);
        assert!(start.elapsed() < SLACK, "{:?}", start.elapsed());
    }
}

#[test]
#[ignore = "measures wall-clock time"]
fn clock_does_not_run_while_pondering() {
    let game = game(KIWIPETE);
    let mut engine = engine();
    let limits = Limits { movetime: Some(ms(100)), ponder: true, ..Limits::default() };
    let search = engine.go(&game, limits);
    std::thread::sleep(ms(200));
    let start = Instant::now();
    search.ponderhit();
    finish(&search, &game);
    assert!((ms(80)..ms(100) + SLACK).contains(&start.elapsed()), "{:?}", start.elapsed());
    // If the soft limit has passed while pondering, the search ends on ponderhit.
    let clock = Clock::new(ms(1000), ms(0)).with_moves_to_go(10);
    let search = engine.go(&game, Limits::clock(clock).with_ponder(true));
    std::thread::sleep(ms(1500));
    search.ponderhit();
    let start = Instant::now();
    finish(&search, &game);
    assert!(start.elapsed() < ms(300) + SLACK, "{:?}", start.elapsed());
}
