//! Result counters of a match.

use super::game::{MoveData, PlayedGame};
use super::plan::{GameId, Plan};
use std::collections::BTreeMap;
use std::time::Duration;
use tabiya_core::Color;
use tabiya_lab_common::referee::Termination;

/// Number of moves with separate statistics; later moves are counted under the last one.
const MAX_MOVES: usize = 150;

/// Bars of the score histogram on each side of the middle bar.
pub(crate) const SCORE_BARS: usize = 20;
/// Width of a histogram bar, in centipawns; the outermost bars hold everything beyond.
pub(crate) const SCORE_BAR: i32 = 50;

/// All counters of a match.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Scoreboard {
    /// Number of finished games.
    pub(crate) games: u64,
    /// Results by pairing.
    pub(crate) scores: Vec<Score>,
    /// Games by termination reason.
    pub(crate) reasons: BTreeMap<Termination, u64>,
    /// Statistics by player.
    pub(crate) players: Vec<PlayerStats>,
    /// The finished games, by index.
    #[serde(rename = "coverage")]
    pub(crate) finished: FinishedGames,
}

/// Results of a pairing, from the first player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Score {
    /// Pentanomial counts: complete pairs by points (0, ½, 1, 1½, 2).
    pub(crate) pairs: [u64; 5],
    /// Losses, draws and wins.
    pub(crate) games: [u64; 3],
    /// Losses, draws and wins with White.
    pub(crate) as_white: [u64; 3],
}

/// Statistics of a player.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct PlayerStats {
    /// Games lost by a fault, by reason.
    pub(crate) faults: BTreeMap<Termination, u64>,
    /// Number of warnings: PVs with an illegal move, missing times, exits and failures to end pondering after a game.
    pub(crate) warnings: u64,
    /// Response times and clocks.
    #[serde(default)]
    pub(crate) latency: Latency,
    /// Totals over all moves.
    pub(crate) all: MoveSums,
    /// Totals by move number.
    pub(crate) by_move: Vec<MoveSums>,
    /// Histogram of reported scores, `2 * SCORE_BARS + 1` bars.
    pub(crate) scores: Vec<u64>,
}

/// Response times of an engine with a time limit, in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Latency {
    /// Number of answers to `isready` before moves.
    pub(crate) pings: u64,
    /// Sum of the times between `isready` and `readyok`.
    pub(crate) total: u64,
    /// Longest of these times.
    pub(crate) longest: u64,
    /// Moves that took longer than their limit and did not lose.
    pub(crate) overruns: u64,
    /// Shortest time left on a clock after a move.
    pub(crate) lowest_clock: Option<u64>,
}

/// Totals over moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct MoveSums {
    /// Number of moves.
    pub(crate) moves: u64,
    /// Nodes.
    pub(crate) nodes: u64,
    /// Sum of the depths.
    pub(crate) depth: u64,
    /// Microseconds.
    pub(crate) time: u64,
}

/// Set of finished games. Pairs start in order, so only a few above `frontier` need entries.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct FinishedGames {
    /// All pairs below this index are finished.
    frontier: u64,
    /// First player's half-points in the games of later pairs.
    beyond: BTreeMap<u64, [Option<usize>; 2]>,
}

impl FinishedGames {
    /// Returns the unfinished games of a pair.
    pub(crate) fn missing(&self, pair: u64) -> Vec<usize> {
        if pair < self.frontier {
            return Vec::new();
        }
        let results = self.beyond.get(&pair).copied().unwrap_or_default();
        (0..2).filter(|&game| results[game].is_none()).collect()
    }

    /// Records a result; returns the half-points of the pair if it is now complete.
    fn record(&mut self, id: GameId, half_points: usize) -> Option<usize> {
        let results = self.beyond.entry(id.pair).or_default();
        results[id.game] = Some(half_points);
        let sum = results[0]? + results[1]?;
        while self.beyond.get(&self.frontier).is_some_and(|games| games.iter().all(Option::is_some)) {
            self.beyond.remove(&self.frontier);
            self.frontier += 1;
        }
        Some(sum)
    }
}

impl Scoreboard {
    /// Creates counters for a new match.
    pub(crate) fn new(plan: &Plan) -> Scoreboard {
        Scoreboard {
            scores: vec![Score::default(); plan.pairings.len()],
            players: vec![PlayerStats::new(); plan.players.len()],
            ..Scoreboard::default()
        }
    }

    /// Counts a game; returns true if it completes a pair.
    pub(crate) fn add(&mut self, plan: &Plan, id: GameId, game: &PlayedGame) -> bool {
        let players = plan.players_of(id.pair);
        let first = if id.game == 0 { Color::White } else { Color::Black };
        let half_points = match game.ending.winner {
            None => 1,
            Some(winner) if winner == first => 2,
            Some(_) => 0,
        };
        self.games += 1;
        *self.reasons.entry(game.ending.reason).or_default() += 1;
        let score = &mut self.scores[plan.pairing_of(id.pair)];
        score.games[half_points] += 1;
        if first == Color::White {
            score.as_white[half_points] += 1;
        }
        let complete = self.finished.record(id, half_points);
        if let Some(sum) = complete {
            score.pairs[sum] += 1;
        }

        let player_of = |side: Color| players[usize::from(side != first)];
        if let Some(fault) = &game.fault {
            let faults = &mut self.players[player_of(fault.side)].faults;
            *faults.entry(game.ending.reason).or_default() += 1;
        }
        for side in Color::ALL {
            self.players[player_of(side)].warnings += game.warning_counts[side.index()];
        }
        let positions = game.game.positions().skip(game.opening_plies);
        for (position, data) in positions.zip(&game.move_data) {
            let sums = MoveSums {
                moves: 1,
                nodes: data.nodes.unwrap_or(0),
                depth: u64::from(data.depth.unwrap_or(0)),
                time: micros(data.time),
            };
            let player = &mut self.players[player_of(position.side_to_move())];
            player.all.add(sums);
            player.latency.add(data);
            let number = usize::from(position.fullmove_number()).clamp(1, MAX_MOVES);
            if player.by_move.len() < number {
                player.by_move.resize(number, MoveSums::default());
            }
            player.by_move[number - 1].add(sums);
            if let Some(score) = data.score {
                player.scores[score_bar(score.centipawns())] += 1;
            }
        }
        complete.is_some()
    }

    /// Total number of games lost by a fault.
    pub(crate) fn faults(&self) -> u64 {
        self.players.iter().flat_map(|player| player.faults.values()).sum()
    }

    /// Total number of warnings.
    pub(crate) fn warnings(&self) -> u64 {
        self.players.iter().map(|player| player.warnings).sum()
    }
}

impl PlayerStats {
    fn new() -> PlayerStats {
        PlayerStats { scores: vec![0; 2 * SCORE_BARS + 1], ..PlayerStats::default() }
    }
}

impl Latency {
    fn add(&mut self, data: &MoveData) {
        if let Some(ping) = data.ping {
            self.pings += 1;
            self.total += micros(ping);
            self.longest = self.longest.max(micros(ping));
        }
        self.overruns += u64::from(data.overrun);
        if let Some(left) = data.time_left.map(micros) {
            self.lowest_clock = Some(self.lowest_clock.map_or(left, |lowest| lowest.min(left)));
        }
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

impl MoveSums {
    fn add(&mut self, other: MoveSums) {
        self.moves += other.moves;
        // Numbers of an engine, which may be any.
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.depth = self.depth.saturating_add(other.depth);
        self.time = self.time.saturating_add(other.time);
    }
}

fn score_bar(centipawns: i32) -> usize {
    let max = SCORE_BARS as i32;
    let bar = (f64::from(centipawns) / f64::from(SCORE_BAR)).round() as i32;
    (bar.clamp(-max, max) + max) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frontier_advances_over_gaps() {
        let mut finished = FinishedGames::default();
        let id = |pair, game| GameId { pair, game };
        assert_eq!(finished.missing(0), [0, 1]);
        assert_eq!(finished.record(id(1, 0), 2), None);
        assert_eq!(finished.record(id(1, 1), 1), Some(3));
        assert_eq!(finished.missing(1), [0; 0]);
        assert_eq!(finished.record(id(0, 1), 0), None);
        assert_eq!((finished.missing(0), finished.frontier), (vec![0], 0));
        assert_eq!(finished.record(id(0, 0), 1), Some(1));
        assert_eq!((finished.frontier, finished.beyond.len()), (2, 0));
        assert_eq!(finished.missing(2), [0, 1]);
    }

    #[test]
    fn latency_is_summed_up() {
        let mut latency = Latency::default();
        let millis = |number| Some(Duration::from_millis(number));
        latency.add(&MoveData::default());
        latency.add(&MoveData { ping: millis(3), time_left: millis(500), ..MoveData::default() });
        latency.add(&MoveData {
            ping: millis(1),
            time_left: millis(20),
            overrun: true,
            ..MoveData::default()
        });
        let expected =
            Latency { pings: 2, total: 4000, longest: 3000, overruns: 1, lowest_clock: Some(20_000) };
        assert_eq!(latency, expected);
    }

    #[test]
    fn scores_map_to_histogram_bars() {
        assert_eq!(score_bar(0), SCORE_BARS);
        assert_eq!(score_bar(24), SCORE_BARS);
        assert_eq!(score_bar(-26), SCORE_BARS - 1);
        assert_eq!(score_bar(30_000), 2 * SCORE_BARS);
        assert_eq!(score_bar(-30_000), 0);
    }
}
