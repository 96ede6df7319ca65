//! The order of the moves of a position that is in the tables.

use crate::probe::{after, is_zeroing, nearest};
use crate::{FiftyMoves, RootRank, Tablebases, Wdl};
use tabiya_movegen::Position;

/// The rank of a move that wins whatever happens.
const MOST: i32 = 1 << 18;
/// After so many plies without capture or pawn move the game is drawn.
const LIMIT: i32 = 100;

impl Tablebases {
    /// Ranks by the distance to the next capture or pawn move. `None` if a table is missing.
    pub(super) fn rank_by_distance(&self, position: &Position, rule: FiftyMoves) -> Option<Vec<RootRank>> {
        let clock = i32::from(position.halfmove_clock());
        let mut ranks = Vec::new();
        for mv in position.legal_moves() {
            let child = after(position, mv);
            let mut distance = if is_zeroing(position, mv) {
                nearest(-self.outcome(&child)?.value)
            } else {
                // One ply more, for this move.
                let distance = -self.distance(&child)?;
                distance + distance.signum()
            };
            if distance == 2 && child.is_checkmate() {
                distance = 1;
            }
            let rank = match distance {
                // Far from the limit all wins are as good as each other, so that the search may choose
                // the one that looks best. Not after a repetition: then it must make progress.
                1.. if distance + clock < LIMIT && rule != (FiftyMoves::Counted { repeated: true }) => MOST,
                1.. => MOST - (distance + clock),
                0 => 0,
                // A loss that the rule can hardly come to save is one however long it takes.
                _ if -distance * 2 + clock < LIMIT => -MOST,
                _ => -MOST - distance + clock,
            };
            let wdl = match rule {
                FiftyMoves::Counted { .. } if rank > 0 && rank < MOST - LIMIT => Wdl::CursedWin,
                FiftyMoves::Counted { .. } if rank < 0 && rank > LIMIT - MOST => Wdl::BlessedLoss,
                _ => Wdl::from_outcome(rank.signum() as i8 * 2),
            };
            ranks.push(RootRank { mv, wdl, rank });
        }
        Some(ranks)
    }

    /// Ranks by the outcome alone: for where the tables of distances are missing. It keeps what is won,
    /// but does not tell how to make progress. `None` if a table is missing.
    pub(super) fn rank_by_outcome(&self, position: &Position, rule: FiftyMoves) -> Option<Vec<RootRank>> {
        let mut ranks = Vec::new();
        for mv in position.legal_moves() {
            let outcome = -self.outcome(&after(position, mv))?.value;
            let outcome = if rule == FiftyMoves::Ignored { outcome.signum() * 2 } else { outcome };
            let rank = match outcome {
                2 => MOST,
                1 => MOST - LIMIT - 1,
                0 => 0,
                -1 => LIMIT + 1 - MOST,
                _ => -MOST,
            };
            ranks.push(RootRank { mv, wdl: Wdl::from_outcome(outcome), rank });
        }
        Some(ranks)
    }
}
