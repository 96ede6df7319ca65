//! Statistics of a data file.

use super::file::StoredGame;
use super::packed::Sample;
use anyhow::{Result, anyhow};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt;
use tabiya_eval::handcrafted::Phase;

/// Width of a bucket of the score histogram, in centipawns.
const SCORE_BUCKET: i32 = 100;
/// Buckets of the score histogram on either side of 0; the outermost include all larger scores.
const SCORE_BUCKETS: i32 = 10;
/// Width of a bucket of the game-phase histogram.
const PHASE_BUCKET: u8 = 4;

/// Counts of games and positions.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(super) struct Statistics {
    pub(super) games: u64,
    plies: u64,
    /// Games lost, drawn and won by White.
    results: [u64; 3],
    pub(super) positions: u64,
    /// Positions that occurred before, ignoring the halfmove clock and the move number.
    duplicates: u64,
    /// Positions by game phase, from pawn endings to the full set of pieces.
    phases: [u64; 7],
    /// Positions by White's score, lowest score first.
    scores: Vec<u64>,
    #[serde(skip)]
    keys: HashSet<u64>,
}

impl Statistics {
    /// Adds a game.
    ///
    /// # Errors
    /// If one of its positions cannot be unpacked.
    pub(super) fn add(&mut self, game: &StoredGame) -> Result<()> {
        self.games += 1;
        self.plies += u64::from(game.plies);
        self.results[usize::from(game.half_points.min(2))] += 1;
        self.scores.resize(2 * SCORE_BUCKETS as usize + 1, 0);
        for bytes in &game.samples {
            let sample =
                Sample::from_bytes(bytes).map_err(|error| anyhow!("game {}: {error}", game.number))?;
            let board = sample.position.board();
            self.positions += 1;
            self.duplicates += u64::from(!self.keys.insert(board.key()));
            self.phases[usize::from(Phase::of(board).get() / PHASE_BUCKET)] += 1;
            let rounding = SCORE_BUCKET / 2 * i32::from(sample.score.signum());
            let bucket =
                ((i32::from(sample.score) + rounding) / SCORE_BUCKET).clamp(-SCORE_BUCKETS, SCORE_BUCKETS);
            self.scores[(bucket + SCORE_BUCKETS) as usize] += 1;
        }
        Ok(())
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.games.max(1) as f64;
        let [losses, draws, wins] = self.results;
        writeln!(f, "Games      {}, {:.0} plies on average", self.games, self.plies as f64 / games)?;
        writeln!(f, "Results    {wins} White wins, {draws} draws, {losses} Black wins")?;
        let per_game = self.positions as f64 / games;
        writeln!(f, "Positions  {}, {per_game:.1} per game, {} duplicates", self.positions, self.duplicates)?;
        let percent = |count: u64| 100.0 * count as f64 / self.positions.max(1) as f64;
        writeln!(f, "\nphase      positions")?;
        for (bucket, &count) in (0..).zip(&self.phases) {
            let first = PHASE_BUCKET * bucket;
            let range = format!("{first}-{}", (first + PHASE_BUCKET - 1).min(Phase::MIDDLEGAME.get()));
            writeln!(f, "{range:<8} {count:>11} {:>5.1} %", percent(count))?;
        }
        writeln!(f, "\nWhite's score (pawns)")?;
        for (bucket, &count) in (-SCORE_BUCKETS..).zip(&self.scores) {
            writeln!(
                f,
                "{:<+8.1} {count:>11} {:>5.1} %",
                f64::from(bucket * SCORE_BUCKET) / 100.0,
                percent(count)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_movegen::Position;

    #[test]
    fn counts_games_and_positions() {
        let sample = |fen: &str, score| {
            Sample { position: Position::from_fen(fen).unwrap(), score, half_points: 2 }.to_bytes()
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let samples = vec![
            sample(start, 49),
            sample("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 9", -49),
            sample("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 5000),
            sample("4k3/8/8/8/8/8/R7/4K3 b - - 0 1", -151),
        ];
        let game = StoredGame { number: 4, plies: 80, half_points: 2, samples };
        let mut statistics = Statistics::default();
        statistics.add(&game).unwrap();
        statistics.add(&StoredGame { plies: 20, half_points: 1, ..StoredGame::default() }).unwrap();
        assert_eq!((statistics.games, statistics.positions, statistics.duplicates), (2, 4, 1));
        assert_eq!(statistics.results, [0, 1, 1]);
        assert_eq!(statistics.phases, [2, 0, 0, 0, 0, 0, 2]);
        assert_eq!((statistics.scores[8], statistics.scores[10], statistics.scores[20]), (1, 2, 1));
        let text = statistics.to_string();
        assert!(text.contains("2, 50 plies") && text.contains("24-24"), "{text}");

        let broken = StoredGame { number: 9, samples: vec![[0; 32]], ..StoredGame::default() };
        let error = Statistics::default().add(&broken).unwrap_err().to_string();
        assert!(error.starts_with("game 9: "), "{error}");
    }
}
