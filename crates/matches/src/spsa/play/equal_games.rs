//! Detection of parameters that change nothing.
//!
//! If they do nothing and searches are limited by nodes or depth, both games of a pair have the same moves with the players
//! exchanged, so that every pair is tied.

use crate::spsa::schedule::Parameter;

/// Pairs of equal games after which the parameters are reported.
const REPORTED_PAIRS: u32 = 8;

/// Parameters that the message names.
const NAMED: usize = 3;

/// Counts the pairs of a session until one has different games.
#[derive(Default)]
pub(super) struct EqualGames {
    pairs: u32,
    has_difference: bool,
}

impl EqualGames {
    /// Counts a pair. Returns a message when the first pairs have all had equal games.
    pub(super) fn add(&mut self, equal: bool, parameters: &[Parameter]) -> Option<String> {
        self.has_difference |= !equal;
        self.pairs += 1;
        if self.has_difference || self.pairs != REPORTED_PAIRS {
            return None;
        }
        let names: Vec<&str> =
            parameters.iter().take(NAMED).map(|parameter| parameter.name.as_str()).collect();
        let more = if parameters.len() > NAMED { ", ..." } else { "" };
        Some(format!(
            "all pairs tie because the parameters do nothing: both games of each of the first {REPORTED_PAIRS} pairs have the same \
             moves. Check that the engine uses {}{more} and that the perturbations (c_end) are large enough",
            names.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::schedule::tests::schedule;

    #[test]
    fn only_equal_games_from_the_start_are_reported() {
        let parameters = schedule(1, 0.1).parameters;
        let messages = |pairs: &[bool]| {
            let mut games = EqualGames::default();
            pairs.iter().filter_map(|&equal| games.add(equal, &parameters)).collect::<Vec<_>>()
        };
        assert_eq!(messages(&[true; 7]).len(), 0);
        let reported = messages(&[true; 30]);
        assert_eq!(reported.len(), 1);
        assert!(reported[0].contains(&parameters[0].name), "{}", reported[0]);
        let mut pairs = [true; 30];
        pairs[3] = false;
        assert_eq!(messages(&pairs).len(), 0);
    }
}
