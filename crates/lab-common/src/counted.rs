//! Counts in messages.

/// Returns a count with its noun, whose plural ends in `s`: `1 game`, `1200 games`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_no_plural() {
        assert_eq!(
            [0, 1, 1200].map(|count: u64| counted(count, "game")),
            ["0 games", "1 game", "1200 games"]
        );
    }
}
