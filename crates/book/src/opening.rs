//! Names of openings, by position.

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
///
/// The names are those of Lichess: about 3,500, as plain data within the library. The first use replays their moves,
/// which takes some milliseconds.
///
/// ```
/// use tabiya_book::Opening;
/// use tabiya_movegen::Game;
///
/// let mut game = Game::new();
/// for san in ["Nf3", "c5", "e4", "h6"] {
///     game.play_san(san)?;
/// }
/// let opening = Opening::of(&game).expect("a named opening, by transposition");
/// assert_eq!((opening.eco, opening.name), ("B27", "Sicilian Defense: Bücker Variation"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Opening {
    /// The code in the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// The name.
    pub name: &'static str,
}

impl Opening {
    /// Returns the opening that a game has reached: that of the last of its first 41 positions that has a name. Moves after
    /// that do not change it, and transpositions are found.
    pub fn of(game: &Game) -> Option<Opening> {
        let openings = by_position();
        game.keys().take(MAX_PLIES + 1).filter_map(|key| openings.get(&key)).next_back().copied()
    }
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
            Opening::of(&game).map(|opening| (opening.eco, opening.name))
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
