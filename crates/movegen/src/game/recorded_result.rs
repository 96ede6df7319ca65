//! The result that stands at the end of a game's text.

use crate::game::Game;
use crate::outcome::{DrawReason, Outcome, WinReason};
use tabiya_core::Color;
use tabiya_core::notation::GameResult;

impl Game {
    /// Declares a recorded result unless it is unknown or the game has ended by a rule, which a wrong result does not change.
    /// `termination` is the tag of PGN, which tells the reason.
    pub(crate) fn declare_result(&mut self, result: GameResult, termination: Option<&str>) {
        if result == GameResult::Unknown || self.outcome_by_rule().is_some() {
            return;
        }
        let termination = termination.unwrap_or_default().to_ascii_lowercase();
        let mentions = |words: &[&str]| words.iter().any(|&word| termination.contains(word));
        let win = |winner| {
            let reason = if mentions(&["time", "clock"]) {
                WinReason::Time
            } else if mentions(&["rules", "infraction", "abandon", "death", "emergency", "forfeit"]) {
                WinReason::Forfeit
            } else if mentions(&["adjudication"]) {
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
                let reason = if mentions(&["time", "clock"]) {
                    DrawReason::Time
                } else if mentions(&["adjudication"]) {
                    DrawReason::Adjudication
                } else {
                    self.claimable_draw().unwrap_or(DrawReason::Agreement)
                };
                Outcome::Draw { reason }
            }
        });
    }
}
