//! Published perft counts at small depths; `cargo xtask perft` goes deeper.

use crate::data;
use tabiya_movegen::{Position, perft, perft_divide};

/// Checks every depth of every position with at most `limit` leaves.
fn check(suite: &str, limit: u64) {
    let mut leaves = 0;
    for case in data::perft_suite(suite) {
        let position = Position::from_fen(&case.fen).unwrap_or_else(|error| panic!("{}: {error}", case.fen));
        for &(depth, count) in case.counts.iter().filter(|(_, count)| *count <= limit) {
            assert_eq!(perft(&position, depth), count, "depth {depth} of {}", case.fen);
            leaves += count;
        }
    }
    assert!(leaves > limit, "the suite has only {leaves} leaves within the limit");
}

#[test]
fn standard_suite() {
    check("standard.epd", 1_000_000);
}

#[test]
fn chess960_suite() {
    check("fischer1000.epd", 100_000);
}

#[test]
fn tricky_suite() {
    check("tricky.epd", 2_000_000);
}

#[test]
#[ignore = "takes minutes; meant for a release build"]
fn standard_suite_deep() {
    check("standard.epd", 200_000_000);
}

#[test]
#[ignore = "takes minutes; meant for a release build"]
fn chess960_suite_deep() {
    check("fischer1000.epd", 20_000_000);
}

#[test]
fn divide_adds_up() {
    for case in data::perft_suite("standard.epd").iter().take(20) {
        let position = Position::from_fen(&case.fen).expect("the suite's positions are legal");
        assert!(perft_divide(&position, 0).is_empty());
        for depth in 1..=3 {
            let divided = perft_divide(&position, depth);
            assert_eq!(divided.len(), position.count_legal_moves());
            let sum: u64 = divided.iter().map(|&(_, count)| count).sum();
            assert_eq!(sum, perft(&position, depth), "depth {depth} of {}", case.fen);
        }
        assert_eq!(perft(&position, 0), 1);
    }
}
