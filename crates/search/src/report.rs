use crate::wdl::Wdl;
use std::fmt;
use std::time::Duration;
use tabiya_core::{Bound, MATE, MATE_IN_MAX_PLY, Move, Value};

/// What a search tells while it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchEvent {
    /// The state of the search, after each completed iteration and at the end; one for each line where
    /// several are asked for, the best first. Once the search takes long enough for anybody to read it, also
    /// when the value of a line turns out to be higher or lower than expected, with that as its `bound`.
    Info(Info),
    /// The root move that is being searched, once the search takes long enough for anybody to ask.
    CurrentMove {
        /// The iteration, in plies.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its place in the order of moves, from 1.
        number: u32,
    },
    /// The answer: exactly once, and nothing comes after it.
    BestMove(BestMove),
}

/// The answer of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BestMove {
    /// The move to play; `None` only where there is no legal move.
    pub best: Option<Move>,
    /// The answer expected to it, worth thinking about in the opponent's time. Legal after `best`.
    pub ponder: Option<Move>,
}

/// The state of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// The iteration, in plies. 0 where the root has no legal move.
    pub depth: u32,
    /// The longest line looked at, in plies from the root.
    pub seldepth: u32,
    /// Which of the best lines this is, from 1.
    pub multipv: u32,
    /// The score from the point of view of the side to move at the root.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// What the score means in points, from the same point of view.
    pub wdl: Wdl,
    /// Nodes searched so far: moves made on the board.
    pub nodes: u64,
    /// Time since the search was started.
    pub time: Duration,
    /// How full of entries of this search the transposition table is, in thousandths.
    pub hashfull: u32,
    /// How many positions have been looked up in endgame tablebases.
    pub tb_hits: u64,
    /// The line expected: legal moves from the root on. Empty only where the root has none.
    pub pv: Vec<Move>,
}

impl Info {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Nodes a second, without overflow and with an answer for no time at all.
pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let nanos = time.as_nanos().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
}

/// A score as people and protocols read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn; positive is good for the side to move at the root.
    Centipawns(i32),
    /// Mate in so many moves: positive if the side to move gives it, negative if it receives it, 0 if
    /// it is mated already.
    Mate(i32),
}

impl Score {
    /// The score for a value of the search, in which a mate counts the plies to it.
    ///
    /// ```
    /// use tabiya_core::{mate_in, mated_in};
    /// use tabiya_search::Score;
    ///
    /// assert_eq!(Score::from_value(-35), Score::Centipawns(-35));
    /// assert_eq!(Score::from_value(mate_in(3)), Score::Mate(2)); // move, answer, mate
    /// assert_eq!(Score::from_value(mated_in(4)), Score::Mate(-2));
    /// ```
    pub const fn from_value(value: Value) -> Score {
        if value >= MATE_IN_MAX_PLY {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_IN_MAX_PLY {
            Score::Mate(-(MATE + value) / 2)
        } else {
            Score::Centipawns(value)
        }
    }
}

/// `+0.35`, `-1.20`, `#3` (mate in three), `#-2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Score::Centipawns(value) => {
                let sign = if value < 0 { '-' } else { '+' };
                let value = value.unsigned_abs();
                format!("{sign}{}.{:02}", value / 100, value % 100)
            }
            Score::Mate(moves) => format!("#{moves}"),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_core::{mate_in, mated_in};

    #[test]
    fn scores_as_text() {
        assert_eq!(Score::from_value(0).to_string(), "+0.00");
        assert_eq!(Score::from_value(-7).to_string(), "-0.07");
        assert_eq!(Score::from_value(1234).to_string(), "+12.34");
        assert_eq!(Score::from_value(mate_in(1)).to_string(), "#1");
        assert_eq!(Score::from_value(mate_in(5)).to_string(), "#3");
        assert_eq!(Score::from_value(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::from_value(mated_in(2)).to_string(), "#-1");
        assert_eq!(format!("{:>6}|", Score::Mate(3)), "    #3|");
    }

    #[test]
    fn speed_of_no_time_at_all() {
        assert_eq!(nodes_per_second(5, Duration::ZERO), 5_000_000_000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
        assert_eq!(nodes_per_second(3000, Duration::from_secs(2)), 1500);
    }
}
