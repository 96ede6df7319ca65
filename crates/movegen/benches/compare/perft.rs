//! Perft with bulk counting at the last ply: each crate's own function, and a loop over its interface.

use crate::comparison::Comparison;
use crate::samples::{Sample, ten_positions};
use shakmaty::{Chess, Position as _};
use std::hint::black_box;
use tabiya_movegen::Position;

/// (Name, FEN, depth, number of leaves).
const POSITIONS: [(&str, &str, u32, u64); 8] = [
    ("start, depth 6", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    (
        "kiwipete, depth 5",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    ("position 3, depth 6", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    (
        "position 4, depth 5",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    ("position 5, depth 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    (
        "position 6, depth 5",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
    ("Chess960, depth 5", "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 0 1", 5, 16_253_601),
    ("rook end game, depth 6", "8/5pk1/6p1/3R3p/7P/4r1P1/5PK1/8 w - - 0 1", 6, 61_952_686),
];

pub(crate) fn comparisons() -> Vec<Comparison> {
    let comparison = |(name, fen, depth, leaves): (&str, &'static str, u32, u64)| {
        let Sample { tabiya, cozy, shakmaty } = Sample::new(fen).expect("every crate accepts the position");
        let tabiya_perft = move || {
            let count = tabiya_movegen::perft(black_box(&tabiya), depth);
            assert_eq!(count, leaves, "{fen} to depth {depth}");
            count
        };
        Comparison::new(
            name,
            tabiya_perft,
            move || cozy_perft(black_box(&cozy), depth),
            move || shakmaty::perft(black_box(&shakmaty), depth),
        )
    };
    POSITIONS.into_iter().map(comparison).collect()
}

/// Counts leaves as cozy-chess's own perft example does.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    leaves
}

/// Depth of the callers' own loops.
const DEPTH: u32 = 4;

/// Compares the loops that users of each crate would write, with bulk counting.
pub(crate) fn own_loop() -> Vec<Comparison> {
    let mut comparison = Comparison::over("depth 4, bulk counting");
    for Sample { tabiya, cozy, shakmaty } in ten_positions() {
        comparison = comparison.with(
            move || own_perft(black_box(&tabiya), DEPTH),
            move || cozy_perft(black_box(&cozy), DEPTH),
            move || shakmaty_perft(black_box(&shakmaty), DEPTH),
        );
    }
    vec![comparison]
}

fn own_perft(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_legal_moves() as u64;
    }
    let mut leaves = 0;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        leaves += own_perft(&next, depth - 1);
    }
    leaves
}

fn shakmaty_perft(position: &Chess, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for mv in moves {
        let mut next = position.clone();
        next.play_unchecked(mv);
        leaves += shakmaty_perft(&next, depth - 1);
    }
    leaves
}
