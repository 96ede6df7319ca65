//! Games of groups of players.

use std::fmt;
use std::str::FromStr;
use tabiya_core::Move;
use tabiya_core::notation::{Next, TagToken};
use tabiya_movegen::{GameVisitor, Position, ReplayError};

/// A range of ratings, `LOW..HIGH`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RatingRange {
    low: u16,
    high: u16,
}

impl FromStr for RatingRange {
    type Err = String;

    fn from_str(text: &str) -> Result<RatingRange, String> {
        let parsed =
            text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        match parsed {
            Some((low, high)) if low <= high => Ok(RatingRange { low, high }),
            _ => Err(format!("{text:?} is not a range of ratings; expected LOW..HIGH, as in 1100..1300")),
        }
    }
}

impl fmt::Display for RatingRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}

/// A game with the groups of its players.
pub(super) struct StyleGame {
    /// The group of White and of Black; `None` if the player belongs to none.
    pub(super) groups: [Option<String>; 2],
    pub(super) moves: Vec<Move>,
}

/// Collects the games from the standard start position in which a player of a group plays.
pub(super) struct Collector<'a> {
    /// File name for messages.
    file: String,
    ranges: &'a [RatingRange],
    names: [Option<String>; 2],
    ratings: [Option<u16>; 2],
    is_standard: bool,
    moves: Vec<Move>,
}

impl<'a> Collector<'a> {
    /// Creates a collector for groups of ratings, or of names if there are no ranges.
    pub(super) fn new(file: &str, ranges: &'a [RatingRange]) -> Collector<'a> {
        Collector {
            file: file.to_owned(),
            ranges,
            names: [None, None],
            ratings: [None, None],
            is_standard: true,
            moves: Vec::new(),
        }
    }

    fn group(&self, color: usize) -> Option<String> {
        if self.ranges.is_empty() {
            return self.names[color].clone();
        }
        let rating = self.ratings[color]?;
        self.ranges.iter().find(|range| (range.low..=range.high).contains(&rating)).map(ToString::to_string)
    }
}

impl GameVisitor for Collector<'_> {
    type Output = Option<StyleGame>;

    fn begin_game(&mut self) {
        self.names = [None, None];
        self.ratings = [None, None];
        self.is_standard = true;
        self.moves.clear();
    }

    fn tag(&mut self, tag: TagToken<'_>) -> Next {
        let value = tag.value();
        match tag.name_bytes() {
            b"White" => self.names[0] = Some(value.to_string()),
            b"Black" => self.names[1] = Some(value.to_string()),
            b"WhiteElo" => self.ratings[0] = value.parse().ok(),
            b"BlackElo" => self.ratings[1] = value.parse().ok(),
            _ => {}
        }
        Next::Read
    }

    fn start(&mut self, position: &Position) -> Next {
        self.is_standard = *position == Position::startpos();
        if self.is_standard { Next::Read } else { Next::Skip }
    }

    fn play(&mut self, _: &Position, mv: Move) -> Next {
        self.moves.push(mv);
        Next::Read
    }

    fn error(&mut self, error: ReplayError) -> Next {
        // Unknown tokens are skipped. The moves before an illegal one are counted.
        eprintln!("{}: {error}", self.file);
        Next::Read
    }

    fn end_game(&mut self, _: &Position) -> Option<StyleGame> {
        let groups = [self.group(0), self.group(1)];
        let is_wanted = self.is_standard && groups.iter().any(Option::is_some) && !self.moves.is_empty();
        is_wanted.then(|| StyleGame { groups, moves: std::mem::take(&mut self.moves) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed() {
        assert_eq!("1100..1300".parse(), Ok(RatingRange { low: 1100, high: 1300 }));
        for text in ["", "1100", "1300..1100", "a..b", "1..", "1100...1300", "1..99999"] {
            assert!(text.parse::<RatingRange>().is_err(), "{text}");
        }
    }
}
