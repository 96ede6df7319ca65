//! Regression test on the fuzzing corpus in `tests/data/fuzz/book`; see `fuzz/README.md`.

#[path = "../../../fuzz/src/book.rs"]
#[allow(unreachable_pub, reason = "the fuzz crate exports it")]
mod book;
#[path = "../../../fuzz/src/replay.rs"]
mod replay;

#[test]
fn stored_inputs_pass_the_check() {
    replay::replay("book", book::book);
}
