//! The level of the engine, in words and as typed.

use std::fmt;
use tabiya_player::{MAX_ELO, MIN_ELO};

/// Names of levels, each with the highest Elo rating that it covers.
const NAMES: [(u16, &str); 8] = [
    (899, "beginner"),
    (1199, "novice"),
    (1499, "casual player"),
    (1799, "club player"),
    (1999, "strong club player"),
    (2199, "expert"),
    (2399, "master"),
    (2599, "international master"),
];

/// The level of an Elo rating, or full strength: `1500 Elo (club player)`.
pub(super) fn describe(elo: Option<u16>) -> String {
    let Some(elo) = elo else { return "full strength".to_owned() };
    let name = NAMES.into_iter().find(|&(highest, _)| elo <= highest).map_or("grandmaster", |(_, name)| name);
    format!("{elo} Elo ({name})")
}

/// The names of the levels with the Elo ratings from which they begin: `800 beginner, 900 novice`.
pub(super) fn names() -> String {
    let starts = [MIN_ELO].into_iter().chain(NAMES.map(|(highest, _)| highest + 1));
    let names = NAMES.map(|(_, name)| name).into_iter().chain(["grandmaster"]);
    starts.zip(names).map(|(elo, name)| format!("{elo} {name}")).collect::<Vec<_>>().join(", ")
}

/// Parses a level: an Elo rating, or `full` for full strength.
///
/// # Errors
/// If the text is neither.
pub(super) fn parse(text: &str) -> Result<Option<u16>, InvalidLevel> {
    if text.eq_ignore_ascii_case("full") {
        return Ok(None);
    }
    let elo = text.parse().ok().filter(|elo| (MIN_ELO..=MAX_ELO).contains(elo));
    elo.map(Some).ok_or(InvalidLevel)
}

/// The text is not a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct InvalidLevel;

impl fmt::Display for InvalidLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Type level and an Elo rating from {MIN_ELO} to {MAX_ELO}, or level full.\nLevels: {}.",
            names()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_levels() {
        assert_eq!((parse("1200"), parse("Full")), (Ok(Some(1200)), Ok(None)));
        for text in ["", "799", "2801", "easy"] {
            assert_eq!(parse(text), Err(InvalidLevel), "{text}");
        }
        assert!(names().starts_with("800 beginner, 900 novice, 1200 casual player, 1500 club player, "));
        assert!(names().ends_with(", 2600 grandmaster"));
    }

    #[test]
    fn every_level_has_a_name() {
        assert_eq!(describe(None), "full strength");
        assert_eq!(describe(Some(800)), "800 Elo (beginner)");
        assert_eq!(describe(Some(1500)), "1500 Elo (club player)");
        assert_eq!(describe(Some(2800)), "2800 Elo (grandmaster)");
        assert!(NAMES.is_sorted());
    }
}
