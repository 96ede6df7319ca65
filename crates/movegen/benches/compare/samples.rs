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
