//! The move generator against the oracle, on the perft suites and in random games.

use crate::agreement::{assert_agree, assert_attacks_agree, assert_is_legal_agrees};
use crate::data;
use crate::oracle::Board as Oracle;
use crate::random::{Start, random_move, scattered_fen};
use tabiya_core::SplitMix64;
use tabiya_movegen::Position;

/// Asserts that each legal move leads both to the same position.
fn assert_moves_lead_to_same_positions(position: &Position, oracle: &Oracle) {
    let expected = oracle.legal_moves();
    for mv in position.legal_moves() {
        let uci = mv.to_uci(true).to_string();
        let same = expected.iter().find(|other| other.uci() == uci).expect("both know the move");
        let next = position.play(mv).expect("a generated move is legal");
        assert_eq!(format!("{next:#}"), oracle.play(same).fen(), "{uci} in {position:#}");
    }
}

fn suite_fens() -> Vec<String> {
    let suites = ["standard.epd", "fischer1000.epd", "tricky.epd"];
    suites.iter().flat_map(|suite| data::perft_suite(suite)).map(|case| case.fen).collect()
}

fn both(fen: &str) -> (Position, Oracle) {
    let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let oracle = Oracle::from_fen(fen).unwrap_or_else(|| panic!("the oracle cannot read {fen}"));
    (position, oracle)
}

#[test]
fn suite_positions() {
    for fen in suite_fens() {
        let (position, oracle) = both(&fen);
        assert_agree(&position, &oracle, &oracle.legal_moves());
        assert_attacks_agree(&position, &oracle);
        assert_moves_lead_to_same_positions(&position, &oracle);
    }
}

#[test]
fn is_legal_on_suite_positions() {
    for fen in suite_fens() {
        assert_is_legal_agrees(&both(&fen).0);
    }
}

#[test]
fn short_random_games_from_suite_positions() {
    let mut random = SplitMix64::new(11);
    for fen in suite_fens() {
        follow_random_game(&fen, 12, &mut random);
    }
}

/// Plays a random game, compares at each ply, and returns the number of positions.
fn follow_random_game(fen: &str, plies: usize, random: &mut SplitMix64) -> usize {
    let (mut position, mut oracle) = both(fen);
    for ply in 0..plies {
        assert_agree(&position, &oracle, &oracle.legal_moves());
        if random.below(16) == 0 {
            assert_is_legal_agrees(&position);
            assert_attacks_agree(&position, &oracle);
        }
        let Some(mv) = random_move(&position, random) else { return ply + 1 };
        let uci = mv.to_uci(true).to_string();
        let same = oracle.legal_moves().into_iter().find(|other| other.uci() == uci);
        oracle = oracle.play(&same.expect("both know the move"));
        position.play_unchecked(mv);
    }
    plies
}

fn random_games(start: Start, positions: usize, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let mut seen = 0;
    while seen < positions {
        let fen = start.fen(&mut random);
        seen += follow_random_game(&fen, 200, &mut random);
    }
}

#[test]
fn random_standard_games() {
    random_games(Start::Standard, 20_000, 21);
}

#[test]
fn random_chess960_games() {
    random_games(Start::Chess960, 30_000, 22);
}

#[test]
fn random_double_chess960_games() {
    random_games(Start::DoubleChess960, 20_000, 23);
}

/// Covers many checks, pins and queens.
#[test]
fn scattered_pieces() {
    scattered(30_000, 24);
}

fn scattered(positions: usize, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let mut seen = 0;
    while seen < positions {
        let fen = scattered_fen(&mut random);
        if let Ok(position) = Position::from_fen(&fen) {
            let oracle = Oracle::from_fen(&fen).expect("the FEN is well formed");
            assert_agree(&position, &oracle, &oracle.legal_moves());
            if seen % 16 == 0 {
                assert_is_legal_agrees(&position);
                assert_attacks_agree(&position, &oracle);
            }
            seen += 1;
        }
    }
}

#[test]
fn oracle_perft_counts() {
    for (suite, limit) in [("standard.epd", 10_000), ("fischer1000.epd", 1_000), ("tricky.epd", 20_000)] {
        for case in data::perft_suite(suite) {
            let oracle = Oracle::from_fen(&case.fen).expect("the suite's FEN is well formed");
            for &(depth, count) in case.counts.iter().filter(|(_, count)| *count <= limit) {
                assert_eq!(oracle.perft(depth), count, "the oracle itself, depth {depth} of {}", case.fen);
            }
        }
    }
}

/// Millions of positions.
#[test]
#[ignore = "takes minutes; meant for a release build"]
fn many_random_positions() {
    for seed in 100..110 {
        for start in [Start::Standard, Start::Chess960, Start::DoubleChess960] {
            random_games(start, 100_000, seed);
        }
        scattered(100_000, seed);
    }
}
