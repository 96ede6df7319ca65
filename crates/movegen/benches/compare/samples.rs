//! The positions for measuring move generation, making moves and notation.

use std::path::Path;
use tabiya_core::Move;
use tabiya_movegen::Position;

/// The same position in each of the three crates.
#[derive(Clone)]
pub(crate) struct Sample {
    pub(crate) tabiya: Position,
    pub(crate) cozy: cozy_chess::Board,
    pub(crate) shakmaty: shakmaty::Chess,
}

impl Sample {
    /// Sets up the position; `None` if one of the crates rejects it.
    pub(crate) fn new(fen: &str) -> Option<Sample> {
        let tabiya = Position::from_fen(fen).ok()?;
        let shredder = format!("{tabiya:#}");
        let setup: shakmaty::fen::Fen = shredder.parse().ok()?;
        let cozy = cozy_chess::Board::from_fen(&shredder, true).ok()?;
        let shakmaty = setup.into_position(shakmaty::CastlingMode::Chess960).ok()?;
        Some(Sample { tabiya, cozy, shakmaty })
    }
}

/// The ten positions of the measurements that are repeated on few positions: openings, middle games and end games, with
/// castling, promotions, pins and checks.
const TEN: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1nbppp/1p2pn2/3p4/2PP4/1PN1PN2/PB3PPP/R2QKB1R w KQ - 0 10",
    "r1bqk2r/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQK2R b KQkq - 0 8",
    "8/5pk1/6p1/3R3p/7P/4r1P1/5PK1/8 w - - 0 1",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 0 1",
];

pub(crate) fn ten_positions() -> Vec<Sample> {
    TEN.iter().map(|fen| Sample::new(fen).expect("every crate accepts the position")).collect()
}

/// Positions, each with its legal moves.
pub(crate) type WithMoves<P, M> = Vec<(P, Vec<M>)>;

/// The same positions and legal moves for each of the three crates.
pub(crate) struct SampleMoves {
    pub(crate) tabiya: WithMoves<Position, Move>,
    pub(crate) cozy: WithMoves<cozy_chess::Board, cozy_chess::Move>,
    pub(crate) shakmaty: WithMoves<shakmaty::Chess, shakmaty::Move>,
}

impl SampleMoves {
    pub(crate) fn of(samples: &[Sample]) -> SampleMoves {
        let mut all = SampleMoves { tabiya: Vec::new(), cozy: Vec::new(), shakmaty: Vec::new() };
        for sample in samples {
            let moves = sample.tabiya.legal_moves();
            let texts: Vec<String> = moves.iter().map(|mv| mv.to_uci(true).to_string()).collect();
            let cozy = texts.iter().map(|text| text.parse().expect("we write good UCI moves"));
            let shakmaty = texts.iter().map(|text| {
                let uci: shakmaty::uci::UciMove = text.parse().expect("we write good UCI moves");
                uci.to_move(&sample.shakmaty).expect("shakmaty has the move")
            });
            all.cozy.push((sample.cozy.clone(), cozy.collect()));
            all.shakmaty.push((sample.shakmaty.clone(), shakmaty.collect()));
            all.tabiya.push((sample.tabiya.clone(), moves.to_vec()));
        }
        all
    }
}

/// Returns the positions of the two perft suites that every crate accepts.
pub(crate) fn suite_positions() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/perft");
    let mut samples = Vec::new();
    for name in ["standard.epd", "fischer1000.epd"] {
        let path = folder.join(name);
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        samples.extend(lines.filter_map(|line| Sample::new(line.split(';').next()?)));
    }
    assert!(samples.len() > 1_000, "only {} positions to measure on", samples.len());
    samples
}
