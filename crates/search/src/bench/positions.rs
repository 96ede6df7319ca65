//! The positions of the benchmark.

use std::fmt;

/// The phase of the game that a position is from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Phase {
    /// A position from opening theory.
    Opening,
    /// A position with most of the pieces.
    MiddleGame,
    /// A position with few pieces.
    EndGame,
}

/// `opening`, `middle game`, `end game`.
impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Phase::Opening => "opening",
            Phase::MiddleGame => "middle game",
            Phase::EndGame => "end game",
        })
    }
}

/// A position of [`run`](crate::bench::run).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BenchPosition {
    /// The phase of the game.
    pub phase: Phase,
    /// The position as FEN.
    pub fen: &'static str,
}

const fn position(phase: Phase, fen: &'static str) -> BenchPosition {
    BenchPosition { phase, fen }
}

/// The positions of [`run`](crate::bench::run): common openings, middlegames with open and closed centres and
/// with attacks on either king, endgames of all kinds, and Chess960.
pub const POSITIONS: &[BenchPosition] = &[
    position(Phase::Opening, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    position(Phase::Opening, "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"),
    position(Phase::Opening, "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"),
    position(Phase::Opening, "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6"),
    position(Phase::Opening, "r1bqkbrn/pppp1p1p/4p1pn/8/4P3/3P2N1/PPPB1PPP/R1NQKBR1 w GAga - 0 5"),
    position(Phase::MiddleGame, "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2NB1N2/PP3PPP/R1BQR1K1 b - - 3 9"),
    position(Phase::MiddleGame, "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16"),
    position(Phase::MiddleGame, "r2q1rk1/1bp1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 w - - 1 10"),
    position(Phase::MiddleGame, "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 15"),
    position(Phase::MiddleGame, "r4rk1/1p1qppbp/p2p1np1/n1pP4/4P1b1/2N1BN2/PPQ1BPPP/2RR2K1 w - - 4 15"),
    position(Phase::MiddleGame, "2kr3r/pp1b1p1p/1qn1p1p1/3pP3/1b1P1P2/2N2N2/PP2Q1PP/R1B2RK1 w - - 2 15"),
    position(Phase::EndGame, "8/5pk1/1p2p1p1/p2rP2p/P2R1P1P/1P3KP1/8/8 w - - 3 38"),
    position(Phase::EndGame, "8/pp3k2/2p1b1p1/4P2p/1P1N1P1P/P3K1P1/8/8 w - - 1 36"),
    position(Phase::EndGame, "8/8/1p1k1p2/p1p2P1p/P1P1K2P/1P6/8/8 w - - 0 45"),
    position(Phase::EndGame, "6k1/5pp1/3q3p/8/3P1P2/2Q3P1/r4P1P/2R3K1 w - - 4 33"),
    position(Phase::EndGame, "8/1P4k1/6p1/7p/5p1P/r4K2/1R6/8 w - - 0 51"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    #[test]
    fn every_position_is_legal_and_unfinished() {
        for BenchPosition { fen, .. } in POSITIONS {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(position.has_legal_move() && !position.is_dead(), "{fen}");
        }
    }
}
