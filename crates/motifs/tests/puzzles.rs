//! Precision and recall of the motifs on a sample of Lichess's puzzles. `examples/measure.rs` measures all of them.

use std::collections::BTreeSet;
use tabiya_motifs::{Line, Motif, motifs};
use tabiya_movegen::Game;

/// The motifs that must be as reliable as a person's judgement.
const RELIABLE: [Motif; 18] = [
    Motif::Fork,
    Motif::Pin,
    Motif::Skewer,
    Motif::DiscoveredAttack,
    Motif::DoubleCheck,
    Motif::HangingPiece,
    Motif::TrappedPiece,
    Motif::BackRankMate,
    Motif::SmotheredMate,
    Motif::Promotion,
    Motif::Deflection,
    Motif::Attraction,
    Motif::Sacrifice,
    Motif::MateIn1,
    Motif::MateIn2,
    Motif::MateIn3,
    Motif::MateIn4,
    Motif::MateIn5,
];

#[test]
fn motifs_agree_with_the_themes_of_puzzles() {
    let text = include_str!("../../../tests/data/motifs/puzzles.tsv");
    let mut counts = [[0_u32; 3]; RELIABLE.len()];
    for row in text.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let mut game = Game::from_fen(fields[1]).unwrap();
        for uci in fields[2].split(' ') {
            game.play_uci(uci).unwrap();
        }
        let start = game.start().clone();
        let side = !start.side_to_move();
        let line = Line::new(start, game.moves(), side).unwrap();
        let found: BTreeSet<Motif> = motifs(&line).iter().map(|finding| finding.motif).collect();
        for (motif, [hits, wrong, missed]) in RELIABLE.iter().zip(&mut counts) {
            match (found.contains(motif), fields[6].split(' ').any(|theme| theme == motif.theme())) {
                (true, true) => *hits += 1,
                (true, false) => *wrong += 1,
                (false, true) => *missed += 1,
                (false, false) => {}
            }
        }
    }
    // The whole set has a recall of at least 87 %; some of the samples are small.
    for (motif, [hits, wrong, missed]) in RELIABLE.iter().zip(counts) {
        assert!(hits >= 20, "{motif:?}: too few puzzles");
        assert!(10 * hits >= 9 * (hits + wrong), "{motif:?}: precision, {hits} hits, {wrong} wrong");
        assert!(4 * hits >= 3 * (hits + missed), "{motif:?}: recall, {hits} hits, {missed} missed");
    }
}

#[test]
fn a_line_names_its_illegal_move() {
    let mut game = Game::new();
    for san in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"] {
        game.play_san(san).unwrap();
    }
    let mut moves = game.moves().to_vec();
    let start = game.start().clone();
    assert!(Line::new(start.clone(), &moves, tabiya_core::Color::White).is_ok());
    moves.swap(0, 4);
    let error = Line::new(start.clone(), &moves, tabiya_core::Color::White).unwrap_err();
    assert_eq!((error.ply, error.to_string().as_str()), (0, "move 1 of the line is illegal"));
    // Nothing was played.
    assert!(motifs(&Line::new(start, &[], tabiya_core::Color::Black).unwrap()).is_empty());
}
