//! Tests that depend on wall-clock time, in a separate module so that `--skip wall_clock` skips them.
//!
//! The timeouts are long enough for the well-behaved opponent on a busy machine.

use crate::faults::assert_culprit_loses;

const TIMEOUTS: &str = "--stall-timeout 1500 --ping-timeout 1500 --startup-timeout 20000 --time-margin 100";

#[test]
fn stalls_and_time_forfeits_lose() {
    std::thread::scope(|scope| {
        for (mode, limits, reason, message) in [
            ("hang at=2", "--nodes 10", "stall", "did not send \"bestmove\" within 1.500 s"),
            ("hang at=2", "--tc 0.3", "stall", "did not send \"bestmove\""),
            ("random delay=600", "--movetime 100", "time-forfeit", "no move within 0.200 s"),
            ("random delay=600", "--tc 0.2+0.01", "time-forfeit", "loses on time"),
            ("flood at=2", "--nodes 10", "stall", "did not send \"bestmove\""),
            ("endless-line at=2", "--nodes 10", "stall", "did not send \"bestmove\""),
        ] {
            scope.spawn(move || assert_culprit_loses(mode, &format!("{limits} {TIMEOUTS}"), reason, message));
        }
    });
}
