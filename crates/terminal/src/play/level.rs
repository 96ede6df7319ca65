//! The level of the engine in words.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_name() {
        assert_eq!(describe(None), "full strength");
        assert_eq!(describe(Some(800)), "800 Elo (beginner)");
        assert_eq!(describe(Some(1500)), "1500 Elo (club player)");
        assert_eq!(describe(Some(2800)), "2800 Elo (grandmaster)");
        assert!(NAMES.is_sorted());
    }
}
