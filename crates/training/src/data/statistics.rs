//! Counts of games and positions.

use anyhow::Result;
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use tabiya_core::{Color, Key, Square};
use tabiya_eval::handcrafted::Phase;
use tabiya_lab_common::games::{EndReason, Origin, RawGame, Selection, score};

/// Width of a bucket of the score histogram, in centipawns.
pub(super) const SCORE_BUCKET: i32 = 100;
/// Buckets of the score histogram on either side of 0; the outermost include all larger scores.
pub(super) const SCORE_BUCKETS: i32 = 15;
/// Width of a bucket of the game lengths, in plies.
pub(super) const LENGTH_BUCKET: usize = 20;
/// Buckets of the game lengths; the last includes all longer games.
pub(super) const LENGTH_BUCKETS: usize = 21;
/// Number of game phases.
const PHASES: usize = 25;
/// Most hashes of positions in memory.
const MAX_HASHES: usize = 1 << 22;

/// Counts of games and positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Statistics {
    pub(super) games: u64,
    /// Games lost, drawn and won by White.
    pub(super) results: [u64; 3],
    /// Games by [`Origin`].
    pub(super) origins: [u64; Origin::ALL.len()],
    /// Games by [`EndReason`].
    pub(super) endings: [u64; EndReason::ALL.len()],
    /// Games by length in plies, without the random moves.
    pub(super) lengths: Vec<u64>,
    pub(super) positions: u64,
    /// Positions of the default selection for training.
    pub(super) selected: u64,
    pub(super) in_check: u64,
    /// Positions with a mate score.
    pub(super) mates: u64,
    /// Positions by game phase, from pawn endings to the full set of pieces.
    pub(super) phases: Vec<u64>,
    /// Positions by White's score, lowest score first. Mates are in the outermost buckets.
    pub(super) scores: Vec<u64>,
    /// Positions by the square of the king of the side to move, seen from that side, a1 first.
    pub(super) own_king: Vec<u64>,
    /// The same for the opponent's king.
    pub(super) other_king: Vec<u64>,
    pub(super) duplicates: Duplicates,
}

/// The share of positions that occurred before, ignoring the halfmove clock and the move number.
///
/// The hashes of many positions do not fit into memory. Once they are too many, only those that are multiples of
/// `interval` are counted, and the interval is doubled as often as necessary.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Duplicates {
    /// One in this many different positions is counted.
    pub(super) interval: u64,
    pub(super) counted: u64,
    pub(super) repeated: u64,
    #[serde(skip)]
    seen: HashSet<Key, BuildHasherDefault<KeyHasher>>,
    #[serde(skip)]
    limit: usize,
}

/// The hash of a Zobrist key: its halves exchanged, since `interval` decides the low bits.
#[derive(Clone, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key.rotate_left(32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Duplicates {
    fn new(limit: usize) -> Duplicates {
        Duplicates { interval: 1, counted: 0, repeated: 0, seen: HashSet::default(), limit }
    }

    fn add(&mut self, key: Key) {
        if !key.is_multiple_of(self.interval) {
            return;
        }
        self.counted += 1;
        self.repeated += u64::from(!self.seen.insert(key));
        if self.seen.len() > self.limit {
            // The counts of the larger sample stay, as an estimate of the same share would from now on.
            self.interval *= 2;
            self.seen.retain(|key| key.is_multiple_of(self.interval));
            self.counted /= 2;
            self.repeated /= 2;
        }
    }

    /// The share of repeated positions.
    pub(super) fn share(&self) -> f64 {
        self.repeated as f64 / self.counted.max(1) as f64
    }
}

impl Default for Statistics {
    fn default() -> Statistics {
        Statistics {
            games: 0,
            results: [0; 3],
            origins: [0; Origin::ALL.len()],
            endings: [0; EndReason::ALL.len()],
            lengths: vec![0; LENGTH_BUCKETS],
            positions: 0,
            selected: 0,
            in_check: 0,
            mates: 0,
            phases: vec![0; PHASES],
            scores: vec![0; 2 * SCORE_BUCKETS as usize + 1],
            own_king: vec![0; Square::COUNT],
            other_king: vec![0; Square::COUNT],
            duplicates: Duplicates::new(MAX_HASHES),
        }
    }
}

/// Counts of some games, which several threads can make, and the keys of their positions.
#[derive(Default)]
pub(super) struct Part {
    statistics: Statistics,
    keys: Vec<Key>,
}

impl Part {
    /// Adds a game.
    ///
    /// # Errors
    /// If it is damaged.
    pub(super) fn add(&mut self, game: &RawGame) -> Result<()> {
        let replay = game.replay()?;
        let selection = Selection::default();
        let mut choice = selection.choice(&replay, game.identity());
        let counts = &mut self.statistics;
        counts.games += 1;
        counts.results[usize::from(replay.half_points.min(2))] += 1;
        counts.origins[replay.origin as usize] += 1;
        counts.endings[replay.end_reason as usize] += 1;
        counts.lengths[(replay.len() / LENGTH_BUCKET).min(LENGTH_BUCKETS - 1)] += 1;
        counts.positions += replay.len() as u64;
        replay.play(|position, index, scored| {
            let board = position.board();
            let us = board.side_to_move();
            // Each king is seen from its own side.
            let king = |color: Color| board.king(color).relative_to(color).index();
            counts.selected += u64::from(choice.takes(position, index, scored));
            counts.in_check += u64::from(position.in_check());
            counts.mates += u64::from(score::is_mate(scored.score));
            counts.phases[usize::from(Phase::of(board).get()).min(PHASES - 1)] += 1;
            counts.scores[score_bucket(scored.score)] += 1;
            counts.own_king[king(us)] += 1;
            counts.other_king[king(!us)] += 1;
            self.keys.push(board.key());
        })?;
        Ok(())
    }
}

impl Statistics {
    /// Adds the counts of some games.
    pub(super) fn add(&mut self, part: &Part) {
        let Part { statistics: other, keys } = part;
        self.games += other.games;
        self.positions += other.positions;
        self.selected += other.selected;
        self.in_check += other.in_check;
        self.mates += other.mates;
        for (counts, others) in [
            (&mut self.results[..], &other.results[..]),
            (&mut self.origins, &other.origins),
            (&mut self.endings, &other.endings),
            (&mut self.lengths, &other.lengths),
            (&mut self.phases, &other.phases),
            (&mut self.scores, &other.scores),
            (&mut self.own_king, &other.own_king),
            (&mut self.other_king, &other.other_king),
        ] {
            counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        }
        keys.iter().for_each(|&key| self.duplicates.add(key));
    }

    /// Returns the result that all games have, if it is the same.
    pub(super) fn only_result(&self) -> Option<&'static str> {
        let names = ["a Black win", "a draw", "a White win"];
        names
            .into_iter()
            .zip(self.results)
            .find(|&(_, count)| count == self.games && count > 0)
            .map(|(name, _)| name)
    }
}

/// Index of a score in the histogram: the bucket around each multiple of the width.
fn score_bucket(score: i16) -> usize {
    let rounding = SCORE_BUCKET / 2 * i32::from(score.signum());
    let bucket = ((i32::from(score) + rounding) / SCORE_BUCKET).clamp(-SCORE_BUCKETS, SCORE_BUCKETS);
    (bucket + SCORE_BUCKETS) as usize
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tabiya_lab_common::games::GameRecord;
    use tabiya_lab_common::games::test_games::random_games;

    /// The statistics of these games, counted in parts.
    pub(in crate::data) fn statistics_of(games: &[GameRecord]) -> Statistics {
        let mut statistics = Statistics::default();
        for games in games.chunks(7) {
            let mut part = Part::default();
            for game in games {
                part.add(&RawGame { offset: 0, bytes: game.to_bytes() }).unwrap();
            }
            statistics.add(&part);
        }
        statistics
    }

    #[test]
    fn counts_are_consistent() {
        let games = random_games(40, 15);
        let statistics = statistics_of(&games);
        let positions: usize = games.iter().map(|game| game.moves.len()).sum();
        assert_eq!((statistics.games, statistics.positions), (40, positions as u64));
        let Statistics { results, origins, endings, lengths, phases, scores, own_king, other_king, .. } =
            &statistics;
        for games in [&results[..], origins, endings, lengths] {
            assert_eq!(games.iter().sum::<u64>(), 40);
        }
        for counts in [phases, scores, own_king, other_king] {
            assert_eq!(counts.iter().sum::<u64>(), positions as u64);
        }
        assert!(statistics.selected < statistics.positions && statistics.in_check > 0);
        assert_eq!(statistics.only_result(), None);
        assert_eq!(Statistics { results: [0, 40, 0], ..statistics }.only_result(), Some("a draw"));
    }

    #[test]
    fn scores_are_rounded_to_buckets() {
        let middle = SCORE_BUCKETS as usize;
        for (score, bucket) in
            [(0, 0), (49, 0), (-49, 0), (50, 1), (-51, -1), (1500, 15), (32_000, 15), (i16::MIN, -15)]
        {
            assert_eq!(score_bucket(score), middle.strict_add_signed(bucket), "{score}");
        }
    }

    #[test]
    fn duplicates_are_estimated_in_bounded_memory() {
        let mut random = tabiya_core::SplitMix64::new(1);
        let keys: Vec<u64> = (0..100_000).map(|_| random.next_u64()).collect();
        let mut exact = Duplicates::new(1_000_000);
        let mut estimated = Duplicates::new(1000);
        // Every other position occurs twice.
        for (index, &key) in keys.iter().enumerate() {
            for _ in 0..1 + index % 2 {
                exact.add(key);
                estimated.add(key);
            }
        }
        assert!((exact.share() - 1.0 / 3.0).abs() < 1e-4);
        assert!((estimated.share() - 1.0 / 3.0).abs() < 0.05, "{}", estimated.share());
        assert!(estimated.interval > 50 && estimated.seen.len() <= 1000);
    }
}
