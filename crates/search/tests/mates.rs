//! Mate searches of positions with a known distance to mate.

use tabiya_core::Epd;
use tabiya_movegen::{Game, Position};
use tabiya_search::{Engine, Info, Limits, Options, Score, SearchEvent};

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
