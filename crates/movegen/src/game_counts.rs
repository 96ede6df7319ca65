//! Numbers of games by result. Without PGN, so that tables of openings can use them.

use tabiya_core::notation::GameResult;

/// The number of games that reach a position, by result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameCounts {
    /// Games that White has won.
    pub white_wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games that Black has won.
    pub black_wins: u32,
    /// Games without a result.
    pub unknown: u32,
}

impl GameCounts {
    /// The number of games, at most [`u32::MAX`].
    pub const fn total(self) -> u32 {
        self.white_wins
            .saturating_add(self.draws)
            .saturating_add(self.black_wins)
            .saturating_add(self.unknown)
    }

    /// White's score as a fraction from 0 to 1, without games that have no result; `None` if there are no others.
    pub fn white_score(self) -> Option<f64> {
        let points = f64::from(self.white_wins) + f64::from(self.draws) / 2.0;
        let games = f64::from(self.white_wins) + f64::from(self.draws) + f64::from(self.black_wins);
        (games > 0.0).then(|| points / games)
    }

    /// Adds a game with this result.
    pub const fn add(&mut self, result: GameResult) {
        let count = match result {
            GameResult::WhiteWins => &mut self.white_wins,
            GameResult::Draw => &mut self.draws,
            GameResult::BlackWins => &mut self.black_wins,
            GameResult::Unknown => &mut self.unknown,
        };
        *count = count.saturating_add(1);
    }
}
