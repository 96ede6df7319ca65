//! The result that stands at the end of a game's text.

use crate::game::Game;
use crate::outcome::{DrawReason, Outcome, WinReason};
use tabiya_core::Color;
use tabiya_core::notation::GameResult;

/// Words of the `Termination` tag that tell that a side's time is up.
const TIME: &[&str] = &["time", "timed", "timeout", "clock"];

/// Words of the `Termination` tag that tell that a side broke the rules or stopped playing.
const FORFEIT: &[&str] = &[
    "abandoned", "abandonment", "death", "disconnect", "disconnected", "disconnects", "emergency", "forfeit",
    "forfeited", "forfeits", "illegal", "infraction", "rules", "stalled",
];

/// Words of the `Termination` tag that tell that an arbiter or a referee program has decided.
const ADJUDICATION: &[&str] = &["adjudicated", "adjudication"];

impl Game {
    /// Declares a recorded result unless it is unknown or the game has ended by a rule, which a wrong result does not change.
    /// `termination` is the tag of PGN, which tells the reason.
    pub(crate) fn declare_result(&mut self, result: GameResult, termination: Option<&str>) {
        if result == GameResult::Unknown || self.outcome_by_rule().is_some() {
            return;
        }
        let termination = reason(termination.unwrap_or_default()).to_ascii_lowercase();
        let words = termination.split(|c: char| !c.is_alphanumeric());
        let mentions = |reasons: &[&str]| words.clone().any(|word| reasons.contains(&word));
        let win = |winner| {
            let reason = if mentions(TIME) {
                WinReason::Time
            } else if mentions(FORFEIT) {
                WinReason::Forfeit
            } else if mentions(ADJUDICATION) {
                WinReason::Adjudication
            } else {
                WinReason::Resignation
            };
            Outcome::Win { winner, reason }
        };
        self.end(match result {
            GameResult::WhiteWins => win(Color::White),
            GameResult::BlackWins => win(Color::Black),
            _ => {
                let reason = if mentions(TIME) {
                    DrawReason::Time
                } else if mentions(ADJUDICATION) {
                    DrawReason::Adjudication
                } else {
                    self.claimable_draw().unwrap_or(DrawReason::Agreement)
                };
                Outcome::Draw { reason }
            }
        });
    }
}

/// The part of a `Termination` tag that tells the reason. Before ` won ` and ` drawn ` stands the name of a player, which may be
/// any word.
fn reason(termination: &str) -> &str {
    let after = |verb| termination.rsplit_once(verb).map(|(_, reason)| reason);
    after(" won ").or_else(|| after(" drawn ")).unwrap_or(termination)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn names_of_players_are_no_reason() {
        for (termination, outcome) in [
            ("overtime99 won by resignation", "resignation"),
            ("death rules won by checkmate", "resignation"),
            ("clock won on time", "time"),
            ("Time Lord won - game abandoned", "forfeit"),
            ("timeless resigns", "resignation"),
            ("Time forfeit", "time"),
            ("timed-out", "time"),
            ("illegal move", "forfeit"),
            ("stalled connection", "forfeit"),
            ("White disconnects", "forfeit"),
            ("Rules infraction", "forfeit"),
            ("adjudication", "adjudication"),
        ] {
            let mut game = Game::new();
            game.declare_result(GameResult::BlackWins, Some(termination));
            let expected = alloc::format!("0-1 ({outcome})");
            assert_eq!(game.outcome().map(|outcome| outcome.to_string()), Some(expected), "{termination}");
        }
        let mut game = Game::new();
        game.declare_result(GameResult::Draw, Some("Game drawn by timeout vs insufficient material"));
        assert_eq!(game.outcome(), Some(Outcome::Draw { reason: DrawReason::Time }));
    }
}
