//! Ranking of root moves.

use crate::probe::{dtz_before_zeroing, is_zeroing, play};
use crate::tablebases::Tablebases;
use crate::wdl::Wdl;
use tabiya_core::Move;
use tabiya_movegen::Position;

/// The rank of a win that the fifty-move rule cannot affect; such a loss has its negative.
const MAX_RANK: i32 = 1 << 18;
/// The half-move clock at which the fifty-move rule draws, in plies.
const FIFTY_MOVES: i32 = 100;

/// The treatment of the fifty-move rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum FiftyMoves {
    /// The rule applies: cursed wins and blessed losses are draws.
    Counted {
        /// True if the game has repeated a position since the last capture or pawn move. Winning moves are then ranked by
        /// DTZ even far from the limit, so that the winner makes progress.
        repeated: bool,
    },
    /// The rule does not apply: a win is a win at any DTZ.
    Ignored,
}

/// A legal move of a position in the tables, with its rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RootRank {
    /// The move.
    pub mv: Move,
    /// The result of playing it, for the side that plays it. With DTZ, a win or loss exactly at the limit of the fifty-move rule counts as
    /// a draw unless it is certain; see [`Tablebases::probe_result`].
    pub wdl: Wdl,
    /// The rank of the move; higher is better, equally good moves share a rank.
    pub rank: i32,
}

impl Tablebases {
    /// Returns all legal moves with their ranks; a move of the highest rank keeps the result.
    ///
    /// Moves are ranked by DTZ, or by WDL where DTZ tables are missing. `None` if a WDL table is missing or either side can still castle.
    pub fn probe_root(&self, position: &Position, rule: FiftyMoves) -> Option<Vec<RootRank>> {
        if !self.covers(position) {
            return None;
        }
        self.rank_by_dtz(position, rule).or_else(|| self.rank_by_wdl(position, rule))
    }

    /// Ranks the legal moves by DTZ. `None` if a table is missing.
    fn rank_by_dtz(&self, position: &Position, rule: FiftyMoves) -> Option<Vec<RootRank>> {
        let clock = i32::from(position.halfmove_clock());
        let mut ranks = Vec::new();
        for mv in position.legal_moves() {
            let child = play(position, mv);
            let is_zeroing = is_zeroing(position, mv);
            let mut dtz = if is_zeroing {
                dtz_before_zeroing(-self.wdl(&child)?.score)
            } else {
                // This move adds one ply.
                let dtz = -self.dtz(&child)?;
                dtz + dtz.signum()
            };
            let is_mate = dtz == 2 && child.is_checkmate();
            if is_mate {
                dtz = 1;
            }
            let rank = match dtz {
                // Wins far from the limit rank alike, so that the search may choose among them. After a repetition they are
                // ranked by DTZ, which forces progress.
                1.. if dtz + clock < FIFTY_MOVES && rule != (FiftyMoves::Counted { repeated: true }) => {
                    MAX_RANK
                }
                1.. => MAX_RANK - (dtz + clock),
                0 => 0,
                // Losses that the rule is unlikely to save rank alike.
                _ if -dtz * 2 + clock < FIFTY_MOVES => -MAX_RANK,
                _ => -MAX_RANK - dtz + clock,
            };
            // A table may store a distance that is a ply too short, so that the rule could draw at exactly its limit.
            let limit = if is_zeroing || is_mate { FIFTY_MOVES } else { FIFTY_MOVES - 1 };
            let is_drawn_by_rule = rule != FiftyMoves::Ignored && dtz.abs() + clock > limit;
            let wdl = match (dtz.signum(), is_drawn_by_rule) {
                (1, true) => Wdl::CursedWin,
                (-1, true) => Wdl::BlessedLoss,
                (sign, _) => Wdl::from_score(sign as i8 * 2),
            };
            ranks.push(RootRank { mv, wdl, rank });
        }
        Some(ranks)
    }

    /// Ranks the legal moves by WDL. This keeps a win without showing progress. `None` if a table is missing.
    fn rank_by_wdl(&self, position: &Position, rule: FiftyMoves) -> Option<Vec<RootRank>> {
        let mut ranks = Vec::new();
        for mv in position.legal_moves() {
            let score = -self.wdl(&play(position, mv))?.score;
            let score = if rule == FiftyMoves::Ignored { score.signum() * 2 } else { score };
            let rank = match score {
                2 => MAX_RANK,
                1 => MAX_RANK - FIFTY_MOVES - 1,
                0 => 0,
                -1 => FIFTY_MOVES + 1 - MAX_RANK,
                _ => -MAX_RANK,
            };
            ranks.push(RootRank { mv, wdl: Wdl::from_score(score), rank });
        }
        Some(ranks)
    }
}
