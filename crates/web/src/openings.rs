//! Names of openings, by position.

use serde::Serialize;
use std::collections::HashMap;
use std::sync::OnceLock;
use tabiya_core::Key;
use tabiya_movegen::Game;

/// The named openings: ECO code, name and moves of each, separated by tabs.
///
/// From <https://github.com/lichess-org/chess-openings>, in the public domain (CC0).
const TABLE: &str = include_str!("../data/openings.tsv");

/// Number of plies after which no opening is named any more.
const MAX_PLIES: usize = 40;

/// A named opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Opening {
    /// The code in the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// The name.
    pub name: &'static str,
}

/// The opening that a game has reached: that of the last position with a name.
pub(crate) fn find(game: &Game) -> Option<&'static Opening> {
    let openings = by_position();
    let keys: Vec<Key> = game.keys().take(MAX_PLIES + 1).collect();
    keys.iter().rev().find_map(|key| openings.get(key))
}

fn by_position() -> &'static HashMap<Key, Opening> {
    static OPENINGS: OnceLock<HashMap<Key, Opening>> = OnceLock::new();
    OPENINGS.get_or_init(|| TABLE.lines().filter_map(parse).collect())
}

/// Parses a line of the table. `None` if it is invalid.
fn parse(line: &'static str) -> Option<(Key, Opening)> {
    let mut fields = line.split('\t');
    let (eco, name, moves) = (fields.next()?, fields.next()?, fields.next()?);
    let mut game = Game::new();
    for san in moves.split_whitespace().filter(|token| !token.ends_with('.')) {
        game.play_san(san).ok()?;
    }
    Some((game.position().key(), Opening { eco, name }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_valid() {
        assert_eq!(TABLE.lines().find(|line| parse(line).is_none()), None);
        assert!(by_position().len() > 3000);
    }

    #[test]
    fn openings_are_named_by_position() {
        let name = |moves: &str| {
            let mut game = Game::new();
            moves.split_whitespace().for_each(|mv| assert!(game.play_san(mv).is_ok()));
            find(&game).map(|opening| (opening.eco, opening.name))
        };
        assert_eq!(name(""), None);
        assert_eq!(name("e4 c5"), Some(("B20", "Sicilian Defense")));
        // A transposition, and moves after the last named position.
        assert_eq!(name("d4 e6 e4 d5"), name("e4 e6 d4 d5"));
        assert_eq!(
            name("e4 c5 a4 a5 h4 h5").map(|(_, name)| name.starts_with("Sicilian Defense")),
            Some(true)
        );
    }
}
