//! The counters of a match.

use super::game::PlayedGame;
use super::plan::Plan;
use super::referee::Termination;
use std::collections::BTreeMap;
use tabiya_core::Color;

/// Moves beyond this number of a game count towards it, in what is kept for each move number.
const MAX_MOVES: usize = 150;

/// The scores' histogram has this many bars to each side of the middle one ...
pub(crate) const SCORE_BARS: usize = 20;
/// ... of this many centipawns each; the outermost bars take everything beyond.
pub(crate) const SCORE_BAR: i32 = 50;

/// Which of a match's games a game is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct GameId {
    /// The pair, from 0.
    pub(crate) pair: u64,
    /// 0: the pairing's first player has White. 1: the second one has.
    pub(crate) game: usize,
}

/// All counters.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Scoreboard {
    /// Finished games.
    pub(crate) games: u64,
    /// The results of each pairing.
    pub(crate) scores: Vec<Score>,
    /// How games ended.
    pub(crate) reasons: BTreeMap<Termination, u64>,
    /// What each player did.
    pub(crate) players: Vec<PlayerStats>,
    /// Which games are finished.
    #[serde(rename = "coverage")]
    pub(crate) finished: FinishedGames,
}

/// The results of a pairing, from the first player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Score {
    /// Complete pairs of games by points: 0, ½, 1, 1½, 2.
    pub(crate) pairs: [u64; 5],
    /// Games: lost, drawn, won.
    pub(crate) games: [u64; 3],
    /// The same, of the games with White.
    pub(crate) as_white: [u64; 3],
}

/// What a player did.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct PlayerStats {
    /// How often it failed, and in which way.
    pub(crate) faults: BTreeMap<Termination, u64>,
    /// Moves of its variations that are not legal.
    pub(crate) warnings: u64,
    /// Sums over its moves.
    pub(crate) all: MoveSums,
    /// The same, by the number of the move in the game.
    pub(crate) by_move: Vec<MoveSums>,
    /// How often it gave a score in each of `2 * SCORE_BARS + 1` intervals.
    pub(crate) scores: Vec<u64>,
}

/// Sums over moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct MoveSums {
    /// How many moves.
    pub(crate) moves: u64,
    /// Nodes.
    pub(crate) nodes: u64,
    /// Depths.
    pub(crate) depth: u64,
    /// Microseconds.
    pub(crate) time: u64,
}

/// Which games are finished. Pairs are begun in order, so that all but a few of the last ones are.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct FinishedGames {
    /// Every pair before this one is finished.
    frontier: u64,
    /// The half-points of the first player in the games of later pairs.
    beyond: BTreeMap<u64, [Option<usize>; 2]>,
}

impl FinishedGames {
    /// The games of a pair that are still to be played.
    pub(crate) fn missing(&self, pair: u64) -> Vec<usize> {
        if pair < self.frontier {
            return Vec::new();
        }
        let known = self.beyond.get(&pair).copied().unwrap_or_default();
        (0..2).filter(|&game| known[game].is_none()).collect()
    }

    /// Notes a result; returns the half-points of the pair where that completes it.
    fn note(&mut self, id: GameId, half_points: usize) -> Option<usize> {
        let known = self.beyond.entry(id.pair).or_default();
        known[id.game] = Some(half_points);
        let sum = known[0]? + known[1]?;
        while self.beyond.get(&self.frontier).is_some_and(|games| games.iter().all(Option::is_some)) {
            self.beyond.remove(&self.frontier);
            self.frontier += 1;
        }
        Some(sum)
    }
}

impl Scoreboard {
    /// Counters at 0.
    pub(crate) fn new(plan: &Plan) -> Scoreboard {
        Scoreboard {
            scores: vec![Score::default(); plan.pairings.len()],
            players: vec![PlayerStats::new(); plan.players.len()],
            ..Scoreboard::default()
        }
    }

    /// Counts a game; true where it completes a pair.
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
        let complete = self.finished.note(id, half_points);
        if let Some(sum) = complete {
            score.pairs[sum] += 1;
        }

        let player_of = |side: Color| players[usize::from(side != first)];
        if let Some(report) = &game.fault {
            let faults = &mut self.players[player_of(report.side)].faults;
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
                time: u64::try_from(data.time.as_micros()).unwrap_or(u64::MAX),
            };
            let player = &mut self.players[player_of(position.side_to_move())];
            player.all.add(sums);
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

    /// How many times players failed, in all.
    pub(crate) fn faults(&self) -> u64 {
        self.players.iter().flat_map(|player| player.faults.values()).sum()
    }

    /// How many warnings there were, in all.
    pub(crate) fn warnings(&self) -> u64 {
        self.players.iter().map(|player| player.warnings).sum()
    }
}

impl PlayerStats {
    fn new() -> PlayerStats {
        PlayerStats { scores: vec![0; 2 * SCORE_BARS + 1], ..PlayerStats::default() }
    }
}

impl MoveSums {
    fn add(&mut self, other: MoveSums) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.depth += other.depth;
        self.time += other.time;
    }
}

fn score_bar(centipawns: i32) -> usize {
    let most = SCORE_BARS as i32;
    let bar = (f64::from(centipawns) / f64::from(SCORE_BAR)).round() as i32;
    (bar.clamp(-most, most) + most) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_advances_over_gaps() {
        let mut coverage = FinishedGames::default();
        let id = |pair, game| GameId { pair, game };
        assert_eq!(coverage.missing(0), [0, 1]);
        assert_eq!(coverage.note(id(1, 0), 2), None);
        assert_eq!(coverage.note(id(1, 1), 1), Some(3));
        assert_eq!(coverage.missing(1), [0; 0]);
        assert_eq!(coverage.note(id(0, 1), 0), None);
        assert_eq!((coverage.missing(0), coverage.frontier), (vec![0], 0));
        assert_eq!(coverage.note(id(0, 0), 1), Some(1));
        assert_eq!((coverage.frontier, coverage.beyond.len()), (2, 0));
        assert_eq!(coverage.missing(2), [0, 1]);
    }

    #[test]
    fn scores_fall_into_bars() {
        assert_eq!(score_bar(0), SCORE_BARS);
        assert_eq!(score_bar(24), SCORE_BARS);
        assert_eq!(score_bar(-26), SCORE_BARS - 1);
        assert_eq!(score_bar(30_000), 2 * SCORE_BARS);
        assert_eq!(score_bar(-30_000), 0);
    }
}
