//! Kinds of start positions.

use std::fmt;
use tabiya_movegen::Position;

/// The kind of start position of a game, before the random moves.
///
/// A new kind is a variant with its name and its positions, all in this file. `datagen --mix` and the statistics have it then. Its code in
/// files of games is its place in [`Origin::ALL`], which has two bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A position from a book, or of a game by another program.
    Other,
    /// The start position of chess.
    Standard,
    /// One of Chess960.
    Chess960,
    /// Independent Chess960 arrangements of the two sides.
    DoubleChess960,
}

impl Origin {
    /// All origins, in the order of their codes.
    pub const ALL: [Origin; 4] = [Origin::Other, Origin::Standard, Origin::Chess960, Origin::DoubleChess960];

    /// The origins whose positions can be [drawn](Origin::draw).
    pub const DRAWN: [Origin; 3] = {
        let [_, drawn @ ..] = Origin::ALL;
        drawn
    };

    /// Returns the name in arguments.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Other => "other",
            Origin::Standard => "standard",
            Origin::Chess960 => "chess960",
            Origin::DoubleChess960 => "double-chess960",
        }
    }

    /// Returns a position by means of random numbers below 960; `None` for [`Origin::Other`] and for larger numbers.
    pub fn draw(self, mut number: impl FnMut() -> u16) -> Option<Position> {
        match self {
            Origin::Other => None,
            Origin::Standard => Some(Position::startpos()),
            Origin::Chess960 => Position::chess960(number()),
            Origin::DoubleChess960 => Position::double_chess960(number(), number()),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Origin::Chess960 => "Chess960",
            Origin::DoubleChess960 => "double Chess960",
            Origin::Other | Origin::Standard => self.name(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_but_other_have_positions() {
        assert_eq!(Origin::Other.draw(|| 0), None);
        for origin in Origin::DRAWN {
            let position = origin.draw(|| 518).expect("a position");
            assert_eq!(position, Position::startpos(), "{origin}");
        }
        assert_eq!(Origin::Chess960.draw(|| 960), None);
    }
}
