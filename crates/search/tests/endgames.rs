//! Endgames of theory, which the engine plays against itself with few nodes per move.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabiya_core::{Color, Epd};
use tabiya_movegen::{Game, Outcome, Position};
use tabiya_search::{Engine, Limits, Options, TablebaseOptions};
use tabiya_syzygy::Tablebases;

/// Nodes per move.
const NODES: u64 = 20_000;
/// Plies after which a game without a result counts as drawn.
const MAX_PLIES: usize = 120;

fn test_data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(path)
}

/// An endgame with its winner by theory, or `None` for a draw.
struct Endgame {
    id: String,
    position: Position,
    winner: Option<Color>,
}

fn endgames() -> Vec<Endgame> {
    let text = std::fs::read_to_string(test_data("endgames/theory.epd")).expect("the endgames");
    Epd::parse_lines(&text)
        .map(|(number, epd)| {
            let epd = epd.unwrap_or_else(|error| panic!("line {number}: {error}"));
            let winner = match epd.comment(0) {
                Some("1-0") => Some(Color::White),
                Some("0-1") => Some(Color::Black),
                Some("1/2-1/2") => None,
                result => panic!("line {number}: result {result:?}"),
            };
            let id = epd.id().unwrap_or_else(|| panic!("line {number}: no id")).to_owned();
            Endgame { id, position: Position::new(epd.board).expect("a legal position"), winner }
        })
        .collect()
}

/// Plays the position to its end and returns the winner. A game ends as soon as a draw may be claimed.
fn play(engine: &mut Engine, game: &mut Game) -> Option<Color> {
    engine.clear();
    while game.moves().len() < MAX_PLIES && game.claimable_draw().is_none() {
        match game.outcome() {
            Some(Outcome::Win { winner, .. }) => return Some(winner),
            Some(Outcome::Draw { .. }) => return None,
            _ => {}
        }
        let best = engine.go(game, Limits::nodes(NODES)).answer().best;
        game.play(best.expect("a legal move")).expect("a legal move");
    }
    None
}

/// Plays these endgames and reports all that do not end as theory says.
fn check(mut engine: Engine, endgames: &[Endgame]) {
    let mut failures = Vec::new();
    for Endgame { id, position, winner } in endgames {
        let mut game = Game::from_position(position.clone());
        let result = play(&mut engine, &mut game);
        if result != *winner {
            let (end, plies) = (game.position(), game.moves().len());
            failures
                .push(format!("{id}: winner {result:?} instead of {winner:?} after {plies} plies: {end}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn engine() -> Engine {
    Engine::new(Options::default().with_hash_mb(2)).expect("enough memory")
}

#[test]
fn endgames_end_as_theory_says() {
    let endgames = endgames();
    let is_win = |endgame: &&Endgame| endgame.winner.is_some();
    let wins = endgames.iter().filter(is_win).count();
    assert!(wins > 0 && wins < endgames.len());
    check(engine(), &endgames);
}

/// Plays the endgames of up to four pieces, the most for which the test data has tables.
#[test]
fn endgames_with_tablebases_end_as_theory_says() {
    let tables = Tablebases::open(&[test_data("syzygy")]).expect("the tables of the test data");
    let mut engine = engine();
    engine.set_tablebases(TablebaseOptions::default().with_tables(Some(Arc::new(tables))));
    let mut endgames = endgames();
    endgames.retain(|endgame| endgame.position.occupied().count() <= 4);
    assert!(!endgames.is_empty());
    check(engine, &endgames);
}
