//! The games that the positions of a text file are from.
//!
//! Lines do not name their game, but those of one game usually follow each other. [`GameFinder`] begins a new game
//! where two neighbours cannot be from one game. A game is never divided that way; two games that
//! happen to fit together count as one.

use super::line::LabelledPosition;
use tabiya_core::{Color, PieceType, SplitMix64};
use tabiya_lab_common::games::ply;

/// Mean number of positions per game below which a file is probably shuffled.
const MIN_MEAN_LENGTH: u64 = 3;

/// Properties of a position that change in one direction only during a game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct GameState {
    /// Game result, which does not change.
    result: f32,
    /// Plies played, or a smaller number if the FEN has no counters.
    ply: u32,
    /// Numbers of pieces and pawns of White and Black.
    pieces: [u32; 4],
}

impl GameState {
    /// Returns the properties of a position.
    pub(super) fn of(labelled: &LabelledPosition) -> GameState {
        let board = labelled.position.board();
        let count = |color| [board.by_color(color).count(), board.pieces(color, PieceType::Pawn).count()];
        let [white, black] = Color::ALL.map(count);
        GameState {
            result: labelled.result,
            ply: ply(&labelled.position),
            pieces: [white[0], white[1], black[0], black[1]],
        }
    }

    /// Returns true if a game can reach this position after `earlier`.
    fn can_follow(&self, earlier: &GameState) -> bool {
        let counters = self.ply > 1 && earlier.ply > 1;
        self.result == earlier.result
            && (!counters || self.ply >= earlier.ply)
            && self.pieces.iter().zip(earlier.pieces).all(|(&now, before)| now <= before)
    }
}

/// Numbers the games of consecutive positions.
#[derive(Default)]
pub(super) struct GameFinder {
    last: Option<GameState>,
    /// Games of all files.
    games: u64,
    /// Games and positions of the current file.
    in_file: [u64; 2],
}

impl GameFinder {
    /// Returns an identifier of the next position's game, uniform over all 64 bits.
    pub(super) fn next(&mut self, position: GameState) -> u64 {
        let new = !self.last.as_ref().is_some_and(|last| position.can_follow(last));
        self.games += u64::from(new);
        self.in_file[0] += u64::from(new);
        self.in_file[1] += 1;
        self.last = Some(position);
        SplitMix64::hash(self.games)
    }

    /// Ends a file and returns true if its games were so short that it is probably shuffled.
    pub(super) fn end_file(&mut self) -> bool {
        self.last = None;
        let [games, positions] = std::mem::take(&mut self.in_file);
        positions < MIN_MEAN_LENGTH * games
    }
}

#[cfg(test)]
mod tests {
    use super::super::line;
    use super::*;

    /// Returns the games of these lines as numbers from 0, and whether they look shuffled.
    fn games(lines: &[&str]) -> (Vec<usize>, bool) {
        let mut finder = GameFinder::default();
        let mut seen = Vec::new();
        let numbers = lines.iter().map(|line| {
            let game = finder.next(GameState::of(&line::parse(line).unwrap().unwrap()));
            seen.iter().position(|&known| known == game).unwrap_or_else(|| {
                seen.push(game);
                seen.len() - 1
            })
        });
        (numbers.collect(), finder.end_file())
    }

    #[test]
    fn games_end_where_result_ply_or_material_change() {
        let lines = [
            "4k3/p6p/8/8/8/8/P7/4K2R w K - 0 20 1-0",
            "4k3/p6p/8/8/8/8/P7/4K2R w K - 5 24 1-0",
            // A promotion removes a pawn and adds no piece.
            "4k2Q/8/8/8/8/8/8/4K2R b K - 0 44 1-0",
            // Lower ply.
            "4k2Q/8/8/8/8/8/8/4K2R b K - 0 43 1-0",
            // Other result.
            "4k2Q/8/8/8/8/8/8/4K2R b K - 0 44 1/2-1/2",
            // More pawns.
            "4k2Q/p7/8/8/8/8/8/4K2R b K - 0 45 1/2-1/2",
        ];
        assert_eq!(games(&lines), (vec![0, 0, 0, 1, 2, 3], true));
        assert!(!games(&lines[..3]).1);
    }

    #[test]
    fn positions_without_counters_stay_together() {
        let lines = ["4k3/p7/8/8/8/8/8/4K2R w K - 1-0", "4k3/8/8/8/8/8/8/4K2R w K - 1-0"];
        assert_eq!(games(&lines).0, [0, 0]);
        assert_eq!(games(&[lines[1], lines[0]]).0, [0, 1]);
    }
}
