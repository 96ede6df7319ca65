//! Mate searches of positions with a known distance to mate.

use std::sync::Arc;
use tabiya_core::Epd;
use tabiya_movegen::{Game, Position};
use tabiya_search::{Engine, Info, Limits, Options, Score, SearchEvent, TablebaseOptions};
use tabiya_syzygy::Tablebases;

/// Returns the positions with their number of moves to mate.
fn suite() -> Vec<(Position, u32)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/mate/mates.epd");
    let text = std::fs::read_to_string(path).expect("the mate suite of the test data");
    Epd::parse_lines(&text)
        .map(|(number, epd)| {
            let epd = epd.unwrap_or_else(|error| panic!("line {number}: {error}"));
            let moves = epd.direct_mate().unwrap_or_else(|| panic!("line {number}: no dm"));
            (Position::new(epd.board).expect("a legal position"), moves)
        })
        .collect()
}

#[test]
fn finds_every_mate_with_its_shortest_line() {
    let mut engine = Engine::new(Options::default()).expect("enough memory");
    let suite = suite();
    assert!(suite.len() >= 140);
    for (position, moves) in suite {
        engine.clear();
        let limits = Limits::default().with_mate(moves);
        let search = engine.go(&Game::from_position(position.clone()), limits);
        let infos = search.events().filter_map(|event| match event {
            SearchEvent::Info(info) => Some(info),
            _ => None,
        });
        let Info { score, pv, .. } = infos.last().expect("at least one report");
        assert_eq!(score, Score::Mate(moves as i32), "{position}");
        assert_eq!(pv.len(), 2 * moves as usize - 1, "{position}");
        let end = pv.iter().fold(position.clone(), |position, &mv| position.play(mv).expect("a legal line"));
        assert!(end.is_checkmate(), "{position}: {pv:?}");
    }
}

/// After a repetition, the tablebases' ranks prefer moves that make progress, here that of the pawn.
#[test]
fn finds_a_mate_after_a_repetition_with_tablebases() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
    let tables = Tablebases::open(&[path]).expect("the tables of the test data");
    let mut engine = Engine::new(Options::default().with_hash_mb(2)).expect("enough memory");
    engine.set_tablebases(TablebaseOptions::default().with_tables(Some(Arc::new(tables))));
    let position = "7k/8/4K3/8/8/8/P7/6Q1 w - - 0 1".parse().expect("a position");
    let mut game = Game::from_position(position);
    for mv in ["g1g2", "h8h7", "g2g1", "h7h8"] {
        game.play_uci(mv).expect("a legal move");
    }
    let answer = engine.go(&game, Limits::default().with_mate(2)).answer();
    assert_eq!(answer.score(), Score::Mate(2));
}
