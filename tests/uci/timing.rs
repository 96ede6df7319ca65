//! Tests that measure wall-clock time, with wide margins, in a separate module so that `--skip timing` skips them.

use crate::process::{Tabiya, field};
use std::time::{Duration, Instant};

fn time(engine: &mut Tabiya, limits: &str) -> Duration {
    let start = Instant::now();
    let answer = engine.go(limits);
    assert_ne!(answer.best(), "0000", "{limits}");
    start.elapsed()
}

/// Allowance for a machine that is busy with other tests.
const MARGIN: Duration = Duration::from_secs(3);

#[test]
fn answers_isready_at_once_during_a_search() {
    let mut engine = Tabiya::uci();
    engine.send("go infinite");
    engine.expect("info depth 2");
    let mut times: Vec<Duration> = (0..100)
        .map(|_| {
            let start = Instant::now();
            engine.sync();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    // The median, because a busy machine delays some.
    assert!(times[50] < Duration::from_millis(50), "{:?}", times[50]);
    let start = Instant::now();
    engine.send("stop");
    engine.answer();
    assert!(start.elapsed() < MARGIN, "{:?}", start.elapsed());
    engine.finish_well();
}

#[test]
fn many_threads_stop_and_quit_fast() {
    let limits = [2 * MARGIN, MARGIN, MARGIN, 2 * MARGIN];
    for threads in [64, 1024] {
        // A busy machine may take the processors away for longer than that.
        let mut tries = Vec::new();
        let is_fast = (0..3).any(|_| {
            let times = times_with(threads);
            tries.push(times);
            times.iter().zip(limits).all(|(&time, limit)| time < limit)
        });
        assert!(is_fast, "{threads} threads: {tries:?}");
    }
}

/// Returns the times that an engine takes to start this many threads, to search for 200 ms, to stop and to quit.
fn times_with(threads: u32) -> [Duration; 4] {
    let mut engine = Tabiya::uci();
    let start = Instant::now();
    engine.send(&format!("setoption name Threads value {threads}"));
    engine.sync();
    let started = start.elapsed();
    let searched = time(&mut engine, "movetime 200");
    engine.send("go infinite");
    engine.expect("info depth 2");
    let start = Instant::now();
    engine.send("stop");
    engine.answer();
    let stopped = start.elapsed();
    engine.send("go infinite");
    engine.expect("info depth 2");
    let start = Instant::now();
    engine.send("quit");
    engine.finish_well();
    [started, searched, stopped, start.elapsed()]
}

#[test]
fn scrambles_are_searched_for_a_millisecond() {
    for clock in [0, 60, 140] {
        // A busy machine may take the processor away for longer than the search may last.
        let reached = (0..10).any(|_| {
            let mut engine = Tabiya::uci();
            let answer = engine.go(&format!("wtime {clock} btime {clock}"));
            field(answer.last_info(), "depth").is_some_and(|depth| depth.parse::<u32>().unwrap() >= 4)
        });
        assert!(reached, "{clock} ms");
    }
}
