//! Regression test on the fuzzing corpus in `tests/data/fuzz/syzygy`; see `fuzz/README.md`.

#[path = "../../../fuzz/src/replay.rs"]
mod replay;
#[path = "../../../fuzz/src/syzygy.rs"]
#[allow(unreachable_pub, reason = "the fuzz crate exports it")]
mod syzygy;

#[test]
fn stored_inputs_pass_the_check() {
    replay::replay("syzygy", syzygy::syzygy);
}
